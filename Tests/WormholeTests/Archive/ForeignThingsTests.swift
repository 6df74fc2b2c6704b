import Glibc
import TestSupport
import Testing
import Wormhole

/// What else can stand at an archive's name.
@Suite("Foreign things at an archive's name", .ownThread)
struct ForeignThingsTests {
  private let directory: TemporaryDirectory
  private let archives: Archives

  init() throws {
    directory = try TemporaryDirectory()
    archives = try Archives(directory: directory.path, options: WormholeOptions(origin: "tests"))
  }

  @Test(
    "A foreign file is one message",
    arguments: [
      (" { \"a\": [1, 2] }\n", Codec.json), ("12345678901234567890.5", .json), ("hello", .bytes), ("", .bytes),
      ("WORM", .bytes), ("[1,]", .bytes),
      ("<plist version=\"1.0\"><array><string>x</string></array></plist>", .propertyList),
      ("<plist><array>", .bytes), ("bplist00 and then nothing", .bytes),
    ])
  func foreignFile(text: String, codec: Codec) throws {
    let source = try directory.write(text.utf8, to: "source")
    #expect(rename(source, directory.appending("note.archive")) == 0)
    let newest = try #require(try archives.newest("note"))
    #expect(newest.record.payload == Payload(bytes: Array(text.utf8), codec: codec))
    #expect(newest.position.sequence == 1 && newest.record.origin.isEmpty)
    guard case .records(let records, let missed, let now) = archives.look(at: "note", after: nil, every: true) else {
      Issue.record("not seen")
      return
    }
    #expect(records.count == 1 && missed == 0 && now == newest.position)
    guard case .unchanged = archives.look(at: "note", after: now, every: false) else { Issue.record("again"); return }
    // Another file of the same content is another message.
    try directory.write(text.utf8, to: "other")
    #expect(rename(directory.appending("other"), directory.appending("note.archive")) == 0)
    guard case .records = archives.look(at: "note", after: now, every: false) else { Issue.record("missed"); return }
    try sendReplaces("note")
  }

  @Test("An update of a foreign file knows whether it is still the same")
  func expecting() throws {
    try directory.write("1".utf8, to: "n.archive")
    let seen = try #require(try archives.newest("n")).position
    #expect(try archives.append(.text("2"), to: "n", expecting: .some(.none)) == nil)
    try directory.write("5".utf8, to: "new")
    #expect(rename(directory.appending("new"), directory.appending("n.archive")) == 0)
    #expect(try archives.append(.text("2"), to: "n", expecting: .position(seen)) == nil)
    let again = try #require(try archives.newest("n")).position
    #expect(try archives.append(.text("6"), to: "n", expecting: .position(again)) != nil)
    #expect(try archives.newest("n")?.record.payload?.bytes == Array("6".utf8))
  }

  @Test("A link is reported, and replaced itself, never what it leads to")
  func link() throws {
    let target = try directory.write("precious".utf8, to: "target")
    #expect(symlink(target, directory.appending("note.archive")) == 0)
    try expectUnreadable("note", .notAnArchive)
    // Who expects that nothing is stored has not read what stands there.
    #expect(try archives.append(.text("x"), to: "note", expecting: .some(.none)) == nil)
    try sendReplaces("note")
    #expect(try directory.read("target") == Array("precious".utf8))
    #expect(symlink("nowhere", directory.appending("dangling.archive")) == 0)
    try expectUnreadable("dangling", .notAnArchive)
    try sendReplaces("dangling")
    #expect(try directory.names().contains("nowhere") == false)
  }

  @Test("A link to another archive is no way into it")
  func linkToArchive() throws {
    try archives.append(.text("a"), to: "a")
    #expect(symlink("a.archive", directory.appending("b.archive")) == 0)
    try sendReplaces("b")
    #expect(try archives.newest("a")?.record.sequence == 1)
  }

  @Test("A pipe and a socket are reported without waiting, and replaced")
  func pipeAndSocket() throws {
    #expect(mkfifo(directory.appending("pipe.archive"), 0o600) == 0)
    #expect(mknod(directory.appending("socket.archive"), S_IFSOCK | 0o600, 0) == 0)
    for name in ["pipe", "socket"] {
      try expectUnreadable(name, .notAnArchive)
      try sendReplaces(name)
    }
  }

  @Test(
    "A device is reported and replaced", .enabled("needs the right to make devices") { try Self.canMakeDevices() },
    arguments: [3, 5, 7] as [UInt])
  func device(minor: UInt) throws {
    #expect(mknod(directory.appending("note.archive"), S_IFCHR | 0o600, 1 << 8 | minor) == 0)
    try expectUnreadable("note", .notAnArchive)
    try sendReplaces("note")
  }

  @Test("A directory is reported and left alone")
  func folder() throws {
    #expect(mkdir(directory.appending("note.archive"), 0o700) == 0)
    try directory.write("kept".utf8, to: "note.archive/file")
    try expectUnreadable("note", .notAnArchive)
    expectError(.notAnArchive) { () throws(WormholeError) in try archives.append(.text("x"), to: "note") }
    expectError(.notAnArchive) { () throws(WormholeError) in try archives.clear("note") }
    #expect(try directory.read("note.archive/file") == Array("kept".utf8))
  }

