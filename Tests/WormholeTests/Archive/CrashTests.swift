import Glibc
import TestSupport
import Testing
import Wormhole

/// Programs that end at any system call, or are killed at any moment.
@Suite("Crashes", .ownThread)
struct CrashTests {
  /// What an operation may find.
  enum Setting: CaseIterable, Sendable { case absent, archive, foreign, damaged }

  @Test(
    "A program that ends at any system call leaves the old value or the new one, and nothing in anybody's way",
    arguments: Setting.allCases, ["small", "durable", "large", "signal", "clear"])
  func everyCall(setting: Setting, operation: String) throws {
    var call = 0
    var outcome = "crashed"
    while outcome != "done\n", call < 100 {
      let directory = try TemporaryDirectory(.memory)
      let before = try prepare(setting, directory)
      let end = try HelperProcess.run("wormhole-test-helper", ["archive-crash", directory.path, operation, "\(call)"])
      outcome = end.text
      #expect(outcome == "done\n" || end.exit == .code(9), "\(end.errorText)")
      try check(directory, setting, operation, before, "call \(call) of \(operation)")
      call += 1
    }
    #expect(call > 0 && call < 100)
  }

  @Test("A program that ends in the middle of writing a record leaves the old value", arguments: ["small", "large"])
  func halfRecord(operation: String) throws {
    var call = 0
    var outcome = "crashed"
    while outcome != "done\n", call < 100 {
      let directory = try TemporaryDirectory(.memory)
      let before = try prepare(.archive, directory)
      // The commit block is not among what is cut: 88 bytes of one page are copied at once.
      let end = try HelperProcess.run(
        "wormhole-test-helper", ["archive-crash", directory.path, operation, "\(call)", "100"])
      outcome = end.text
      try check(directory, .archive, operation, before, "call \(call) of \(operation), cut short", isShort: true)
      call += 1
    }
    #expect(call > 0 && call < 100)
  }

  @Test("A killed sender loses nothing that it was told is sent, and leaves nothing", arguments: [40, 10_240])
  func killed(size: Int) throws {
    let directory = try TemporaryDirectory()
    let archives = try Archives(directory: directory.path, options: WormholeOptions())
    var last: UInt64 = 0
    for round in 0..<40 {
      let sender = try HelperProcess("wormhole-test-helper", ["archive-send", directory.path, "\(size)"])
      for _ in 0...(round % 7) { last = try #require(UInt64(try sender.nextLine())) }
      #expect(kill(sender.processIdentifier, SIGKILL) == 0)
      let end = try sender.waitUntilExit()
      #expect(end.exit == .signal(SIGKILL))
      last = end.text.split(separator: "\n").compactMap { UInt64($0) }.last ?? last
      let newest = try #require(try archives.newest("n"))
      #expect(newest.record.sequence >= last)
      let bytes = newest.record.payload?.bytes ?? []
      #expect(bytes.count == size && bytes.allSatisfy { $0 == bytes[0] })
      last = newest.record.sequence
    }
    _ = try archives.append(.text("after"), to: "n")
    #expect(try archives.newest("n")?.record.sequence == last + 1)
    _ = try Archives(directory: directory.path, options: WormholeOptions())
    #expect(try directory.names() == [".wormhole", "n.archive"])
    #expect(try hiddenNames(directory).allSatisfy { !$0.hasPrefix("t-") })
  }

  @Test("Updates of several programs are never lost to each other")
  func increments() throws {
    let directory = try TemporaryDirectory()
    let helpers = try (0..<5).map { _ in
      try HelperProcess("wormhole-test-helper", ["archive-increment", directory.path, "100"])
    }
    for helper in helpers {
      let end = try helper.waitUntilExit()
      #expect(end.exit == .code(0), "\(end.text)")
    }
    let archives = try Archives(directory: directory.path, options: WormholeOptions())
    #expect(try archives.newest("n")?.record.payload?.bytes == Array("500".utf8))
  }

  /// Puts the mailbox into a state and gives the value that is read there.
  private func prepare(_ setting: Setting, _ directory: TemporaryDirectory) throws -> [UInt8]? {
    let archives = try Archives(directory: directory.path, options: WormholeOptions())
    switch setting {
    case .absent: return nil
    case .foreign: try directory.write("foreign".utf8, to: "n.archive")
    case .archive, .damaged:
      try archives.append(.text("safe", .durable), to: "n")
      try archives.append(.text("old"), to: "n")
      guard setting == .damaged else { break }
      var bytes = try directory.read("n.archive")
      bytes[520] ^= 1
      try directory.write(bytes, to: "n.archive")
      return nil
    }
    return try archives.newest("n")?.record.payload?.bytes
  }

  private func check(
    _ directory: TemporaryDirectory, _ setting: Setting, _ operation: String, _ before: [UInt8]?, _ place: String,
    isShort: Bool = false
  ) throws {
    let archives = try Archives(directory: directory.path, options: WormholeOptions())
    let sent = [UInt8](repeating: UInt8(ascii: "n"), count: operation == "large" ? 30_000 : 10)
    var after: [UInt8]?
    do throws(WormholeError) {
      after = try archives.newest("n")?.record.payload?.bytes
    } catch {
      #expect(setting == .damaged && error.code == .damagedArchive, "\(place): \(error)")
    }
    let new =
      operation == "signal" ? (setting == .damaged ? Array("old".utf8) : before) : operation == "clear" ? nil : sent
    let isReplacedBySignal = setting == .foreign && operation == "signal" && after == nil
    #expect(after == before || after == new || isReplacedBySignal, "\(place): \(after ?? [])")
    let names = try hiddenNames(directory)
    #expect(names.isEmpty || names == ["replace"], "\(place): \(names)")
    try archives.append(.text("next"), to: "n")
    #expect(try archives.newest("n")?.record.payload?.bytes == Array("next".utf8), "\(place)")
  }

  private func hiddenNames(_ directory: TemporaryDirectory) throws -> [String] {
    var names: [String] = []
    try FileSystem.forEachName(in: Path(directory.appending(".wormhole"))) { names.append("\($0)") }
    return names
  }
}
