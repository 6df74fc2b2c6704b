import Glibc
import TestSupport
import Testing
import Wormhole

/// What others do to an archive between two system calls of one operation.
@Suite("Overtaken operations", .ownThread)
struct OvertakenTests {
  private let directory: TemporaryDirectory
  private let archives: Archives

  init() throws {
    directory = try TemporaryDirectory()
    archives = try Archives(directory: directory.path, options: WormholeOptions(origin: "tests"))
  }

  @Test(
    "A send that waits for the lock of a file which then loses its name goes to the one that stands there, links or not",
    arguments: [0, 1, 2], ["cleared", "replaced"])
  func overtaken(links: Int, event: String) throws {
    try archives.append(.text("old"), to: "n")
    try archives.append(.text("other"), to: "other")
    let path = directory.appending("n.archive")
    for number in 0..<links { #expect(link(path, directory.appending("link\(number)")) == 0) }
    let calls = Lock(0)
    let overtake: Interception.Decision = { [directory] call in
      guard call == .fcntlLock,
        calls.withLock({
          $0 += 1; return $0 == 1
        })
      else { return nil }
      if event == "cleared" { unlink(path) } else { rename(directory.appending("other.archive"), path) }
      return nil
    }
    _ = try Interception.with(overtake) { try archives.append(.text("new"), to: "n") }
    #expect(calls.withLock { $0 } > 1)
    let newest = try #require(try archives.newest("n"))
    #expect(newest.record.payload?.bytes == Array("new".utf8))
    #expect(newest.record.sequence == (event == "cleared" ? 1 : 2))
  }

  @Test("A reader whose record is overwritten between its two reads gives the newest one, and no error")
  func overwritten() throws {
    let other = try Archives(directory: directory.path, options: WormholeOptions(origin: "other"))
    for way in ["newest", "look", "every"] {
      try archives.append(.text("old"), to: way)
      let reads = Lock(0)
      let isOverwriting: @Sendable (SystemCall) throws -> Fault? = { call in
        guard call == .pread,
          reads.withLock({
            $0 += 1; return $0 == 2
          })
        else { return nil }
        for number in 1...300 { try other.append(.text(String(repeating: "\(number) ", count: 40)), to: way) }
        return nil
      }
      var sequences: [UInt64] = []
      if way == "newest" {
        sequences = [try interleaving(isOverwriting) { try archives.newest(way)?.record.sequence ?? 0 }]
      } else {
        let look = try interleaving(isOverwriting) { archives.look(at: way, after: nil, every: way == "every") }
        if case .records(let records, _, _) = look { sequences = records.map(\.sequence) }
      }
      #expect(sequences.last == 301, "\(way)")
      #expect(reads.withLock { $0 } >= 4)
    }
  }

  @Test("A foreign file that is longer at every look is told as being written, and read when it is whole")
  func growing() throws {
    let path = try directory.write(Array(repeating: UInt8(ascii: "x"), count: 2000), to: "n.archive")
    let isWritten: @Sendable (SystemCall) throws -> Fault? = { call in
      guard call == .pread else { return nil }
      let file = open(path, O_WRONLY | O_APPEND)
      defer { close(file) }
      #expect(write(file, "y", 1) == 1)
      return nil
    }
    expectError(.inputOutput) { () throws(WormholeError) in
      do { _ = try interleaving(isWritten) { try archives.newest("n") } } catch let error as WormholeError {
        throw error
      } catch { Issue.record(error) }
    }
    #expect(try archives.newest("n")?.record.payload?.bytes.count ?? 0 > 2000)
  }

  @Test(
    "The folder for what is being made comes into being again when it is removed",
    arguments: ["first", "large", "foreign"])
  func removedFolder(way: String) throws {
    if way == "large" { try archives.append(.text("small"), to: way) }
    if way == "foreign" { try directory.write("foreign".utf8, to: "\(way).archive") }
    try FileSystem.removeDirectory(archives.hidden)
    let text = String(repeating: "x", count: way == "large" ? 100_000 : 1)
    try archives.append(.text(text), to: way)
    #expect(try archives.newest(way)?.record.payload?.bytes == Array(text.utf8))
    #expect(try directory.names().contains(".wormhole"))
  }
}
