import FoundationEssentials
import TestSupport
import Testing

@testable import Wormhole

@Suite("Listening by sequence", .ownThread, .timeLimit(.minutes(10)))
struct SequenceTests {
  /// What sequences of the events of some identifiers stand on.
  private func storage(_ ground: Ground, _ identifiers: Identifiers, _ options: ListeningOptions = []) throws
    -> EventsStorage
  {
    try EventsStorage(transiting: ground.transiting, sender: 9, identifiers: identifiers, options: options)
  }

  /// The events of some identifiers.
  private func events(_ ground: Ground, _ identifiers: Identifiers, _ options: ListeningOptions = []) throws
    -> Events<Int>
  {
    Events(try storage(ground, identifiers, options))
  }

  @Test("What is sent after the sequence was made is in it, before anybody iterates", arguments: Way.allCases)
  func armed(_ way: Way) async throws {
    let ground = try way.make()
    try ground.transiting.pass(0, to: "a")
    let events = try events(ground, ["a"], .every)
    try ground.transiting.pass(1, to: "a")
    try ground.transiting.signal("a")
    try ground.settle()
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next().map { Heard($0) } == "a=1")
    #expect(await iterator.next().map { Heard($0) } == "a!")
    try ground.transiting.clear("a")
    #expect(await iterator.next().map { Heard($0) } == "a cleared")
  }

  @Test("Messages are values; what is no message goes elsewhere", arguments: Way.allCases)
  func messages(_ way: Way) async throws {
    let ground = try way.make()
    let errors = Inbox<WormholeError>()
    try ground.transiting.pass(1, to: "a")
    let messages = Messages<Int>(try storage(ground, ["a"], [.every, .startingWithStored])) { errors.put($0) }
    try ground.transiting.signal("a")
    _ = try ground.transiting.append(
      Draft(payload: Payload(bytes: [], codec: .json), sender: 1, origin: ""), to: "a", expecting: nil)
    try ground.transiting.pass(2, to: "a")
    var iterator = messages.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    #expect(await iterator.next() == 2)
    #expect(try await errors.next().code == .cannotDecode)
  }

  @Test("Bytes, data and payloads come as they are, and null is no number") func verbatim() async throws {
    let ground = try Way.archives.make()
    let errors = Inbox<WormholeError>()
    let bytes = Messages<[UInt8]>(try storage(ground, ["a"]))
    let data = Messages<Data>(try storage(ground, ["a"]))
    let payloads = Messages<Payload>(try storage(ground, ["a"]))
    let numbers = Messages<Int>(try storage(ground, ["a"], .every)) { errors.put($0) }
    let payload = Payload(bytes: Array("null".utf8), codec: .json)
    _ = try ground.transiting.append(Draft(payload: payload, sender: 1, origin: ""), to: "a", expecting: nil)
    #expect(await first(of: bytes) == payload.bytes)
    #expect(await first(of: data) == Data(payload.bytes))
    #expect(await first(of: payloads) == payload)
    try ground.transiting.pass(2, to: "a")
    #expect(await first(of: numbers) == 2)
    #expect(try await errors.next().code == .cannotDecode)
  }

  /// The first value of a sequence.
  private func first<Value>(of messages: Messages<Value>) async -> Value? {
    var iterator = messages.makeAsyncIterator()
    return await iterator.next()
  }

  @Test("In a task that prefers the wormhole's executor a loop runs on the library's thread, and so do its callees")
  func executor() async throws {
    let ground = try Way.archives.make()
    let messages = Messages<Int>(try storage(ground, ["a"], .every))
    let heard = Inbox<Int>()
    let task = Task.detached(executorPreference: Wormhole.executor) {
      for await value in messages {
        await Task.yield()
        heard.put(Watcher.shared.isOnThread ? value : -1)
      }
      return Watcher.shared.isOnThread
    }
    for value in 0..<200 {
      try ground.transiting.pass(value, to: "a")
      if value % 10 == 0 { #expect(try await heard.take(value == 0 ? 1 : 10).last == value) }
    }
    #expect(try await heard.take(9) == Array(191..<200))
    task.cancel()
    #expect(await task.value)
  }

  @Test("Cancelling the task ends the sequence", arguments: Way.allCases)
  func cancellation(_ way: Way) async throws {
    let ground = try way.make()
    let messages = Messages<Int>(try storage(ground, ["a"]))
    let heard = Inbox<Int>()
    let task = Task {
      for await value in messages { heard.put(value) }
      return "ended"
    }
    try ground.transiting.pass(1, to: "a")
    #expect(try await heard.next() == 1)
    task.cancel()
    #expect(await task.value == "ended")
    var iterator = messages.makeAsyncIterator()
    #expect(await iterator.next() == nil)
  }

  @Test("Dropping the sequence ends the listening")
  func dropping() throws {
    let transiting = CountingTransiting()
    var events: Events<Int>? = Events(
      try EventsStorage(transiting: transiting, sender: 1, identifiers: .all, options: []))
    _ = events?.makeAsyncIterator()
    #expect(transiting.watching.withLock { $0 } == 1)
    events = nil
    #expect(transiting.watching.withLock { $0 } == 0)
  }

  @Test("A slow consumer is given the newest, having missed the others", arguments: Way.allCases)
  func slow(_ way: Way) async throws {
    let ground = try way.make()
    let events = try events(ground, ["a"])
    for value in 1...100 { try ground.transiting.pass(value, to: "a") }
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next().map { Heard($0) } == "a=100 skipped 99")
  }

  @Test("Stopping an identifier ends the sequences that listen to it alone")
  func stopping() async throws {
    let ground = try Way.memory.make()
    let listenings = Listenings()
    let events = Events<Int>(
      try EventsStorage(
        transiting: ground.transiting, sender: 1, identifiers: ["a"], options: [], listenings: listenings))
    let task = Task {
      for await _ in events {}
      return "ended"
    }
    listenings.stopListening(to: "b")
    listenings.stopListening(to: "a")
    #expect(await task.value == "ended")
  }

  @Test("All that is sent comes through a sequence with every, in order, while it is sent", arguments: Way.allCases)
  func stream(_ way: Way) async throws {
    let ground = try way.make()
    let messages = Messages<Int>(try storage(ground, ["a"], .every))
    // Each waits for the last, so that nothing is overwritten.
    var iterator = messages.makeAsyncIterator()
    for value in 0..<200 {
      try ground.transiting.pass(value, to: "a")
      #expect(await iterator.next() == value)
    }
  }
}

/// A transiting that counts who watches.
final class CountingTransiting: Transiting {
  let watching = Lock(0)
  private let memory = MemoryTransiting()

  func append(_ draft: Draft, to identifier: String, expecting expected: StoredVersion?) throws(WormholeError)
    -> Position?
  {
    try memory.append(draft, to: identifier, expecting: expected)
  }
  func newest(_ identifier: String) throws(WormholeError) -> (position: Position, record: Record)? {
    try memory.newest(identifier)
  }
  func look(at identifier: String, after position: Position?, every: Bool) -> Look {
    memory.look(at: identifier, after: position, every: every)
  }
  func clear(_ identifier: String) throws(WormholeError) { try memory.clear(identifier) }
  func identifiers() throws(WormholeError) -> [String] { try memory.identifiers() }
  func watch(_ identifiers: Identifiers, _ sink: any ChangeSink) throws(WormholeError) {
    try memory.watch(identifiers, sink)
    watching.withLock { $0 += 1 }
  }
  func unwatch(_ identifiers: Identifiers, _ sink: any ChangeSink) {
    memory.unwatch(identifiers, sink)
    watching.withLock { $0 -= 1 }
  }
}
