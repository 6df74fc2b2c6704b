import Glibc
import TestSupport
import Testing
import Wormhole

@testable import struct Wormhole.FileEnvelope
@testable import class Wormhole.Queue
@testable import struct Wormhole.QueueRecord

@Suite(.ownThread) struct FileFaultTests {
  @Test("Where the kernel can copy only some ways, the others take over, and holes stay holes", arguments: 0..<4)
  func ways(refused: Int) throws {
    let world = try FileWorld(.disk)
    var bytes = [UInt8](repeating: 0, count: 3 << 20)
    for index in stride(from: 2 << 20, to: 2 << 20 + 100_000, by: 1) { bytes[index] = UInt8(truncatingIfNeeded: index) }
    let path = try world.directory.write(bytes, to: "source")
    let file = try FileDescriptor.open(Path(path), OpenFlags.readWrite)
    // All but what lies behind the second MiB becomes a hole.
    try file.punchHole(at: 0, length: 2 << 20)
    let seen = Lock<[Int]>([])
    try Interception.with({ call in
      switch call {
      case .ficlone: .fail(.notSupported)
      case .copyFileRange where refused == 1: .fail(.crossDevice)
      case .copyFileRange where refused == 2: .short(5000)
      case .lseek where refused == 3: .fail(.invalidArgument)
      default: nil
      }
    }) {
      _ = try world.wormhole.transferFile(at: path, identifier: "files") { progress in
        seen.withLock { $0.append(progress.bytes) }
      }
    }
    let name = try #require(try world.leftovers().first)
    #expect(try world.directory.read("hole/.wormhole/\(name)") == bytes)
    if refused < 2 { #expect(try world.status("hole/.wormhole/\(name)").allocated < 2 << 20) }
    let progress = seen.withLock { $0 }
    #expect(progress == progress.sorted() && progress.last == 3 << 20)
  }

  @Test("A file of the kernel's, whose size is said to be 0, is read to its end") func kernelFile() throws {
    let world = try FileWorld()
    try world.wormhole.transferFile(at: "/proc/self/status", identifier: "files")
    let name = try #require(try world.leftovers().first)
    #expect(String(decoding: try world.directory.read("hole/.wormhole/\(name)"), as: UTF8.self).hasPrefix("Name:"))
  }

  @Test("Whatever system call fails while sending, the file is there exactly if the call returned, and nothing else")
  func faults() throws {
    for call in SystemCall.allCases {
      for number in 1...5 {
        for error in [Errno.inputOutput, .noSpace] {
          let world = try FileWorld()
          let path = try world.source("during")
          let count = Lock(0)
          var isSent = false
          Interception.with({ made in
            guard made == call else { return nil }
            return count.withLock { count in
              count += 1
              return count == number ? .fail(error) : nil
            }
          }) { isSent = (try? world.wormhole.transferFile(at: path, identifier: "files")) != nil }
          #expect(try world.text("source.txt") == "during")
          let outstanding = try world.wormhole.outstandingTransfers().count
          #expect(outstanding == (isSent ? 1 : 0), "\(call) \(number)")
          // What could not be removed, because that failed, is left to who comes next.
          _ = try Wormhole(directory: world.place)
          try world.sweep()
          #expect(try world.leftovers().count == outstanding, "\(call) \(number) \(error)")
        }
      }
    }
  }

  @Test("With no space left the error says so and names the place, and nothing is left behind", arguments: [0, 1])
  func noSpace(piece: Int) throws {
    let world = try FileWorld()
    let path = try world.directory.write([UInt8](repeating: 1, count: 17 << 20), to: "source")
    let count = Lock(0)
    do {
      try Interception.with({ call in
        if call == .ficlone { return .fail(.notSupported) }
        guard call == .copyFileRange else { return nil }
        return count.withLock { count in
          defer { count += 1 }
          return count == piece ? .fail(.noSpace) : nil
        }
      }) { _ = try world.wormhole.transferFile(at: path, identifier: "files") }
      Issue.record("no error")
    } catch let error as WormholeError {
      #expect(error.code == .noSpace)
      #expect(error.path == world.place + "/.wormhole")
      #expect(error.errno == ENOSPC)
    }
    #expect(try world.leftovers().isEmpty)
    #expect(try world.wormhole.outstandingTransfers().isEmpty)
  }

  @Test(
    "A file that becomes shorter while it is copied is told so, and nothing is left behind",
    arguments: [0, 5 << 20, 20 << 20], [true, false])
  func shortened(length: Int, inKernel: Bool) throws {
    let world = try FileWorld()
    let path = try world.directory.write([UInt8](repeating: 1, count: 25 << 20), to: "source")
    let count = Lock(0)
    let shorten: @Sendable (SystemCall) throws -> Fault? = { call in
      if call == .ficlone { return .fail(.notSupported) }
      if call == .copyFileRange, !inKernel { return .fail(.crossDevice) }
      if call == (inKernel ? .copyFileRange : .pwrite),
        count.withLock({
          $0 += 1; return $0 == 2
        })
      {
        #expect(truncate(path, length) == 0)
      }
      return nil
    }
    let error = #expect(throws: WormholeError.self) {
      try interleaving(shorten) { try world.wormhole.transferFile(at: path, identifier: "files") }
    }
    #expect(error?.code == .unreadableFile && error?.path == path && error?.reason.contains("shorter") == true)
    #expect(count.withLock { $0 } >= 2)
    #expect(try world.leftovers().isEmpty)
    #expect(try world.wormhole.outstandingTransfers().isEmpty)
  }

