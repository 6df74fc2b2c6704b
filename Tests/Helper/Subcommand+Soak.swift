import Glibc
import Wormhole

extension Subcommand {
  /// `soak DIRECTORY ROLE NAME`: one of the programs of a soak, until SIGTERM or the end of standard input.
  ///
  /// `pass` passes to `mail` and clears `gone`; `hear` hears all there is; `update` counts in `count`; `transfer` fills the
  /// queue `jobs`; `receive` empties it as the subscriber NAME, `-` for the default one; `respond` answers `question`; `ask`
  /// asks. Each says what has returned, and `fault …` for what must not be.
  static let soak = Subcommand(name: "soak") { arguments in
    guard arguments.count == 3 else { throw SubcommandError("three arguments") }
    let wormhole = try Wormhole(directory: arguments[0], options: WormholeOptions(origin: arguments[2]))
    blockTermination()
    let part = SoakPart(wormhole: wormhole, name: arguments[2])
    switch arguments[1] {
    case "pass": try part.begin(part.pass)
    case "hear": try part.hear()
    case "update": try part.begin(part.update)
    case "transfer": try part.begin(part.transfer)
    case "receive": try part.receive()
    case "respond": try wormhole.respond(to: Int.self, identifier: "question") { message in message.value + 1 }
    case "ask": part.ask()
    default: throw SubcommandError("no role \(arguments[1])")
    }
    part.onThread {
      while readLine() != nil {}
      kill(getpid(), SIGTERM)
    }
    awaitTermination()
    part.end()
  }

  /// Keeps SIGTERM for `awaitTermination`, on this thread and those that it makes.
  private static func blockTermination() {
    var end = sigset_t()
    sigemptyset(&end)
    sigaddset(&end, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &end, nil)
  }

  private static func awaitTermination() {
    var end = sigset_t()
    sigemptyset(&end)
    sigaddset(&end, SIGTERM)
    var signal: Int32 = 0
    sigwait(&end, &signal)
  }
}

/// What the programs of a soak do.
private final class SoakPart: Sendable {
  private let wormhole: Wormhole
  private let name: String
  /// How far it is.
  private struct State {
    var isOver = false
    var hasEnded = true
    /// The last sequence that was heard of each mailbox, and how many events.
    var last: [String: UInt64] = [:]
    var count = 0
  }
  private let state = Lock(State())

  init(wormhole: Wormhole, name: String) {
    self.wormhole = wormhole
    self.name = name
  }

  /// Does `step` again and again on a thread of its own.
  func begin(_ step: @escaping @Sendable (Int) throws -> Void) throws {
    state.withLock { $0.hasEnded = false }
    onThread { self.repeating(step) }
  }

  /// Does `step` until the end has come.
  private func repeating(_ step: @Sendable (Int) throws -> Void) {
    var number = 0
    while !state.withLock({ $0.isOver }) {
      number += 1
      do { try step(number) } catch { say("fault \(name) \(error)") }
    }
    state.withLock { $0.hasEnded = true }
    state.notifyAll()
  }

  /// Runs something on a thread of its own.
  func onThread(_ body: @escaping @Sendable () -> Void) {
    let work = Work(body)
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(work).toOpaque())
  }

  /// Ends the part after the step that it is at.
  func end() {
    state.withLock { $0.isOver = true }
    state.wait(until: { $0.hasEnded }) { _ in }
  }

  /// Passes one message, now and then large, durable, a signal or to a mailbox that is cleared.
  func pass(_ number: Int) throws {
    let length = number % 500 == 0 ? 100_000 : Int.random(in: 0..<1500)
    let text = "\(name) \(number) " + String(repeating: "x", count: length)
    let sequence = try wormhole.passMessage(
      text, identifier: "mail", durability: number % 200 == 0 ? .durable : .cached)
    if number % 20 == 0 { say("passed \(sequence)") }
    if number % 50 == 0 { try wormhole.signal(identifier: "mail") }
    try wormhole.passMessage(text, identifier: "gone")
    if number % 10 == 0 { try wormhole.clearMessage(identifier: "gone") }
    rest(microseconds: 500)
  }

  /// Adds one to the number that all add to.
  func update(_ number: Int) throws {
    try wormhole.updateMessage(Int.self, identifier: "count", default: 0) { $0 += 1 }
    say("updated")
    rest(microseconds: 1500)
  }

  /// Transfers one message.
  func transfer(_ number: Int) throws {
    do {
      try wormhole.transfer("\(name) \(number)", identifier: "jobs", durability: number % 100 == 0 ? .durable : .cached)
    } catch {
      if error.code != .queueFull { throw error }
      rest(microseconds: 10_000)
      return try transfer(number)
    }
    say("transferred \(name) \(number)")
    rest(microseconds: 1000)
  }

  /// Takes transfers and says each.
  func receive() throws {
    try wormhole.receiveTransfers(
      String.self, identifier: "jobs", subscriber: name == "-" ? nil : name,
      onError: { say("fault \($0)") }
    ) { message in
      say("took \(message.sequence) \(message.isRedelivered ? 1 : 0) \(message.value)")
    }
    say("receiving")
  }

  /// Hears everything and checks that what comes is whole and in order.
  func hear() throws {
    try wormhole.listenForEvents(Payload.self, options: [.every], onError: { say("fault \($0)") }) { event in
      self.heard(event)
    }
  }

  private func heard(_ event: Event<Payload>) {
    switch event {
    case .cleared(let identifier): state.withLock { $0.last[identifier] = nil }
    case .undecodable(_, let error): say("fault \(error)")
    case .signal(let message): heard(message.identifier, message.sequence)
    case .message(let message):
      heard(message.identifier, message.sequence)
      if message.identifier != "count", !message.value.bytes.allSatisfy({ (0x20...0x7A).contains($0) }) {
        say("fault a damaged message \(message.sequence)")
      }
    }
  }

  private func heard(_ identifier: String, _ sequence: UInt64) {
    let (before, count) = state.withLock { state in
      defer { state.last[identifier] = sequence }
      state.count += 1
      return (state.last[identifier] ?? 0, state.count)
    }
    // A cleared mailbox begins again at 1, and that it was cleared need not be heard when it is made again at once.
    if sequence <= before, identifier != "gone" { say("fault \(identifier) \(sequence) after \(before)") }
    if count % 1000 == 0 { say("heard \(count)") }
  }

  /// Asks again and again, and says how each request ended.
  func ask() {
    Task { await self.asking() }
  }

  private func asking() async {
    var number = 0
    while !state.withLock({ $0.isOver }) {
      number += 1
      do {
        let reply = try await wormhole.request(number, identifier: "question", as: Int.self, timeout: .seconds(10))
        say(reply == number + 1 ? "asked reply" : "fault \(number) was answered by \(reply)")
      } catch {
        say("asked \(error.code.rawValue)")
      }
      // The task's own thread is not held up, unlike by `rest`.
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Leaves the processors to the other parts for a moment.
  ///
  /// It only sets how heavy the load is: nothing waits for it and no order rests on it.
  private func rest(microseconds: UInt32) { usleep(microseconds) }

  /// The body of a thread.
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
