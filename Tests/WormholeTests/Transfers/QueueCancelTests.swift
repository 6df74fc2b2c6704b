import Dispatch
import TestSupport
import Testing
import Wormhole

@testable import struct Wormhole.QueueItem
@testable import struct Wormhole.QueueReceiver

@Suite(.ownThread) struct QueueCancelTests {
  /// Sends texts and gives what they became.
  private func send(_ world: QueueWorld, _ texts: String...) throws -> [QueueItem] {
    try world.queue.append(texts.map { QueueWorld.record(Array($0.utf8)) }, limit: 1 << 20)
  }

  @Test("An item that is cancelled before it is taken is passed over") func before() throws {
    let world = try QueueWorld()
    let items = try send(world, "a", "b", "c")
    var receiver = world.receiver()
    #expect(try receiver.nextText() == "a")
    // Behind what the receiver has read ahead: the generation tells it to look again.
    #expect(try world.another().cancel(items[1]))
    receiver.finish()
    #expect(try receiver.drain() == ["c"])
  }

  @Test("An item in hand is not cancelled and not lost") func inHand() throws {
    let world = try QueueWorld()
    let items = try send(world, "a", "b")
    var receiver = world.receiver()
    #expect(try receiver.nextText() == "a")
    #expect(try !world.another().cancel(items[0]))
    receiver.finish()
    #expect(try receiver.nextText() == "b")
    #expect(try world.queue.fate(of: items[0]) == .delivered)
    #expect(try world.queue.fate(of: items[1]) == .outstanding)
  }

  @Test("Where cancelling and taking meet, an item is cancelled or delivered, never both and never neither")
  func meeting() async throws {
    let world = try QueueWorld()
    let items = try world.queue.append(
      (0..<2000).map { QueueWorld.record(Array("\($0)".utf8)) }, limit: 1 << 20)
    async let cancelled = blocking {
      let queue = world.another()
      var cancelled: Set<String> = []
      for (number, item) in items.enumerated() where number % 3 == 0 {
        if try queue.cancel(item) { cancelled.insert("\(number)") }
      }
      return cancelled
    }
    async let taken = blocking {
      var receiver = world.receiver()
      return try receiver.drain()
    }
    let (gone, come) = try await (cancelled, taken)
    #expect(gone.isDisjoint(with: come))
    #expect(come.count + gone.count == items.count)
    #expect(come == (0..<items.count).map(String.init).filter { !gone.contains($0) })
  }

  @Test("Whenever a receiver comes to an item that is just being cancelled, it is cancelled or delivered")
  func meetingAtEachCall() throws {
    for index in 0..<100 {
      let world = try QueueWorld()
      let items = try send(world, "a", "b", "c")
      let receiver = Lock(world.receiver())
      #expect(try receiver.withLock { try $0.nextText() } == "a")
      receiver.withLock { $0.finish() }
      let (count, taken, waits) = (Lock(0), Inbox<String?>(), Inbox<Void>())
      let isCancelled = try interleaving({ _ in
        let isNow = count.withLock { count in
          count += 1
          return count == index + 1
        }
        guard isNow else { return nil }
        DispatchQueue(label: "receiver").async {
          let text = Interception.with({ call in
            // It has seen the mark, and waits for the lock of the one who cancels.
            if call == .fcntlLock { waits.put(()) }
            return nil
          }) { receiver.withLock { try? $0.nextText() } }
          taken.put(text)
          waits.put(())
        }
        try waits.next()
        return nil
      }) { try world.another().cancel(items[1]) }
      if count.withLock({ $0 }) <= index { return #expect(index > 5) }
      #expect(try taken.next() == (isCancelled ? "c" : "b"), "at call \(index)")
    }
    Issue.record("cancelling takes more than a hundred calls")
  }

  @Test("A queue that was removed and made again does not mistake old items for new ones") func lost() throws {
    let world = try QueueWorld()
    let items = try send(world, "a")
    try FileSystem.remove(Path(world.directory.appending("items.queue")))
    _ = try send(world, "b")
    #expect(try world.queue.fate(of: items[0]) == .lost)
    #expect(try !world.queue.cancel(items[0]))
    // Else the file that an item of the old queue leads to, which somebody may have put away with it, would be taken.
    #expect(try !world.queue.isLast(0, of: items[0]))
    var receiver = world.receiver()
    #expect(try receiver.drain() == ["b"])
  }
}
