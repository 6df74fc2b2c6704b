import TestSupport
import Testing
import Wormhole

@testable import class Wormhole.Asker
@testable import class Wormhole.Queue
@testable import class Wormhole.QueueFile
@testable import struct Wormhole.QueueItem
@testable import enum Wormhole.QueueLayout
@testable import struct Wormhole.QueueRecord
@testable import struct Wormhole.ReplyEnvelope
@testable import struct Wormhole.RequestEnvelope
@testable import struct Wormhole.RequestStore

/// Requests under way, as their asker sees them.
@Suite("Askers", .ownThread)
struct AskerTests {
  private let world: RequestWorld
  private let outcomes = Inbox<String>()

  init() throws { world = try RequestWorld() }

  private static func record(_ length: Int = 1) -> QueueRecord {
    QueueRecord(
      kind: .request, payload: Payload(bytes: [UInt8](repeating: 65, count: length), codec: .bytes), sent: 0,
      sender: 1, origin: "")
  }

  /// Sends a request whose outcome comes to `outcomes`; its time is over long after all that may happen here.
  @discardableResult
  private func ask(
    _ asker: Asker, _ length: Int = 1, fails: Bool = false, limit: Int = .max
  ) -> UInt64 {
    asker.ask(Self.record(length), "sum", timeout: 60_000_000_000, fails: fails, limit: limit) { outcome in
      switch outcome {
      case .success(let payload): outcomes.put(String(decoding: payload.bytes, as: UTF8.self))
      case .failure(let error): outcomes.put(error.code.rawValue)
      }
    }
  }

  /// The last request of the queue, as a responder reads it.
  private func lastRequest(_ world: RequestWorld) throws -> (item: QueueItem, record: QueueRecord) {
    try #require(try world.another().outstanding(limit: 1 << 20).last)
  }

  /// Replies to a request.
  private func reply(_ world: RequestWorld, _ record: QueueRecord, _ status: ReplyEnvelope.Status = .value) throws {
    let (envelope, _) = try #require(RequestEnvelope.opening(record.payload))
    let payload = ReplyEnvelope(number: envelope.number, status: status)
      .sealing(Payload(bytes: Array("reply".utf8), codec: .bytes))
    let reply = QueueRecord(kind: .reply, payload: payload, sent: 0, sender: 1, origin: "")
    _ = try world.store.replies(envelope.replies).append([reply], limit: .max, creating: false, rings: .always)
  }

