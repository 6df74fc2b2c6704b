import CSystem
import Glibc

/// A mutual exclusion lock around a state, pthread_mutex_lock(3), with a condition to wait on.
///
/// The single unchecked Sendable of the library. `Synchronization.Mutex` would do, but the thread sanitizer reports
/// false races on it; it knows pthread's locks. The state is reached only through `withLock`.
package final class Lock<State>: @unchecked Sendable {
  // Unchecked, as the compiler cannot know of pthread's locks that `state` is reached under `mutex` alone.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  // By pointer: that no two reach it at once is what the mutex is for, and need not be checked a second time.
  private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

  /// Makes a free lock around `state`.
  package init(_ state: sending State) {
    self.state.initialize(to: state)
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    state.deinitialize(count: 1)
    state.deallocate()
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` on the state while no other thread does.
  package func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state.pointee)
  }

  /// As `withLock`, but does nothing, and gives nil, where another thread, or this one, has the lock.
  package func withLockIfFree<R>(_ body: (inout State) -> R) -> R? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { pthread_mutex_unlock(mutex) }
    return body(&state.pointee)
  }

  /// Waits until `isDone` holds, then runs `body`; whoever makes it hold calls `notifyAll`.
  package func wait<R>(until isDone: (State) -> Bool, then body: (inout State) -> R) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isDone(state.pointee) { pthread_cond_wait(condition, mutex) }
    return body(&state.pointee)
  }

  /// Waits until `isDone` holds or the monotonic time `deadline` (nanoseconds) is over.
  package func wait(until isDone: (State) -> Bool, deadline: UInt64) {
    var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isDone(state.pointee), pthread_cond_timedwait(condition, mutex, &time) == 0 {}
  }

  /// Wakes all who wait.
  package func notifyAll() { pthread_cond_broadcast(condition) }
}
