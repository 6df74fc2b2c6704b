import TestSupport
import Testing
import Wormhole

@testable import class Wormhole.Asker
@testable import struct Wormhole.QueueItem
@testable import enum Wormhole.QueueLayout
@testable import struct Wormhole.QueueRecord
@testable import class Wormhole.Responder

/// What becomes of a request between its reading and its answer, step by step.
@Suite("Claims on requests", .ownThread)
struct RequestClaimTests {
  private let world: RequestWorld
  private let handled = Inbox<String>()
  private let errors = Inbox<String>()
  private let turns = Turns()

  init() throws { world = try RequestWorld() }

  /// A responder that has read one request, `a`, which waits for its turn.
  private func reading(_ text: String = "a", deadline: UInt64 = .max) throws -> (Responder, QueueItem) {
    let responder = try world.responder("first", turns, handled, errors)
    let item = try world.ask(text, 1, deadline: deadline)
    try eventually("the request is read") { turns.count == 1 }
    return (responder, item)
  }

  @Test("A request whose place another one has by now is not answered in its stead") func placeTaken() throws {
    let large = String(repeating: "a", count: Int(QueueLayout.keptSize))
    let (first, item) = try reading(large)
    let others = Turns()
    let second = try world.responder("second", others, handled)
    try others.run()
    second.cancel()
    // The space of the first is given back, and the next begins where it stood.
    try world.another().passOverFinishedRequests(world.store)
    let next = try world.ask(String(repeating: "b", count: large.utf8.count), 2)
    #expect(next.start > item.start)
    #expect(try world.directory.read(".wormhole/r-sum.queue").count < 2 * large.utf8.count)
    try turns.run()
    try turns.run()
    #expect(handled.all == ["second aaaaaaaaa", "first bbbbbbbbb"])
    #expect(try world.answers() == ["1 value second \(large.utf8.count)", "2 value first \(large.utf8.count)"])
    first.cancel()
  }

  @Test("A request that was withdrawn while it waited for its turn is declined") func withdrawn() throws {
    let (responder, item) = try reading()
    let file = try #require(try world.requests.file(creating: false))
    _ = try [UInt8(1)].withUnsafeBytes { try file.descriptor.write($0, at: QueueLayout.pageSize + Int(item.start) + 1) }
    try turns.run()
    #expect(handled.all == [])
    #expect(try world.answers() == ["1 declined "])
    responder.cancel()
  }

  @Test("A request whose time is over is declined") func late() throws {
    let (responder, _) = try reading(deadline: Clock.monotonic)
    try turns.run()
    #expect(handled.all == [])
    #expect(try world.answers() == ["1 declined "])
    responder.cancel()
  }

  @Test("A responder that was ended takes no request any more that waited for its turn") func ended() throws {
    let (first, _) = try reading()
    first.cancel()
    try turns.run()
    #expect(handled.all == [])
    let others = Turns()
    let second = try world.responder("second", others, handled)
    try others.run()
    #expect(handled.all == ["second a"])
    second.cancel()
  }

  @Test(
    "A request that could not be claimed, since a call failed, is free for another responder",
    arguments: [SystemCall.pread, .pwrite])
  func failedClaim(call: SystemCall) throws {
    let (first, _) = try reading()
    try Interception.with({ $0 == call ? .fail(.inputOutput) : nil }) { try turns.run() }
    #expect(try errors.next() == "inputOutput")
    first.cancel()
    let others = Turns()
    let second = try world.responder("second", others, handled)
    try others.run()
    #expect(handled.all == ["second a"])
    second.cancel()
  }

  @Test("A request that could not be claimed, since a call failed, is tried again by the same responder")
  func claimedAgain() throws {
    let (responder, _) = try reading()
    try Interception.with({ $0 == .fcntlLock ? .fail(.inputOutput) : nil }) { try turns.run() }
    #expect(try errors.next() == "inputOutput")
    try turns.run()
    #expect(handled.all == ["first a"])
    responder.cancel()
  }

  @Test("Requests that could not be read, since a call failed, are read a little later") func unreadable() throws {
    let responder = try world.responder("first", turns, handled, errors)
    // The queue is opened here and stays open, so that the look below is the only one.
    try world.ask("a", 1)
    try turns.run()
    try world.settle()
    try world.ask("b", 2, rings: .waiting)
    try onWormholeThread {
      Interception.with({ $0 == .pread ? .fail(.inputOutput) : nil }) { responder.changed(nil) }
    }
    #expect(try errors.next() == "inputOutput")
    try turns.run()
    #expect(handled.all == ["first a", "first b"])
    responder.cancel()
  }

  @Test("An asker whose reply could not be sent is told at once that its responder has gone") func failedReply() throws
  {
    let responder = try world.responder("first", turns, handled, errors)
    // What rang until now is told before the asker is there to hear it.
    try world.settle()
    let outcomes = Inbox<Result<Payload, WormholeError>>()
    let record = QueueRecord(
      kind: .request, payload: Payload(bytes: [65], codec: .bytes), sent: 0, sender: 1, origin: "")
    _ = try Asker.shared(world.store).ask(
      record, "sum", timeout: 60_000_000_000, fails: true, limit: .max
    ) { outcomes.put($0) }
    // The claim is marked by a write, the reply is another.
    let writes = Lock(0)
    try Interception.with({ call in
      guard call == .pwrite else { return nil }
      return writes.withLock { writes in
        writes += 1
        return writes > 1 ? .fail(.noSpace) : nil
      }
    }) { try turns.run() }
    #expect(try errors.next() == "noSpace")
    guard case .failure(let error) = try outcomes.next() else { Issue.record("a reply came"); return }
    #expect(error.code == .responderGone)
    responder.cancel()
  }
}
