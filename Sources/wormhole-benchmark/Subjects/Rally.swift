import Wormhole

/// Round trips that are driven by what is heard: whoever hears the answer sends the next message, there and then.
final class Rally: Sendable {
  private struct State {
    var times: [UInt64] = []
    var left = 0
    var started: UInt64 = 0
    var failure: BenchmarkError?
  }

  private let state = Lock(State())
  private let send: @Sendable () throws -> Void

  /// A rally whose messages `send` sends.
  init(send: @escaping @Sendable () throws -> Void) { self.send = send }

  /// Notes that an answer was heard, and sends the next message when more are wanted.
  func heard() {
    let now = Clock.monotonic
    let hasMore = state.withLock { state in
      guard state.left > 0 else { return false }
      state.times.append(now - state.started)
      state.left -= 1
      state.started = Clock.monotonic
      return state.left > 0
    }
    if hasMore { serve() } else { state.notifyAll() }
  }

  /// Plays so many round trips; how long each took, in nanoseconds.
  func play(_ count: Int) throws(BenchmarkError) -> [UInt64] {
    state.withLock { state in
      state.times.removeAll(keepingCapacity: true)
      state.times.reserveCapacity(count)
      state.left = count
      state.started = Clock.monotonic
    }
    serve()
    state.wait(until: { $0.left == 0 || $0.failure != nil }, deadline: Clock.monotonic + 60_000_000_000)
    let (times, failure) = state.withLock { ($0.times, $0.failure) }
    if let failure { throw failure }
    if times.count < count { throw BenchmarkError("no answer within a minute, after \(times.count) of \(count)") }
    return times
  }

  /// Sends a message; what goes wrong ends the rally.
  private func serve() {
    do {
      try send()
    } catch {
      state.withLock { $0.failure = BenchmarkError("\(error)") }
      state.notifyAll()
    }
  }
}
