import TestSupport
import Testing
import Wormhole

extension MessageIdentifier<[String]> { fileprivate static let toDoListItems = Self("toDoListItems") }
extension MessageIdentifier<Int> { fileprivate static let volume = Self("volume") }

@Suite("Typed identifiers", .ownThread, .timeLimit(.minutes(10))) struct TypedIdentifierTests {
  /// Where the wormhole is.
  private let directory: TemporaryDirectory
  /// The wormhole.
  private let wormhole: Wormhole

  init() throws {
    directory = try TemporaryDirectory(.memory)
    wormhole = try Wormhole(directory: directory.path)
  }

  @Test("A mailbox is passed to, read, heard, woken, cleared and left by one typed identifier") func mailbox()
    async throws
  {
    let events = Inbox<String>()
    try wormhole.listenForEvents(.toDoListItems) { event in
      switch event {
      case .message(let message): events.put("message \(message.value)")
      case .signal: events.put("signal")
      case .cleared: events.put("cleared")
      case .undecodable: events.put("undecodable")
      }
    }
    var sequence = try wormhole.events(.toDoListItems).makeAsyncIterator()
    try wormhole.passMessage(["Buy milk"], identifier: .toDoListItems)
    #expect(try await events.next() == #"message ["Buy milk"]"#)
    #expect(try wormhole.storedMessage(.toDoListItems)?.sequence == 1)
    #expect(await sequence.next()?.identifier == "toDoListItems")
    try wormhole.signal(identifier: .toDoListItems)
    #expect(try await events.next() == "signal")
    try wormhole.clearMessage(identifier: .toDoListItems)
    #expect(try await events.next() == "cleared")
    #expect(try wormhole.message(.toDoListItems) == nil)
    wormhole.stopListening(identifier: .toDoListItems)
    #expect(await sequence.next() == nil)
  }

  @Test("A question is asked, answered and its responder looked for by one typed identifier") func request()
    async throws
  {
    #expect(try !wormhole.isReachable(identifier: .toDoListItems))
    let token = try wormhole.respond(to: .toDoListItems) { $0.value.count }
    var states = try wormhole.reachability(identifier: .toDoListItems).makeAsyncIterator()
    #expect(await states.next() == true)
    #expect(try await wormhole.request(["a", "b"], identifier: .toDoListItems, as: Int.self) == 2)
    token.cancel()
    #expect(await states.next() == false)
  }

  @Test("A queue is filled, listed, set in order and emptied by one typed identifier") func queue() async throws {
    try wormhole.transfer(contentsOf: [["a"], ["b"]], identifier: .toDoListItems)
    #expect(try wormhole.outstandingTransfers(identifier: .toDoListItems).count == 2)
    #expect(try wormhole.setAsideTransfer(identifier: .toDoListItems))
    #expect(try wormhole.setAsideTransfers(identifier: .toDoListItems).map(\.sequence) == [1])
    #expect(try wormhole.putBackTransfers(identifier: .toDoListItems) == 1)
    #expect(try !wormhole.removeSubscriber("nobody", identifier: .toDoListItems))
    var transfers = try wormhole.transfers(.toDoListItems).makeAsyncIterator()
    #expect(await transfers.next()?.value == ["b"])
    #expect(await transfers.next()?.value == ["a"])
  }

  @Test("A key of the shared defaults goes by type and by plain name alike") func defaults() async throws {
    let defaults = try SharedDefaults(container: directory.appending("group.test"))
    let heard = Inbox<Int>()
    try defaults.listenForChanges(Int.self, forKey: "volume") { heard.put($0 ?? -1) }
    try defaults.register(50, forKey: "volume")
    #expect(try defaults.value(forKey: .volume) == 50)
    try defaults.set(70, forKey: "volume")
    #expect(try await heard.next() == 70)
    #expect(try defaults.value(Int.self, forKey: "volume") == 70)
    #expect(try defaults.update(Int.self, forKey: "volume", default: 0) { $0 += 1 } == 71)
    #expect(try await heard.next() == 71)
    try defaults.removeValue(forKey: .volume)
    #expect(try await heard.next() == 50)
  }
}
