import TestSupport
import Testing

@testable import Wormhole

/// What every way of transiting owes its callers.
@Suite("Transiting", .ownThread, .timeLimit(.minutes(10)))
struct TransitingTests {
  /// The records of a look as text: values, `!` for signals, and what is missing.
  private func text(_ look: Look) -> String {
    switch look {
    case .absent: "absent"
    case .unchanged: "unchanged"
    case .unreadable(let error, _): "unreadable \(error.code)"
    case .records(let records, let missed, _):
      records.map { $0.payload.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "!" }.joined(separator: " ")
        + (missed > 0 ? " missed \(missed)" : "")
    }
  }

  @Test("An empty mailbox is absent, has no newest message, and clearing it is no error", arguments: Way.allCases)
  func empty(_ way: Way) throws {
    let transiting = try way.make().transiting
    #expect(text(transiting.look(at: "a", after: nil, every: true)) == "absent")
    #expect(try transiting.newest("a") == nil)
    #expect(try transiting.identifiers().isEmpty)
    try transiting.clear("a")
  }

  @Test("Sequences grow by one, signals leave the newest message alone", arguments: Way.allCases)
  func sequences(_ way: Way) throws {
    let transiting = try way.make().transiting
    let first = try #require(try transiting.pass(1, to: "a"))
    try transiting.signal("a")
    let third = try #require(try transiting.pass(3, to: "a"))
    try transiting.signal("a")
    #expect(first.sequence == 1 && third.sequence == 3 && first.identity == third.identity)
    let newest = try #require(try transiting.newest("a"))
    #expect(newest.position == third)
    #expect(newest.record.payload?.bytes == Array("3".utf8) && newest.record.sequence == 3)
    #expect(newest.record.sender == 1 && newest.record.origin == "test")
  }

  @Test("A look gives the newest message and a signal after it, or every record", arguments: Way.allCases)
  func looks(_ way: Way) throws {
    let transiting = try way.make().transiting
    let first = try transiting.pass(1, to: "a")
    try transiting.pass(2, to: "a")
    try transiting.pass(3, to: "a")
    #expect(text(transiting.look(at: "a", after: first, every: false)) == "3 missed 1")
    #expect(text(transiting.look(at: "a", after: first, every: true)) == "2 3")
    try transiting.signal("a")
    try transiting.signal("a")
    #expect(text(transiting.look(at: "a", after: first, every: false)) == "3 ! missed 2")
    #expect(text(transiting.look(at: "a", after: first, every: true)) == "2 3 ! !")
    #expect(text(transiting.look(at: "a", after: nil, every: true)) == "1 2 3 ! !")
    guard case .records(_, _, let last) = transiting.look(at: "a", after: nil, every: false) else {
      Issue.record("no records")
      return
    }
    #expect(last.sequence == 5)
    #expect(text(transiting.look(at: "a", after: last, every: true)) == "unchanged")
    #expect(text(transiting.look(at: "a", after: last, every: false)) == "unchanged")
  }

  @Test("An expectation holds for the newest message only", arguments: Way.allCases)
  func expectations(_ way: Way) throws {
    let transiting = try way.make().transiting
    let draft = Draft(payload: Payload(bytes: [1], codec: .bytes), sender: 1, origin: "")
    let first = try #require(try transiting.append(draft, to: "a", expecting: StoredVersion.none))
    #expect(try transiting.append(draft, to: "a", expecting: StoredVersion.none) == nil)
    try transiting.signal("a")
    let next = try #require(try transiting.append(draft, to: "a", expecting: .position(first)))
    #expect(try transiting.append(draft, to: "a", expecting: .position(first)) == nil)
    try transiting.clear("a")
    #expect(try transiting.append(draft, to: "a", expecting: .position(next)) == nil)
    #expect(try transiting.append(draft, to: "a", expecting: StoredVersion.none) != nil)
  }

  @Test("A cleared mailbox begins another history", arguments: Way.allCases)
  func clearing(_ way: Way) throws {
    let transiting = try way.make().transiting
    let first = try #require(try transiting.pass(1, to: "a"))
    try transiting.pass(1, to: "b")
    try transiting.clear("a")
    #expect(try transiting.identifiers() == ["b"])
    #expect(text(transiting.look(at: "a", after: first, every: true)) == "absent")
    let again = try #require(try transiting.pass(2, to: "a"))
    #expect(again.sequence == 1 && again.identity != first.identity)
    #expect(text(transiting.look(at: "a", after: first, every: true)) == "2")
  }

  @Test("Old records go, the newest message and what came last stay", arguments: Way.allCases)
  func retention(_ way: Way) throws {
    let transiting = try way.make().transiting
    let first = try transiting.pass(0, to: "a")
    for value in 1...2_000 { try transiting.pass(value, to: "a") }
    for _ in 0..<2_000 { try transiting.signal("a") }
    #expect(try transiting.newest("a")?.record.payload?.bytes == Array("2000".utf8))
    guard case .records(let records, let missed, _) = transiting.look(at: "a", after: first, every: true) else {
      Issue.record("no records")
      return
    }
    #expect(records.count + missed == 4_000)
    #expect(missed > 0 && records.contains { $0.payload != nil })
    #expect(records.last?.sequence == 4_001)
  }

  @Test("Identifiers are told apart by their bytes, and bad ones are refused everywhere", arguments: Way.allCases)
  func names(_ way: Way) throws {
    let transiting = try way.make().transiting
    try transiting.pass(1, to: "\u{E9}")
    try transiting.pass(2, to: "e\u{301}")
    #expect(try transiting.identifiers().count == 2)
    #expect(try transiting.newest("\u{E9}")?.record.payload?.bytes == Array("1".utf8))
    for bad in ["", "a\0b", String(repeating: "x", count: 300)] {
      #expect(throws: WormholeError.self) { try transiting.pass(1, to: bad) }
      #expect(throws: WormholeError.self) { try transiting.newest(bad) }
      #expect(throws: WormholeError.self) { try transiting.clear(bad) }
      #expect(throws: WormholeError.self) { try transiting.watch(.only([bad]), RecordingSink()) }
    }
  }

  @Test("Sinks are told of what they watch until they are unwatched, never by the sender", arguments: Way.allCases)
  func watching(_ way: Way) throws {
    let (ground, another) = (try way.make(), try way.make())
    let (some, all) = (RecordingSink(), RecordingSink())
    try ground.transiting.watch(["a", "b"], some)
    try another.transiting.watch(.all, all)
    try ground.transiting.pass(1, to: "a")
    try another.transiting.pass(1, to: "a")
    // A sink may be told more often than there are changes: of everything when the kernel's queue has overflown, for
    // which another test may see, and of each name that is armed again after that.
    _ = try some.inbox.take(through: { $0 == "a" || $0 == "everything" })
    _ = try all.inbox.take(through: { $0 == "a" || $0 == "everything" })
    ground.transiting.unwatch(["a"], some)
    try ground.transiting.pass(1, to: "a")
    try ground.transiting.pass(1, to: "b")
    _ = try some.inbox.take(through: { $0 == "b" || $0 == "everything" })
    ground.transiting.unwatch(.all, some)
    another.transiting.unwatch(.all, all)
    #expect(!some.threads.withLock { $0 }.contains(ThreadID.current))
  }
}
