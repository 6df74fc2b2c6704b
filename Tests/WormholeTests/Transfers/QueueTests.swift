import TestSupport
import Testing
import Wormhole

@testable import struct Wormhole.QueueCursor
@testable import struct Wormhole.QueuePage
@testable import struct Wormhole.QueueReceiver

@Suite(.ownThread) struct QueueTests {
  @Test("Items come in the order they were sent, once each") func order() throws {
    let world = try QueueWorld()
    #expect(try world.send("a", "b") == [1, 2])
    #expect(try world.send("c") == [3])
    var receiver = world.receiver()
    #expect(try receiver.drain() == ["a", "b", "c"])
    #expect(try receiver.nextText() == nil)
    try world.send("d")
    #expect(try receiver.drain() == ["d"])
  }

  @Test("What a receiver had in hand when it ended comes again and is marked") func redelivery() throws {
    let world = try QueueWorld()
    try world.send("a", "b", "c")
    var first: QueueReceiver? = world.receiver()
    #expect(try first?.nextText() == "a")
    first?.finish()
    #expect(try first?.nextText() == "b")
    first?.close()
    first = nil
    var second = world.receiver()
    #expect(try second.drain() == ["b again", "c"])
  }

  @Test("A subscriber has one receiver at a time; another goes on where it ended") func standby() throws {
    let world = try QueueWorld()
    try world.send("a", "b")
    var first: QueueReceiver? = world.receiver()
    #expect(try first?.nextText() == "a")
    var second = world.receiver()
    guard case .standby = try second.take() else { Issue.record("two receivers at one place"); return }
    first?.finish()
    first?.close()
    first = nil
    #expect(try second.drain() == ["b"])
  }

  @Test("A message of the largest size is transferred where nothing is outstanding")
  func largestMessage() async throws {
    let directory = try TemporaryDirectory(.memory)
    let options = WormholeOptions(messageSizeLimit: 1000, queueLimit: 1000)
    let wormhole = try Wormhole(directory: directory.path, options: options)
    let largest = Payload(bytes: [UInt8](repeating: 1, count: 1000), codec: .bytes)
    let first = try wormhole.transfer(largest, identifier: "n")
    do {
      try wormhole.transfer(largest, identifier: "n")
      Issue.record("a second one")
    } catch { #expect(error.code == .queueFull) }
    let taken = Inbox<Int>()
    try wormhole.receiveTransfers(Payload.self, identifier: "n") { taken.put($0.value.bytes.count) }
    #expect(try await taken.next() == 1000)
    #expect(try await first.waitUntilDelivered())
    try wormhole.transfer(largest, identifier: "n")
  }

  @Test("Named subscribers get everything each; a new one begins with the oldest outstanding item")
  func subscribers() throws {
    let world = try QueueWorld()
    try world.send("a", "b")
    var one = world.receiver("one")
    #expect(try one.drain() == ["a", "b"])
    var two = world.receiver("two")
    #expect(try two.drain() == [])
    try world.send("c")
    #expect(try two.drain() == ["c"])
    var three = world.receiver("three")
    #expect(try three.drain() == ["c"])
    #expect(try one.drain() == ["c"])
  }

  @Test("A queue whose items are not taken fills to its limit, loses nothing, and goes on when they are") func limit()
    throws
  {
    let world = try QueueWorld()
    var sent = 0
    do {
      while true {
        try world.send("item \(sent)", limit: 100_000)
        sent += 1
      }
    } catch let error as WormholeError {
      #expect(error.code == .queueFull)
    }
    #expect(sent > 1_000)
    var receiver = world.receiver()
    #expect(try receiver.drain() == (0..<sent).map { "item \($0)" })
    try world.send("more", limit: 100_000)
    #expect(try receiver.drain() == ["more"])
  }

  @Test("The file stays small however much goes through, with a slow subscriber too") func space() throws {
    let world = try QueueWorld()
    var fast = world.receiver("fast")
    var slow = world.receiver("slow")
    #expect(try fast.nextText() == nil)
    #expect(try slow.nextText() == nil)
    let bytes = [UInt8](repeating: 65, count: 1000)
    var allocated = 0
    for round in 0..<200 {
      _ = try world.queue.append((0..<100).map { _ in QueueWorld.record(bytes) }, limit: 64 << 20)
      #expect(try fast.drain().count == 100)
      // One round behind, so that the queue is never empty.
      for _ in 0..<(round == 0 ? 50 : 100) {
        #expect(try slow.nextText() != nil)
        slow.finish()
      }
      allocated = max(allocated, try world.size().allocated)
    }
    #expect(allocated < 4 << 20)
    #expect(try slow.drain().count == 50)
    #expect(try world.size().length <= 4096)
  }
}

extension QueueTests {
  /// Whether all that the file's commit block leads to at this moment is whole.
  private func isWhole(_ world: QueueWorld) throws -> Bool {
    let file = try FileDescriptor.open(Path(world.directory.appending("items.queue")), OpenFlags.readOnly)
    var page = QueuePage()
    guard try page.load(from: file) else { return false }
    var cursor = QueueCursor(place: page.commit.first, commit: page.commit, limit: 1 << 20)
    while true {
      switch try cursor.next(file) {
      case .record: continue
      case .damaged: return false
      case .end: return true
      }
    }
  }

  @Test("While space is given back, the file leads to whole items at every moment", arguments: [false, true])
  func givingBack(isEmptied: Bool) throws {
    let world = try QueueWorld(.disk)
    let bytes = [UInt8](repeating: 65, count: 500_000)
    _ = try world.queue.append((0..<4).map { _ in QueueWorld.record(bytes) }, limit: 64 << 20)
    var receiver = world.receiver()
    for _ in 0..<3 {
      #expect(try receiver.nextText() != nil)
      receiver.finish()
    }
    #expect(try receiver.nextText() != nil)
    let given = Lock<Set<SystemCall>>([])
    try interleaving({ call in
      let isWhole = try isWhole(world)
      #expect(isWhole, "before \(call)")
      given.withLock { _ = $0.insert(call) }
      return nil
    }) {
      if isEmptied {
        receiver.finish()
        #expect(try receiver.nextText() == nil)
      }
      try world.send("next")
    }
    #expect(given.withLock { $0.contains(isEmptied ? .ftruncate : .punchHole) })
  }

  @Test("Where two make a queue at once, one of them is first and both items are there") func madeAtOnce() throws {
    let world = try QueueWorld()
    let isMade = Lock(false)
    try interleaving({ call in
      guard call == .renameat2 else { return nil }
      isMade.withLock { $0 = true }
      _ = try world.another().append([QueueWorld.record(Array("first".utf8))], limit: 1 << 20)
      return nil
    }) { try world.send("second") }
    #expect(isMade.withLock { $0 })
    var receiver = world.receiver()
    #expect(try receiver.drain() == ["first", "second"])
  }
}
