import TestSupport
import Testing
import Wormhole

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
}
