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
    "A send and a clear that wait for the lock of a file which loses its name go on with what stands there then",
    arguments: [0, 1, 2], ["cleared", "replaced", "repaired"])
  func overtaken(links: Int, event: String) throws {
    let other = try Archives(directory: directory.path, options: WormholeOptions(origin: "other"))
    for way in ["send", "clear"] {
      try archives.append(.text("old"), to: way)
      let path = directory.appending("\(way).archive")
      for number in 0..<links { #expect(link(path, directory.appending("\(way)\(event)\(number)")) == 0) }
      if event == "repaired" {
        var bytes = try directory.read("\(way).archive")
        for index in ArchiveLayout.commitOffset..<ArchiveLayout.commitOffset + 40 { bytes[index] ^= 0x5A }
        try directory.write(bytes, to: "\(way).archive")
      }
      let calls = Lock(0)
      let overtake: @Sendable (SystemCall) throws -> Fault? = { call in
        guard call == .fcntlLock,
          calls.withLock({
            $0 += 1; return $0 == 1
          })
        else { return nil }
        let large = String(repeating: "x", count: 100_000)
        if event == "cleared" { try other.clear(way) } else { try other.append(.text(large), to: way) }
        return nil
      }
      try interleaving(overtake) {
        if way == "send" { try archives.append(.text("new"), to: way) } else { try archives.clear(way) }
      }
      let newest = try archives.newest(way)?.record
      #expect(calls.withLock { $0 } > 1 || way == "clear" && event == "cleared")
      if way == "clear" {
        #expect(newest?.sequence == nil)
      } else {
        #expect(newest?.sequence == (event == "cleared" ? 1 : 3))
        #expect(newest?.payload?.bytes == Array("new".utf8))
      }
      for number in 0..<links { #expect(unlink(directory.appending("\(way)\(event)\(number)")) == 0) }
      try archives.clear(way)
    }
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
