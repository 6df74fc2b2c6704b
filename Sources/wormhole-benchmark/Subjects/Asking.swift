import Glibc
import Wormhole

/// Requests to another process, one after the other, which answers with what was asked.
final class Asking<Value: Codable & Sendable>: Contestant {
  private let wormhole: Wormhole
  private let child: ChildProcess
  private let question: Value
  private let executor: (any TaskExecutor)?
  private static var identifier: String { "questions" }

  /// Starts the responding process; questions are asked by a task that prefers `executor`.
  init(_ question: Value, shape: Shape, directory: String, executor: (any TaskExecutor)? = nil) throws {
    self.question = question
    self.executor = executor
    child = try ChildProcess(ProcessImage.own, Role.respond.arguments(shape.rawValue, directory))
    wormhole = try Wormhole(directory: directory)
    try child.wait(for: "ready")
  }

  var opponent: pid_t? { child.identifier }

  // The other process first, so that it does not complain that this end has gone.
  deinit { child.kill() }

  func play(_ count: Int, into samples: inout Samples) throws(BenchmarkError) {
    let outcome = Lock<Result<[UInt64], BenchmarkError>?>(nil)
    Task.detached(executorPreference: executor) { [wormhole, question] in
      let result = await Asking.ask(count, wormhole, question)
      outcome.withLock { $0 = result }
      outcome.notifyAll()
    }
    let times = try outcome.wait(until: { $0 != nil }, then: { $0 })?.get() ?? []
    samples.append(contentsOf: times.lazy.map { Double($0) / 1000 })
  }

  /// Asks so often, one after the other; how long each took, in nanoseconds.
  private static func ask(
    _ count: Int, _ wormhole: Wormhole, _ question: Value
  ) async -> Result<[UInt64], BenchmarkError> {
    var times: [UInt64] = []
    times.reserveCapacity(count)
    do {
      for _ in 0..<count {
        let start = Clock.monotonic
        _ = try await wormhole.request(question, identifier: identifier, as: Value.self)
        times.append(Clock.monotonic - start)
      }
      return .success(times)
    } catch {
      return .failure(BenchmarkError("\(error)"))
    }
  }

  /// The responding process: answers with what was asked, until it is ended.
  static func respond(directory: String) throws {
    let wormhole = try Wormhole(directory: directory)
    try wormhole.respond(to: Value.self, identifier: identifier) { $0.value }
    try Role.sayReady()
    Role.waitForEnd()
    withExtendedLifetime(wormhole) {}
  }
}
