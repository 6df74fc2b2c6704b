import Wormhole

/// Waits, on a thread that may block, for work that does not.
enum Awaiting {
  /// Runs `body` in a task and waits for what it returns or throws; after `time` the task is cancelled.
  ///
  /// - Returns: What `body` returned, nil when the time was over first.
  @discardableResult
  static func value<R: Sendable>(
    within time: Duration = .seconds(60), of body: @escaping @Sendable () async throws(WormholeError) -> R
  ) throws(WormholeError) -> R? {
    let outcome = Lock<Result<R, WormholeError>?>(nil)
    let task = Task {
      let result: Result<R, WormholeError>
      do throws(WormholeError) { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
      outcome.notifyAll()
    }
    defer { task.cancel() }
    let (seconds, attoseconds) = time.components
    outcome.wait(
      until: { $0 != nil },
      deadline: Clock.monotonic + UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000))
    return try outcome.withLock { $0 }?.get()
  }
}
