import Dispatch
import TestSupport
import Testing

@testable import Wormhole

@Suite("Listening to archives", .ownThread, .timeLimit(.minutes(10)))
struct ListeningScaleTests {
  @Test("Nothing sent after listening began is missed, while another thread sends all the time")
  func gapFreeArming() async throws {
    let ground = try Way.archives.make()
    let isEnding = Lock(false)
    async let sender: Void = blocking {
      var value = 0
      while !isEnding.withLock({ $0 }) {
        try ground.transiting.pass(value, to: "a")
        if value.isMultiple(of: 7) { try ground.transiting.clear("a") }
        value += 1
      }
    }
    try await blocking {
      for round in 0..<200 {
        let identifiers: Identifiers = round.isMultiple(of: 2) ? ["b\(round)", "a"] : .all
        let (listener, inbox) = try ground.listen(identifiers, round.isMultiple(of: 3) ? .every : [])
        try ground.transiting.pass(round, to: "b\(round)")
        _ = try inbox.take(through: { $0 == Heard("b\(round)=\(round)") })
        listener.cancel()
      }
    }
    isEnding.withLock { $0 = true }
    try await sender
  }

  @Test("Each listener gets versions once, in order, and the newest in the end")
  func onceInOrder() throws {
    let ground = try Way.archives.make()
    let listeners = try (0..<5).map { _ in
      let values = Inbox<Message<Int>>()
      let listener = Listener(
        transiting: ground.transiting, sender: 2, identifiers: ["a"], options: [], context: .wormholeThread
      ) { (event: Event<Int>) in if case .message(let message) = event { values.put(message) } }
      try listener.start()
      return (listener, values)
    }
    defer { for (listener, _) in listeners { listener.cancel() } }
    for value in 1...3_000 { try ground.transiting.pass(value, to: "a") }
    for (_, values) in listeners {
      let heard = try values.take(through: { $0.value == 3_000 })
      #expect(zip(heard, heard.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
      // What was given and what was skipped is all that was sent.
      #expect(heard.reduce(0) { $0 + 1 + $1.skipped } == 3_000)
    }
  }

  @Test("The directory may be removed and made again under a listener")
  func directoryMadeAgain() throws {
    let ground = try Way.archives.make()
    let directory = try #require(ground.directory)
    let (listener, inbox) = try ground.listen(["a"])
    defer { listener.cancel() }
    for round in 0..<10 {
      try ground.transiting.pass(round, to: "a")
      #expect(try inbox.next() == Heard("a=\(round)"))
      try FileSystem.rename(
        Path(directory.appending("wormhole")), to: Path(directory.appending("away\(round)")))
      #expect(try inbox.next() == "a cleared")
    }
  }

  @Test("An overflow costs nothing but time")
  func overflow() throws {
    let ground = try Way.archives.make()
    let (listener, inbox) = try ground.listen(["a", "b", "c"])
    defer { listener.cancel() }
    // A receiver that sleeps, too: what rings for it comes when the kernel has no room left.
    let wormhole = try Wormhole(directory: try #require(ground.directory).path)
    let taken = Inbox<Int>()
    try wormhole.receiveTransfers(Int.self, identifier: "jobs") { taken.put($0.value) }
    try wormhole.transfer(0, identifier: "jobs")
    #expect(try taken.next() == 0)
    let gate = Lock(false)
    let stopped = Inbox<Bool>()
    Watcher.shared.run {
      stopped.put(true)
      gate.wait(until: { $0 }, then: { _ in })
    }
    _ = try stopped.next()
    for round in 0..<17_000 { try ground.transiting.pass(round, to: round.isMultiple(of: 2) ? "a" : "b") }
    try ground.transiting.pass(1, to: "c")
    try wormhole.transfer(1, identifier: "jobs")
    gate.withLock { $0 = true }
    gate.notifyAll()
    #expect(try taken.next() == 1)
    let heard = try inbox.take(3)
    #expect(Set(heard) == ["a=16998 skipped 8499", "b=16999 skipped 8499", "c=1"])
  }

  @Test("A thousand wormholes share one inotify instance and one thread")
  func thousand() throws {
    let parent = try TemporaryDirectory(.memory)
    let inbox = Inbox<Heard>()
    let grounds = try (0..<1_000).map {
      Ground(
        transiting: try Archives(directory: parent.appending("w\($0)"), options: WormholeOptions()), directory: parent)
    }
    let listeners = try grounds.map { ground in
      let listener = Listener(
        transiting: ground.transiting, sender: 1, identifiers: ["a"], options: [], context: .wormholeThread
      ) { (event: Event<Int>) in inbox.put(Heard(event)) }
      try listener.start()
      return listener
    }
    let descriptors = try Self.instances()
    for (index, ground) in grounds.enumerated() { try ground.transiting.pass(index, to: "a") }
    #expect(Set(try inbox.take(1_000)).count == 1_000)
    for listener in listeners { listener.cancel() }
    // Other tests may have watchers of their own, but not one for each of these.
    #expect(descriptors < 100)
  }

  @Test("Ten thousand identifiers are heard one by one, by name and among all")
  func tenThousand() throws {
    let ground = try Way.archives.make()
    let names = (0..<10_000).map { "i\($0)" }
    let (named, namedInbox) = try ground.listen(.only(names))
    let (all, allInbox) = try ground.listen(.all)
    defer { named.cancel(); all.cancel() }
    for (index, name) in names.enumerated() { try ground.transiting.pass(index, to: name) }
    #expect(Set(try namedInbox.take(10_000)).count == 10_000)
    #expect(Set(try allInbox.take(10_000)).count == 10_000)
  }

  @Test("No handler starts once cancel has returned, however often and from wherever that is")
  func cancelRace() async throws {
    let ground = try Way.archives.make()
    let contexts: [HandlerContext] = [.wormholeThread, .queue(.global())]
    try await blocking {
      for round in 0..<200 {
        let isCancelled = Lock(false)
        let violations = Lock(0)
        let listener = Listener(
          transiting: ground.transiting, sender: 1, identifiers: ["a"], options: .every, context: contexts[round % 2]
        ) { (_: Event<Int>) in if isCancelled.withLock({ $0 }) { violations.withLock { $0 += 1 } } }
        try listener.start()
        for value in 0..<(round % 5 + 1) { try ground.transiting.pass(value, to: "a") }
        listener.cancel()
        isCancelled.withLock { $0 = true }
        try ground.transiting.pass(0, to: "a")
        if round.isMultiple(of: 20) { try ground.settle() }
        #expect(violations.withLock { $0 } == 0)
      }
    }
  }

  /// How many inotify instances this process has open.
  private static func instances() throws -> Int {
    var count = 0
    try FileSystem.forEachName(in: Path("/proc/self/fd")) { name in
      if Self.target(of: "/proc/self/fd/\(name)").contains("inotify") { count += 1 }
    }
    return count
  }

  /// What a link in /proc leads to.
  private static func target(of path: String) -> String { linkTarget(path) ?? "" }
}
