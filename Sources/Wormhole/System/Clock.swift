import CSystem
import Glibc

/// The clocks of clock_gettime(2), in nanoseconds.
package enum Clock {
  /// Time since the epoch, as people set it.
  package static var realtime: Int64 {
    if case .answer(let time)? = Interception.fault(for: .clockGettime) { return Int64(truncatingIfNeeded: time) }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Time that only moves forward, for waits.
  package static var monotonic: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Lets the calling thread sleep, nanosleep(2).
  package static func sleep(nanoseconds: UInt64) {
    if case .answer? = Interception.fault(for: .nanosleep) { return }
    var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    var rest = timespec()
    while nanosleep(&time, &rest) == -1 { time = rest }
  }
}
