import Dispatch
public import Testing
import Wormhole

/// Runs tests on threads of their own, so that one that blocks or calculates for long holds up no other.
///
/// The tasks of a process share as many threads as there are processors. A test that waits on its thread takes one of
/// them away, and a few such tests at once would let nobody go on whom they wait for. Only so many run at once as there
/// is use for: hundreds of them would starve each other, and use up the threads that a process may have. A time limit
/// counts the waiting for a turn too.
public struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  /// It holds for all tests of a suite.
  public let isRecursive = true

  /// Lets each part of a test between two suspensions run on a thread that it has to itself.
  private final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      DispatchQueue(label: "test").async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  private static let executor = ThreadExecutor()
  private static let slots = Slots(12)

  /// Runs a test, not the suite that holds it, in that way.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    if testCase == nil { return try await function() }
    await Self.slots.enter()
    defer { Self.slots.leave() }
    try await withTaskExecutorPreference(Self.executor) { try await function() }
  }
}

/// Lets so many at once go on, the others in the order in which they came.
private final class Slots: Sendable {
  private let state: Lock<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

  /// This many places, all free.
  init(_ count: Int) { state = Lock((count, [])) }

  /// Takes a place, waiting for one without holding up other tasks.
  func enter() async {
    await withCheckedContinuation { continuation in
      let hasEntered = state.withLock { state in
        if state.free == 0 {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if hasEntered { continuation.resume() }
    }
  }

  /// Gives the place to the next who waits, or back.
  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}

extension Trait where Self == OwnThread {
  /// Runs tests that wait on their threads on threads of their own.
  public static var ownThread: OwnThread { OwnThread() }
}
