import Dispatch
public import Testing

/// Runs tests on threads of their own, so that one that blocks holds up no other.
///
/// The tasks of a process share as many threads as there are processors. A test that waits on its thread takes one of
/// them away, and a few such tests at once would let nobody go on whom they wait for.
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

  /// Runs a test, not the suite that holds it, in that way.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    if testCase == nil { return try await function() }
    try await withTaskExecutorPreference(Self.executor) { try await function() }
  }
}

extension Trait where Self == OwnThread {
  /// Runs tests that wait on their threads on threads of their own.
  public static var ownThread: OwnThread { OwnThread() }
}