  @Test("A task that is cancelled while its file is copied leaves nothing behind") func cancelledTask() async throws {
    let world = try FileWorld()
    let path = try world.directory.write([UInt8](repeating: 1, count: 17 << 20), to: "source")
    let task = Task {
      do throws(WormholeError) {
        try world.wormhole.transferFile(at: path, identifier: "files") { _ in withUnsafeCurrentTask { $0?.cancel() } }
        return "transferred"
      } catch { return error.code.rawValue }
    }
    #expect(await task.value == "cancelled")
    #expect(try world.leftovers().isEmpty)
    #expect(try world.wormhole.outstandingTransfers().isEmpty)
  }

  @Test("Sweeping removes the files that no record leads to, and never one that is outstanding or set aside")
  func sweeping() async throws {
    let world = try FileWorld()
    let hold = try world.receive("one")
    hold.token.cancel()
    for name in ["aside", "waiting"] {
      try world.wormhole.transferFile(at: try world.source(name), metadata: name, identifier: "files")
    }
    let referred = Set(try world.leftovers())
    for name in ["f-1", "f-2", "f-beef"] { try world.directory.write("x".utf8, to: "hole/.wormhole/\(name)") }
    let locked = try FileDescriptor.open(Path(world.directory.appending("hole/.wormhole/f-2")), OpenFlags.readWrite)
    #expect(try locked.tryLock(.exclusive, at: 0))
    #expect(try world.wormhole.setAsideTransfer(identifier: "files", subscriber: "one"))
    try world.sweep()
    let left = try world.leftovers()
    #expect(left.contains("f-2") && !left.contains("f-1") && !left.contains("f-beef"), "\(left)")
    // The one set aside has another number now, and the one waiting its own.
    #expect(left.count == 3 && !referred.isDisjoint(with: left), "\(left)")
    try locked.unlock(at: 0)
    // Where a record cannot be read that may lead to any of them, all stay.
    let aside = try #require(try world.directory.names(in: "hole/.wormhole").first { $0.hasPrefix("s-") })
    var bytes = try world.directory.read("hole/.wormhole/\(aside)")
    bytes[9] ^= 1
    try world.directory.write(bytes, to: "hole/.wormhole/\(aside)")
    try world.sweep()
    #expect(try world.leftovers() == left)
    bytes[9] ^= 1
    try world.directory.write(bytes, to: "hole/.wormhole/\(aside)")
    try world.sweep()
    #expect(try world.leftovers().count == 2)
    #expect(try world.wormhole.putBackTransfers(identifier: "files", subscriber: "one") == 1)
    let (inbox, _) = try world.receive("one")
    #expect(try await inbox.take(2) == ["source.txt", "source-2.txt"])
    #expect(try world.text("out/source.txt") == "waiting")
    #expect(try world.text("out/source-2.txt") == "aside")
  }

