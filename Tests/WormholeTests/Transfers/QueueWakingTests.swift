import TestSupport
import Testing
import Wormhole

@testable import enum Wormhole.ItemFate
@testable import class Wormhole.Queue
@testable import enum Wormhole.QueueLayout
@testable import struct Wormhole.QueueReceiver

/// A sender and a receiver that meet at every system call of the other.
@Suite(.ownThread) struct QueueWakingTests {
  /// Runs `body`, and `meanwhile` before its system call number `index`; false when it made fewer calls.
  private static func run(
    _ body: () throws -> Void, at index: Int, meanwhile: @escaping @Sendable () throws -> Void
  ) throws -> Bool {
    let count = Lock(0)
    let problem = Lock<(any Error)?>(nil)
    let decision: Interception.Decision = { _ in
      let isNow = count.withLock { count in
        count += 1
        return count == index + 1
      }
      // The calls of `meanwhile` come here too; they count for nothing more.
      if isNow { do { try meanwhile() } catch { problem.withLock { $0 = error } } }
      return nil
    }
    try Interception.with(decision) { () throws -> Void in try body() }
    if let problem = problem.withLock({ $0 }) { throw problem }
    return count.withLock { $0 } > index
  }

  /// Whether the receiver at the first place has said that it sleeps, and nobody has rung since.
  private static func isSleeping(_ world: QueueWorld) throws -> Bool {
    try world.directory.read("items.queue")[QueueLayout.waitingFlags] != 0
  }

  @Test("Whenever an item comes while a receiver finds nothing, the receiver finds it or is rung for") func sending()
    throws
  {
    for index in 0..<100 {
      let world = try QueueWorld()
      var receiver = world.receiver()
      try world.send("first")
      #expect(try receiver.drain() == ["first"])
      var found: String?
      let isReached = try Self.run({ found = try receiver.nextText() }, at: index) { try world.send("second") }
      if !isReached { return #expect(index > 2) }
      let isSleeping = try Self.isSleeping(world)
      #expect(found == "second" || !isSleeping, "at call \(index)")
    }
    Issue.record("a look takes more than a hundred calls")
  }

  @Test("Whenever a receiver finds nothing while an item is sent, it is rung for") func receiving() throws {
    for index in 0..<100 {
      let world = try QueueWorld()
      let receiver = Lock(world.receiver())
      try world.send("first")
      #expect(try receiver.withLock { try $0.drain() } == ["first"])
      let found = Lock<String?>(nil)
      let isReached = try Self.run({ try world.send("second") }, at: index) {
        let text = try receiver.withLock { try $0.nextText() }
        found.withLock { $0 = text }
      }
      if !isReached { return #expect(index > 2) }
      let isSleeping = try Self.isSleeping(world)
      #expect(found.withLock { $0 } == "second" || !isSleeping, "at call \(index)")
    }
    Issue.record("a send takes more than a hundred calls")
  }

  @Test("Whenever an item is taken whose sender is about to await that, the sender sees it or is rung for")
  func awaiting() throws {
    for index in 0..<100 {
      let world = try QueueWorld()
      let receiver = Lock(world.receiver())
      let item = try world.queue.append([QueueWorld.record([65])], limit: 1 << 20)[0]
      #expect(try receiver.withLock { try $0.nextText() } == "A")
      let isRung = Lock(false)
      var fate: ItemFate?
      let isReached = try Self.run({ fate = try world.queue.awaitedFate(of: item) }, at: index) {
        try Interception.with({ call in
          if call == .open { isRung.withLock { $0 = true } }
          return nil
        }) {
          try receiver.withLock { receiver in
            receiver.finish()
            try receiver.settle()
          }
        }
      }
      if !isReached { return #expect(index > 4) }
      #expect(fate == .delivered || isRung.withLock { $0 }, "at call \(index)")
    }
    Issue.record("awaiting takes more than a hundred calls")
  }

  @Test(
    "A receiver that sleeps is woken although its sender cannot look for it, or cannot open a file to ring with",
    arguments: [SystemCall.pread, .open])
  func ringingAllTheSame(call: SystemCall) throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    let received = Inbox<String>()
    let token = try wormhole.receiveTransfers(String.self, identifier: "items") { received.put($0.value) }
    try wormhole.transfer("first", identifier: "items")
    #expect(try received.next() == "first")
    try eventually("the receiver sleeps") {
      try directory.read("items.queue")[QueueLayout.waitingFlags] != 0
    }
    // Its last look is over too.
    try onWormholeThread {}
    let writes = Lock(0)
    try Interception.with({ made in
      // The record and the commit block: the item is there.
      if made == .pwrite { writes.withLock { $0 += 1 } }
      return made == call && writes.withLock { $0 } > 1 ? .fail(.systemFilesFull) : nil
    }) { _ = try wormhole.transfer("second", identifier: "items") }
    #expect(try received.next() == "second")
    token.cancel()
  }
}