  @Test("A newer format is reported and left alone")
  func newerFormat() throws {
    try archives.append(.text("x"), to: "note")
    var bytes = try directory.read("note.archive")
    bytes[8] = 2
    try directory.write(bytes, to: "note.archive")
    try expectUnreadable("note", .newerArchive)
    expectError(.newerArchive) { () throws(WormholeError) in try archives.append(.text("x"), to: "note") }
    expectError(.newerArchive) { () throws(WormholeError) in try archives.clear("note") }
    #expect(try directory.read("note.archive") == bytes)
  }

  @Test("A file of 1 TiB is too large, whether it claims to be an archive or not, and is replaced")
  func sparse() throws {
    let archives = try Archives(directory: directory.path, options: WormholeOptions(messageSizeLimit: 1 << 20))
    try directory.write("".utf8, to: "plain.archive")
    try archives.append(.text("x"), to: "claiming")
    var extent = Extent(offset: 4096, length: 1 << 39, sequence: 1)
    var commit = Commit(sequence: 1)
    let header = ArchiveHeader(identity: 5, capacity: 1 << 40, retention: 1 << 40)
    commit.newest = extent
    commit.payload = extent
    try directory.write(RingTests.head(header, commit), to: "claiming.archive")
    extent.length = 1 << 20
    commit.newest = extent
    commit.payload = extent
    try directory.write(RingTests.head(header, commit), to: "damaged.archive")
    for name in ["plain", "claiming", "damaged"] {
      #expect(truncate(directory.appending(name + ".archive"), 1 << 40) == 0)
      try expectUnreadable(name, name == "damaged" ? .damagedArchive : .messageTooLarge, archives)
    }
    for name in ["plain", "claiming", "damaged"] {
      try archives.append(.text("fresh"), to: name)
      #expect(try archives.newest(name)?.record.payload?.bytes == Array("fresh".utf8))
    }
  }

  @Test("What cannot be read is cleared like an archive")
  func clearing() throws {
    let target = try directory.write("precious".utf8, to: "target")
    #expect(symlink(target, directory.appending("a.archive")) == 0)
    #expect(mkfifo(directory.appending("b.archive"), 0o600) == 0)
    try directory.write("plain".utf8, to: "c.archive")
    try directory.write("WORMHOLE".utf8, to: "d.archive")
    for name in ["a", "b", "c", "d"] { try archives.clear(name) }
    #expect(try directory.names() == [".wormhole", "target"])
  }

  @Test(
    "Odd identifiers are files of the directory and nothing else",
    arguments: ["..", ".", "a/b", ".hidden", "ä🍦 %", "two\nlines", "Case", "case", "e\u{301}", "\u{e9}", ".wormhole"])
  func identifiers(identifier: String) throws {
    try archives.append(.text(identifier), to: identifier)
    #expect(try archives.newest(identifier)?.record.payload?.bytes == Array(identifier.utf8))
    #expect(try archives.identifiers().map { Array($0.utf8) } == [Array(identifier.utf8)])
    #expect(try directory.names().count == 2)
    try archives.clear(identifier)
    #expect(try directory.names() == [".wormhole"])
  }

  @Test("Identifiers that are none are refused", arguments: ["", "a\0b", String(repeating: "x", count: 300)])
  func refused(identifier: String) {
    expectError(.invalidIdentifier) { () throws(WormholeError) in try archives.append(.signal, to: identifier) }
    guard case .unreadable(let error, _) = archives.look(at: identifier, after: nil, every: false) else {
      Issue.record("looked at")
      return
    }
    #expect(error.code == .invalidIdentifier)
  }

  /// A look tells the error once, and reading throws it.
  private func expectUnreadable(
    _ identifier: String, _ code: WormholeError.Code, _ other: Archives? = nil
  ) throws {
    let archives = other ?? self.archives
    for every in [true, false] {
      guard case .unreadable(let error, let told) = archives.look(at: identifier, after: nil, every: every) else {
        Issue.record("\(identifier) is not reported")
        return
      }
      #expect(error.code == code && error.path == directory.appending(identifier + ".archive"))
      guard case .unchanged = archives.look(at: identifier, after: told, every: every) else {
        Issue.record("\(identifier) is reported twice")
        return
      }
    }
    expectError(code) { () throws(WormholeError) in _ = try archives.newest(identifier) }
  }

  /// The next send is the first message of a new archive.
  private func sendReplaces(_ identifier: String) throws {
    let position = try #require(try archives.append(.text("fresh"), to: identifier))
    #expect(position.sequence == 1)
    #expect(try archives.newest(identifier)?.record.payload?.bytes == Array("fresh".utf8))
    #expect(try directory.names().contains { $0.hasPrefix("t-") } == false)
  }

  private static func canMakeDevices() throws -> Bool {
    mknod(try TemporaryDirectory().appending("device"), S_IFCHR | 0o600, 1 << 8 | 3) == 0
  }
}

/// Expects an error of this code, with a reason.
func expectError(_ code: WormholeError.Code, _ body: () throws(WormholeError) -> Void) {
  do throws(WormholeError) {
    try body()
    Issue.record("no error")
  } catch {
    #expect(error.code == code && !error.reason.isEmpty, "\(error)")
  }
}
