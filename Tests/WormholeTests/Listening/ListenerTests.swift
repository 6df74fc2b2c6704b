import Dispatch
import TestSupport
import Testing

@testable import Wormhole

@Suite("Listening by handler", .ownThread, .timeLimit(.minutes(10)))
struct ListenerTests {
  @Test("Messages, signals and clearing are heard in order, nothing from before", arguments: Way.allCases)
  func order(_ way: Way) throws {
    let ground = try way.make()
    try ground.transiting.pass(0, to: "a")
    let (listener, inbox) = try ground.listen(["a"])
    defer { listener.cancel() }
    try ground.transiting.pass(1, to: "a")
    #expect(try inbox.next() == "a=1")
    try ground.transiting.pass(1, to: "a")
    #expect(try inbox.next() == "a=1")
    try ground.transiting.signal("a")
    #expect(try inbox.next() == "a!")
    try ground.transiting.clear("a")
    #expect(try inbox.next() == "a cleared")
    try ground.transiting.pass(2, to: "a")
    #expect(try inbox.next() == "a=2")
  }

  @Test(
    "Every listener hears each version once, several on one identifier and several identifiers in one",
    arguments: Way.allCases)
  func many(_ way: Way) throws {
    let ground = try way.make()
    let listeners = try [ground.listen(["a"]), ground.listen(["a", "b", "a"]), ground.listen(.all)]
    defer { for (listener, _) in listeners { listener.cancel() } }
    try ground.transiting.pass(1, to: "a")
    for (_, inbox) in listeners { #expect(try inbox.next() == "a=1") }
    try ground.transiting.pass(2, to: "b")
    for (_, inbox) in listeners[1...] { #expect(try inbox.next() == "b=2") }
    try ground.transiting.pass(3, to: "c")
    #expect(try listeners[2].1.next() == "c=3")
    try ground.settle()
    for (_, inbox) in listeners { #expect(!inbox.all.contains { !$0.description.hasPrefix("settled") }) }
  }

  @Test("The stored message comes first when it is wanted; a signal is not stored", arguments: Way.allCases)
  func stored(_ way: Way) throws {
    let ground = try way.make()
    try ground.transiting.pass(1, to: "a")
    try ground.transiting.pass(2, to: "a")
    try ground.transiting.signal("a")
    let (listener, inbox) = try ground.listen(["a", "none"], .startingWithStored)
    defer { listener.cancel() }
    #expect(try inbox.next() == "a=2")
    try ground.transiting.pass(3, to: "a")
    #expect(try inbox.next() == "a=3")
    try ground.transiting.pass(4, to: "none")
    #expect(try inbox.next() == "none=4")
  }

  @Test("All messages that are held come first when every one and the stored are wanted", arguments: Way.allCases)
  func held(_ way: Way) throws {
    let ground = try way.make()
    for value in 1...2 { try ground.transiting.pass(value, to: "a") }
    try ground.transiting.signal("a")
    try ground.transiting.pass(3, to: "a")
    let (listener, inbox) = try ground.listen(["a"], [.startingWithStored, .every])
    defer { listener.cancel() }
    #expect(try inbox.take(3) == ["a=1", "a=2", "a=3"])
    try ground.transiting.signal("a")
    try ground.transiting.pass(4, to: "a")
    #expect(try inbox.take(2) == ["a!", "a=4"])
  }

  @Test("What cannot be decoded is an event, and listening goes on", arguments: Way.allCases)
  func undecodable(_ way: Way) throws {
    let ground = try way.make()
    let (listener, inbox) = try ground.listen(["a"])
    defer { listener.cancel() }
    _ = try ground.transiting.append(
      Draft(payload: Payload(bytes: [0xFF], codec: .json), sender: 1, origin: ""), to: "a", expecting: nil)
    #expect(try inbox.next() == "a? cannotDecode")
    try ground.transiting.pass(1, to: "a")
    #expect(try inbox.next() == "a=1")
  }

  @Test("A listener that is behind gets the newest and the signal after it, or every one", arguments: Way.allCases)
  func behind(_ way: Way) throws {
    let ground = try way.make()
    let gate = Lock(false)
    let entered = Inbox<Bool>()
    let (blocker, _) = try ground.listen(["other"])
    defer { blocker.cancel() }
    let (newest, newestInbox) = try ground.listen(["a"])
    let (every, everyInbox) = try ground.listen(["a"], .every)
    defer { newest.cancel(); every.cancel() }
    Watcher.shared.run {
      entered.put(true)
      gate.wait(until: { $0 }, then: { _ in })
    }
    _ = try entered.next()
    for value in 1...4 { try ground.transiting.pass(value, to: "a") }
    try ground.transiting.signal("a")
    try ground.transiting.signal("a")
    gate.withLock { $0 = true }
    gate.notifyAll()
    #expect(try newestInbox.take(2) == ["a=4 skipped 3", "a! skipped 1"])
    #expect(try everyInbox.take(6) == ["a=1", "a=2", "a=3", "a=4", "a!", "a!"])
  }

  @Test("Own messages are left out when that is wanted, and the newest of others still comes", arguments: Way.allCases)
  func own(_ way: Way) throws {
    let ground = try way.make()
    let (listener, inbox) = try ground.listen(["a"], .ignoringOwn, sender: 7)
    defer { listener.cancel() }
    let entered = Inbox<Bool>()
    let gate = Lock(false)
    Watcher.shared.run {
      entered.put(true)
      gate.wait(until: { $0 }, then: { _ in })
    }
    _ = try entered.next()
    try ground.transiting.pass(1, to: "a", sender: 7)
    try ground.transiting.pass(2, to: "a", sender: 1)
    try ground.transiting.pass(3, to: "a", sender: 7)
    gate.withLock { $0 = true }
    gate.notifyAll()
    #expect(try inbox.next() == "a=2")
    try ground.transiting.pass(4, to: "a", sender: 7)
    try ground.transiting.pass(5, to: "a", sender: 1)
    #expect(try inbox.next() == "a=5")
  }

  @Test("Nothing is heard after cancelling, and a mailbox stopped alone falls silent alone", arguments: Way.allCases)
  func stopping(_ way: Way) throws {
    let ground = try way.make()
    let (listener, inbox) = try ground.listen(["a", "b"])
    listener.stopListening(to: "a")
    try ground.transiting.pass(1, to: "a")
    try ground.transiting.pass(2, to: "b")
    #expect(try inbox.next() == "b=2")
    listener.cancel()
    listener.cancel()
    try ground.transiting.pass(3, to: "b")
    try ground.settle()
    #expect(inbox.all.isEmpty)
  }

  @Test("A handler may cancel its own listening, pass messages and begin to listen", arguments: Way.allCases)
  func reentrancy(_ way: Way) throws {
    let ground = try way.make()
    let inbox = Inbox<Heard>()
    let own = Lock<Listener?>(nil)
    let inner = Lock<Listener?>(nil)
    let listener = Listener(
      transiting: ground.transiting, sender: 1, identifiers: ["a"], options: [], context: .wormholeThread
    ) { (event: Event<Int>) in
      inbox.put(Heard(event))
      let another = Listener(
        transiting: ground.transiting, sender: 1, identifiers: ["b"], options: [], context: .wormholeThread
      ) { (event: Event<Int>) in inbox.put(Heard(event)) }
      #expect(throws: Never.self) {
        try another.start()
        try ground.transiting.pass(2, to: "b")
        try ground.transiting.pass(3, to: "a")
      }
      inner.withLock { $0 = another }
      own.withLock { $0 }?.cancel()
    }
    own.withLock { $0 = listener }
    try listener.start()
    try ground.transiting.pass(1, to: "a")
    #expect(try inbox.take(2) == ["a=1", "b=2"])
    try ground.settle()
    #expect(inbox.all.isEmpty)
    inner.withLock { $0 }?.cancel()
    own.withLock { $0 = nil }
  }

  @Test("Cancelling waits for a handler that runs elsewhere, and none starts after it")
  func cancelWaits() async throws {
    let transiting = MemoryTransiting()
    let entered = Inbox<Bool>()
    let log = Inbox<String>()
    let gate = Lock(false)
    let listener = Listener(
      transiting: transiting, sender: 1, identifiers: ["a"], options: .every, context: .queue(DispatchQueue(label: "q"))
    ) { (_: Event<Int>) in
      entered.put(true)
      gate.wait(until: { $0 }, then: { _ in })
      log.put("handler returned")
    }
    try listener.start()
    try transiting.pass(1, to: "a")
    try transiting.pass(2, to: "a")
    _ = try await entered.next()
    async let cancelled: Void = blocking {
      listener.cancel()
      log.put("cancel returned")
    }
    try await blocking { try eventually("cancelled") { listener.isEnded } }
    gate.withLock { $0 = true }
    gate.notifyAll()
    _ = try await cancelled
    #expect(try await log.take(2) == ["handler returned", "cancel returned"])
    #expect(entered.all.isEmpty)
  }

  @Test(
    "A file that the kernel gives no watch for is heard through its directory",
    arguments: [Errno.accessDenied, .noSpace])
  func unwatchable(error: Errno) throws {
    let ground = try Way.archives.make()
    for name in ["a", "b"] { try ground.transiting.pass(0, to: name) }
    // The directory is watched from here on, so that the next call is for the file.
    let (other, _) = try ground.listen(["a"])
    defer { other.cancel() }
    let (listener, inbox) = try Interception.with({ $0 == .inotifyAddWatch ? .fail(error) : nil }) {
      try ground.listen(["b"], .every)
    }
    defer { listener.cancel() }
    for value in 1...3 { try ground.transiting.pass(value, to: "b") }
    #expect(try inbox.take(3) == (1...3).map { Heard("b=\($0)") })
  }

  @Test("On a queue, on the main actor and on an executor handlers hear the same, in order")
  func contexts() async throws {
    let ground = try Way.memory.make()
    let contexts: [HandlerContext] = [
      .queue(DispatchQueue(label: "q")), .mainActor, .executor(globalConcurrentExecutor),
    ]
    for context in contexts {
      let (listener, inbox) = try ground.listen(["a"], .every, on: context)
      for value in 0..<20 { try ground.transiting.pass(value, to: "a") }
      #expect(try await inbox.take(20) == (0..<20).map { Heard("a=\($0)") })
      listener.cancel()
    }
  }
}
