import Dispatch
import Glibc
import TestSupport
import Testing
import Wormhole

/// Several writers and readers at once, and what each call costs.
@Suite("Sharing an archive", .ownThread)
struct SharingTests {
  private let directory: TemporaryDirectory
  private let archives: Archives

  init() throws {
    directory = try TemporaryDirectory()
    archives = try Archives(directory: directory.path, options: WormholeOptions(origin: "tests"))
  }

  @Test("Readers beside writers see whole messages, none twice, none out of order, and the newest in the end")
  func readersAndWriters() async throws {
    let path = directory.path
    let perWriter = 3000
    let total = UInt64(2 * perWriter)
    _ = try archives.append(.text("0"), to: "n")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask {
          try await blocking {
            let archives = try Archives(directory: path, options: WormholeOptions())
            for index in 0..<perWriter {
              // Also sizes for which the ring must grow: readers then still hold the old file.
              let size = index % 500 == 499 ? 9000 + index : index % 700
              try archives.append(.text(String(repeating: "\(writer)", count: size)), to: "n")
            }
          }
        }
      }
      for every in [true, false, true] {
        group.addTask { try await blocking { try Self.readToTheEnd(path, every: every, last: total + 1) } }
      }
      try await group.waitForAll()
    }
    #expect(try archives.newest("n")?.record.sequence == total + 1)
  }

  private static func readToTheEnd(_ path: String, every: Bool, last: UInt64) throws {
    let archives = try Archives(directory: path, options: WormholeOptions())
    var position: Position?
    var given: UInt64 = 0
    var newest: UInt64 = 0
    try eventually("the last message") {
      switch archives.look(at: "n", after: position, every: every) {
      case .records(let records, let missed, let now):
        for record in records {
          #expect(record.sequence > newest)
          newest = record.sequence
          let bytes = record.payload?.bytes ?? []
          #expect(bytes.allSatisfy { $0 == bytes[0] })
        }
        given += UInt64(records.count) + UInt64(missed)
        #expect(now.sequence == newest && now.identity == position?.identity ?? now.identity)
        if position == nil { given = newest }
        #expect(given == newest)
        position = now
      case .unchanged: break
      case .absent: Issue.record("absent")
      case .unreadable(let error, _): Issue.record(error)
      }
      return newest == last
    }
  }

  @Test("A value once read is never followed by an older one")
  func monotonic() async throws {
    let path = directory.path
    _ = try archives.append(.text("0"), to: "n")
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await blocking {
          let archives = try Archives(directory: path, options: WormholeOptions())
          for index in 1...2000 { try archives.append(.text("\(index)"), to: "n") }
        }
      }
      group.addTask {
        try await blocking {
          let archives = try Archives(directory: path, options: WormholeOptions())
          var last: UInt64 = 0
          try eventually("the last value") {
            let record = try #require(try archives.newest("n")).record
            #expect(record.sequence >= last && record.payload?.bytes == Array("\(record.sequence - 1)".utf8))
            last = record.sequence
            return last == 2001
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("Two first messages at once are both kept")
  func firstMessages() throws {
    for round in 0..<50 {
      DispatchQueue.concurrentPerform(iterations: 4) { index in
        do { try archives.append(.text("\(index)"), to: "n\(round)") } catch { Issue.record(error) }
      }
      #expect(try archives.newest("n\(round)")?.record.sequence == 4 && archives.heldCount("n\(round)") == 4)
    }
  }

  @Test("Sends and clears side by side end in errors of nobody")
  func clearing() throws {
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      do {
        for round in 0..<200 {
          if index == 0 { try archives.clear("n") } else { try archives.append(.text("\(round)"), to: "n") }
        }
      } catch { Issue.record(error) }
    }
    try archives.clear("n")
    #expect(try directory.names() == [".wormhole"])
  }

  @Test("A lock that another program keeps is waited for no longer than agreed, and readers not at all")
  func keptLock() throws {
    let archives = try Archives(directory: directory.path, options: WormholeOptions(), patience: 20_000_000)
    try archives.append(.text("x"), to: "n")
    let holder = try FileDescriptor.open(Path(directory.appending("n.archive")), OpenFlags.readWrite)
    #expect(try holder.tryLock(.exclusive, at: 0))
    expectError(.lockTimedOut) { () throws(WormholeError) in try archives.append(.text("y"), to: "n") }
    expectError(.lockTimedOut) { () throws(WormholeError) in try archives.clear("n") }
    #expect(try archives.newest("n")?.record.sequence == 1)
    try holder.unlock(at: 0)
    #expect(try archives.append(.text("y"), to: "n")?.sequence == 2)
  }

  @Test("A directory that was removed comes into being again with the next send")
  func removedDirectory() throws {
    let inner = try Archives(directory: directory.appending("a/b"), options: WormholeOptions())
    try inner.append(.text("x"), to: "n")
    try inner.clear("n")
    for name in ["a/b/.wormhole", "a/b", "a"] { #expect(rmdir(directory.appending(name)) == 0) }
    guard case .absent = inner.look(at: "n", after: nil, every: false) else { Issue.record("not absent"); return }
    #expect(try inner.identifiers().isEmpty && inner.newest("n") == nil)
    try inner.clear("n")
    #expect(try inner.append(.text("y"), to: "n")?.sequence == 1)
    #expect(try inner.newest("n")?.record.payload?.bytes == Array("y".utf8))
  }

  @Test("What killed programs have left is swept, what is in use is not, nor what is somebody else's")
  func sweeping() throws {
    try directory.write("left".utf8, to: ".wormhole/t-1")
    try directory.write("used".utf8, to: ".wormhole/t-2")
    try directory.write("other".utf8, to: ".wormhole/other")
    #expect(mkfifo(directory.appending(".wormhole/t-pipe"), 0o600) == 0)
    let user = try FileDescriptor.open(Path(directory.appending(".wormhole/t-2")), OpenFlags.readWrite)
    #expect(try user.tryLock(.exclusive, at: 0))
    _ = try Archives(directory: directory.path, options: WormholeOptions())
    #expect(!exists("t-1") && exists("t-2") && exists("other") && exists("t-pipe"))
    try user.unlock(at: 0)
    try archives.append(.text("first"), to: "n")
    #expect(!exists("t-2") && exists("other"))
  }

  @Test("A send in place is eight system calls, a read four")
  func callCounts() throws {
    try archives.append(.text("x"), to: "n")
    let made = Lock<[SystemCall]>([])
    let note: Interception.Decision = { call in
      // The clock is read without a system call.
      if call != .clockGettime { made.withLock { $0.append(call) } }
      return nil
    }
    // The closing of a descriptor that goes out of scope is not among those that a test can make fail.
    _ = try Interception.with(note) { try archives.append(.text("y"), to: "n") }
    #expect(made.withLock { $0 } == [.open, .fcntlLock, .fstat, .pread, .pwritev, .pwrite, .fcntlLock])
    made.withLock { $0 = [] }
    _ = try Interception.with(note) { try archives.newest("n") }
    #expect(made.withLock { $0 } == [.open, .pread, .pread])
    made.withLock { $0 = [] }
    _ = try Interception.with(note) { try archives.append(.text("z", .durable), to: "n") }
    #expect(made.withLock { $0 }.suffix(5) == [.fdatasync, .open, .fsync, .pwrite, .fcntlLock])
  }

  @Test("A message of the limit is sent, a larger one is refused by its size and the limit")
  func limit() throws {
    let archives = try Archives(directory: directory.path, options: WormholeOptions(messageSizeLimit: 1000))
    try archives.append(.text(String(repeating: "x", count: 1000)), to: "n")
    let draft = Draft.text(String(repeating: "x", count: 1001))
    let error = #expect(throws: WormholeError.self) { try archives.append(draft, to: "n") }
    #expect(error?.code == .messageTooLarge && error?.reason.contains("1001") == true)
    #expect(try archives.newest("n")?.record.payload?.bytes.count == 1000)
  }

  @Test("What cannot be cleared is told so, and the stored message stays", arguments: [SystemCall.unlinkat, .pwrite])
  func unclearable(call: SystemCall) throws {
    try archives.append(.text("kept"), to: "n")
    let deny: Interception.Decision = { $0 == call ? .fail(.accessDenied) : nil }
    expectError(.notPermitted) { () throws(WormholeError) in
      try Interception.with(deny) { () throws(WormholeError) in try archives.clear("n") }
    }
    #expect(try archives.newest("n")?.record.payload?.bytes == Array("kept".utf8))
    // A mark that was set in vain keeps nobody from anything, but costs a look at the name, which is told when it fails.
    if call == .unlinkat {
      let blind: Interception.Decision = { $0 == .fstatat ? .fail(.accessDenied) : nil }
      expectError(.notPermitted) { () throws(WormholeError) in
        _ = try Interception.with(blind) { () throws(WormholeError) in try archives.append(.text("x"), to: "n") }
      }
    }
    #expect(try archives.append(.text("next"), to: "n")?.sequence == 2)
    try archives.clear("n")
    #expect(try archives.newest("n") == nil)
  }

  private func exists(_ name: String) -> Bool {
    var status = stat()
    return lstat(directory.appending(".wormhole/\(name)"), &status) == 0
  }
}
