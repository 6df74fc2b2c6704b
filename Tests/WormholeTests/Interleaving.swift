import TestSupport
import Wormhole

/// Runs `body` on the wormhole thread, where events are told and replies handed out, and waits until it has ended.
func onWormholeThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) throws -> R {
  let result = Inbox<Result<R, any Error>>()
  Watcher.shared.run { result.put(Result(catching: body)) }
  return try result.next().get()
}

/// Puts the system calls that `body` makes on this thread to a test, which may do something else before them.
///
/// The calls of what it does come to nobody.
@discardableResult func interleaving<R>(
  _ decision: @escaping @Sendable (SystemCall) throws -> Fault?, _ body: () throws -> R
) throws -> R {
  let (isInside, problem) = (Lock(false), Lock<(any Error)?>(nil))
  let result = try Interception.with({ call in
    let isFirst = isInside.withLock { isInside in
      defer { isInside = true }
      return !isInside
    }
    guard isFirst else { return nil }
    defer { isInside.withLock { $0 = false } }
    do { return try decision(call) } catch {
      problem.withLock { $0 = error }
      return nil
    }
  }) { () throws -> R in try body() }
  if let problem = problem.withLock({ $0 }) { throw problem }
  return result
}