  @Test("Whenever a sweeper comes while an asker makes the queue of its replies, the asker has one afterwards")
  func swept() throws {
    for index in 0..<20 {
      let world = try RequestWorld()
      let calls = Lock(0)
      let asker = try interleaving({ call in
        // Once it has its name, a sweeper may take it for one that was left, until it is locked.
        guard call == .fcntlLock,
          try world.directory.names(in: ".wormhole").contains(where: { $0.hasPrefix("p-") && $0 != "p-7" })
        else { return nil }
        let isNow = calls.withLock { calls in
          calls += 1
          return calls == index + 1
        }
        if isNow { world.store.sweep() }
        return nil
      }) { try Asker.shared(world.store) }
      let names = try world.directory.names(in: ".wormhole")
      #expect(names.contains("\(RequestStore.repliesName(asker.number))"), "at lock \(index)")
      if calls.withLock({ $0 }) <= index { return #expect(index > 1) }
    }
    Issue.record("making a queue takes more than twenty locks")
  }

  @Test("A responder that goes between the look for it and the request is known to be gone") func goneMeanwhile() throws
  {
    let there = try world.silentPresence()
    try world.settle()
    let asker = try Asker.shared(world.store)
    let isGone = Lock(false)
    try interleaving({ call in
      // The look is over, and the request is being written.
      guard call == .pwrite, !isGone.withLock({ $0 }) else { return nil }
      isGone.withLock { $0 = true }
      try there.unlockAll()
      try onWormholeThread { asker.presenceChanged() }
      return nil
    }) { ask(asker, fails: true) }
    #expect(isGone.withLock { $0 })
    #expect(try outcomes.next() == "notReachable")
  }

  @Test(
    "Whenever a responder comes to a request whose asker is just giving it up, its reply comes or it gets no request")
  func claimedMeanwhile() throws {
    for index in 0..<100 {
      let world = try RequestWorld()
      let there = try world.silentPresence()
      try world.settle()
      let asker = try Asker.shared(world.store)
      ask(asker, fails: true)
      let (item, record) = try lastRequest(world)
      let file = try #require(try world.another().file(creating: false))
      let (calls, isHanded) = (Lock(0), Lock<Bool?>(nil))
      try there.unlockAll()
      try onWormholeThread {
        try interleaving({ _ in
          let isNow = calls.withLock { calls in
            calls += 1
            return calls == index + 1
          }
          guard isNow else { return nil }
          // What a responder does that was there before, one call after the other.
          _ = try file.descriptor.tryLock(.exclusive, at: RequestStore.claim(item.start))
          let position = QueueLayout.pageSize + Int(item.start)
          let isWithdrawn = try world.directory.read(".wormhole/r-sum.queue")[position + 1] != 0
          if !isWithdrawn { try file.setMark(.claimed, at: position) }
          isHanded.withLock { $0 = !isWithdrawn }
          return nil
        }) { asker.presenceChanged() }
      }
      // Its closing would ring.
      withExtendedLifetime(there) {}
      guard let isHanded = isHanded.withLock({ $0 }) else { return #expect(index > 10) }
      #expect(outcomes.all.isEmpty || !isHanded, "at call \(index)")
      try reply(world, record, isHanded ? .value : .declined)
      #expect(try outcomes.next() == (isHanded ? "reply" : "notReachable"), "at call \(index)")
    }
    Issue.record("a look takes more than a hundred calls")
  }

  @Test("Requests that were given up do not fill the queue for those that come later") func givenUp() throws {
    let asker = try Asker.shared(world.store)
    let number = ask(asker, 3000, limit: 5000)
    asker.withdraw(number, WormholeError(.cancelled, reason: "not wanted"))
    #expect(try outcomes.next() == "cancelled")
    ask(asker, 3000, limit: 5000)
    try reply(world, lastRequest(world).record)
    #expect(try outcomes.next() == "reply")
  }

  @Test("Requests under way when the queue of their replies is removed end with an error") func repliesRemoved() throws
  {
    let asker = try Asker.shared(world.store)
    ask(asker)
    try FileSystem.remove(world.store.hidden.appending(RequestStore.repliesName(asker.number)))
    #expect(try outcomes.next() == "inputOutput")
  }

  @Test("An asker that cannot read its replies ends the requests under way with the error") func unreadable() throws {
    let asker = try Asker.shared(world.store)
    ask(asker)
    try onWormholeThread { Interception.with({ $0 == .pread ? .fail(.stale) : nil }) { asker.changed(nil) } }
    #expect(try outcomes.next() == WormholeError(.stale, "", Path("")).code.rawValue)
  }

  @Test("An asker that for once cannot see whether its replies have a name goes on") func unseen() throws {
    let asker = try Asker.shared(world.store)
    ask(asker)
    let looks = Lock(0)
    try onWormholeThread {
      asker.changed(nil)
      Interception.with({ call in
        guard call == .fstatat else { return nil }
        // The first is that of the reading, whose error would be told.
        return looks.withLock { looks in
          looks += 1
          return looks == 2 ? .fail(.inputOutput) : nil
        }
      }) { asker.changed(nil) }
    }
    #expect(looks.withLock { $0 } == 2)
    try reply(world, lastRequest(world).record)
    #expect(try outcomes.next() == "reply")
  }

  @Test("After its directory was moved away and has come back, a process asks with another queue of replies")
  func back() throws {
    let asker = try Asker.shared(world.store)
    ask(asker)
    let (path, away) = (Path(world.directory.path), Path(world.directory.path + "-away"))
    try onWormholeThread {
      try FileSystem.rename(path, to: away)
      asker.changed(nil)
      try FileSystem.rename(away, to: path)
    }
    #expect(try outcomes.next() == "inputOutput")
    let again = try Asker.shared(world.store)
    #expect(again !== asker)
    ask(again)
    try reply(world, lastRequest(world).record)
    #expect(try outcomes.next() == "reply")
  }
}
