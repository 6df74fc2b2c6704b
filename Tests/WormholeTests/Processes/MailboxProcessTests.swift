import Glibc
import TestSupport
import Testing
import Wormhole

/// The promises of the mailbox between real processes.
@Suite(.ownThread) struct MailboxProcessTests {
  private static let helper = "wormhole-test-helper"

  @Test(
    "Four processes pass at once and every listener hears them in order, none twice, to the newest, and knows what it missed"
  )
  func manySendersManyListeners() throws {
    let directory = try TemporaryDirectory()
    let count = 2_000
    let listeners = try ["every", "every", "every", "newest", "newest"].map {
      try HelperProcess(Self.helper, ["hear", directory.path, "note", $0, "the end"])
    }
    for listener in listeners { #expect(try listener.nextLine() == "listening") }
    let senders = try (1...4).map {
      try HelperProcess(Self.helper, ["pass", directory.path, "note", "\(count)", "s\($0)"])
    }
    for sender in senders { #expect(try sender.waitUntilExit().exit == .code(0)) }
    let total = UInt64(4 * count + 1)
    #expect(try Wormhole(directory: directory.path).passMessage("the end", identifier: "note") == total)
    for listener in listeners {
      let words = try listener.nextLine().split(separator: " ")
      #expect(words[7] == "0", "\(words)")
      #expect(words[5] == "\(total)")
      #expect((Int(words[1]) ?? 0) + (Int(words[3]) ?? 0) == Int(total), "delivered and skipped make all: \(words)")
    }
  }

  @Test("Processes that update one value at once lose no update")
  func updates() throws {
    let directory = try TemporaryDirectory()
    let processes = try (1...8).map { _ in try HelperProcess(Self.helper, ["increment", directory.path, "sum", "200"]) }
    for process in processes { #expect(try process.waitUntilExit().exit == .code(0)) }
    #expect(try Wormhole(directory: directory.path).message(Int.self, identifier: "sum") == 1_600)
  }

  @Test(
    "A sender killed at any moment loses nothing that had returned, tears nothing and stops nobody",
    arguments: [20, 10_240])
  func killedSenders(size: Int) throws {
    let directory = try TemporaryDirectory()
    let wormhole = try Wormhole(directory: directory.path)
    for round in 0..<40 {
      let sender = try HelperProcess(Self.helper, ["fill", directory.path, "note", "\(size)"])
      var acknowledged = try sender.nextLine()
      for _ in 0..<(round % 7) { acknowledged = try sender.nextLine() }
      try sender.kill()
      let outcome = try sender.waitUntilExit()
      acknowledged = outcome.text.split(separator: "\n").last { UInt64($0) != nil }.map(String.init) ?? acknowledged
      let stored = try #require(try wormhole.storedMessage([UInt8].self, identifier: "note"))
      #expect(stored.sequence >= UInt64(acknowledged) ?? .max)
      #expect(stored.value.count == size && Set(stored.value).count == 1)
      #expect(try wormhole.passMessage(stored.value, identifier: "note") == stored.sequence + 1)
    }
    // What a killed process left under way is swept by the next one that opens.
    _ = try Wormhole(directory: directory.path)
    let hidden = try FileSystemNames.of(directory.appending(".wormhole"))
    #expect(hidden.filter { $0.hasPrefix("t-") } == [])
  }

  @Test("A stopped listener delays no sender")
  func stoppedListener() throws {
    let directory = try TemporaryDirectory()
    let listener = try HelperProcess(Self.helper, ["hear", directory.path, "note", "newest", "the end"])
    #expect(try listener.nextLine() == "listening")
    try listener.stop()
    let wormhole = try Wormhole(directory: directory.path)
    for number in 1...500 { try wormhole.passMessage("s \(number)", identifier: "note") }
    try wormhole.passMessage("the end", identifier: "note")
    listener.resume()
    #expect(try listener.nextLine().hasPrefix("delivered"))
  }

  @Test("Signals never push the stored message out")
  func signalsBesideAMessage() throws {
    let directory = try TemporaryDirectory()
    let wormhole = try Wormhole(directory: directory.path)
    try wormhole.passMessage("kept", identifier: "note")
    for _ in 0..<2_000 { try wormhole.signal(identifier: "note") }
    #expect(try wormhole.message(String.self, identifier: "note") == "kept")
  }
}

/// The names in a directory that another type made.
private enum FileSystemNames {
  static func of(_ path: String) throws -> [String] {
    var names: [String] = []
    try FileSystem.forEachName(in: Path(path)) { names.append($0.description) }
    return names
  }
}