  @Test("A file that is recorded while a sweeper looks stays") func sweepingInBetween() throws {
    let world = try FileWorld()
    try world.directory.write("x".utf8, to: "hole/.wormhole/f-7")
    let queue = Queue(
      path: Path(world.place + "/files.queue"), hidden: Path(world.place + "/.wormhole"), mode: 0o600)
    let isRecorded = Lock(false)
    try Interception.with({ call in
      // The sweeper has read all records and is about to lock what none leads to.
      guard call == .fcntlLock,
        !isRecorded.withLock({ isRecorded in
          defer { isRecorded = true }
          return isRecorded
        })
      else { return nil }
      let payload = FileEnvelope(number: 7, size: 1, name: [65]).sealing(nil)
      _ = try? queue.append(
        [QueueRecord(kind: .file, payload: payload, sent: 0, sender: 1, origin: "test")], limit: 1 << 20)
      return nil
    }) { try world.sweep() }
    #expect(isRecorded.withLock { $0 })
    #expect(try world.leftovers() == ["f-7"])
    #expect(try world.wormhole.outstandingTransfers().map(\.isFile) == [true])
  }

  @Test("Where the file system has no links, files are sent, set aside and put back all the same") func noLinks()
    async throws
  {
    let world = try FileWorld()
    let path = try world.source("whole")
    try Interception.with({ $0 == .linkat ? .fail(.notPermitted) : nil }) {
      try world.wormhole.transferFile(at: path, identifier: "files")
      #expect(try world.leftovers().count == 1)
      #expect(try world.wormhole.setAsideTransfer(identifier: "files"))
      #expect(try world.leftovers().count == 1)
      #expect(try world.wormhole.putBackTransfers(identifier: "files") == 1)
      try world.wormhole.transferFile(at: path, identifier: "files", passing: .moving)
    }
    #expect(try world.leftovers().count == 2)
    let (inbox, _) = try world.receive()
    #expect(try await inbox.take(2) == ["source.txt", "source-2.txt"])
    #expect(try world.text("out/source.txt") == "whole")
    try eventually("nothing in transit") { try world.leftovers().isEmpty }
  }

  @Test(
    "A file that belongs to another user is copied, so that its receiver owns what it gets", .enabled(if: getuid() == 0)
  )
  func owner() async throws {
    let world = try FileWorld()
    let path = try world.source("theirs")
    #expect(chown(path, 4321, 4321) == 0)
    try world.wormhole.transferFile(at: path, identifier: "files", passing: .moving)
    let name = try #require(try world.leftovers().first)
    #expect(try world.status("hole/.wormhole/\(name)").owner == 0)
    #expect(chown(world.directory.appending("hole/.wormhole/\(name)"), 4321, 4321) == 0)
    let (inbox, _) = try world.receive()
    #expect(try await inbox.next() == "source.txt")
    #expect(try world.status("out/source.txt").owner == 0)
  }

  @Test("A file in transit that somebody removed is told, and what comes behind it comes") func gone() async throws {
    let world = try FileWorld()
    try world.wormhole.transferFile(at: try world.source("lost"), identifier: "files")
    try world.wormhole.transferFile(at: try world.source("next", "next.txt"), identifier: "files")
    let first = try #require(try world.leftovers().min { try world.isOlder($0, $1) })
    try FileSystem.remove(Path(world.directory.appending("hole/.wormhole/\(first)")))
    let (inbox, _) = try world.receive()
    #expect(try await Set(inbox.take(2)) == ["error unreadableFile", "next.txt"])
  }
}

extension FileWorld {
  /// Whether one file in transit is older than another.
  fileprivate func isOlder(_ a: String, _ b: String) throws -> Bool {
    try status("hole/.wormhole/\(a)").inode < status("hole/.wormhole/\(b)").inode
  }
}
