import CSystem
import Dispatch
import Glibc

/// The bound of every wait of a test unless it says another: far longer than anything takes, on any machine.
public let patience: Duration = .seconds(120)

/// A moment of the monotonic clock at which a wait gives up.
struct Deadline {
  /// Nanoseconds of CLOCK_MONOTONIC.
  let nanoseconds: UInt64

  /// The moment `duration` from now.
  init(in duration: Duration) {
    let (seconds, attoseconds) = duration.components
    nanoseconds = Self.now + UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000)
  }

  /// What is left, in milliseconds for poll(2), rounded up; 0 when it is over.
  var milliseconds: Int32 {
    let now = Self.now
    return now >= nanoseconds ? 0 : Int32(clamping: (nanoseconds - now + 999_999) / 1_000_000)
  }

  /// Whether the moment has come.
  var isOver: Bool { Self.now >= nanoseconds }

  /// The time of CLOCK_MONOTONIC in nanoseconds.
  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// Waits until `condition` holds, looking again every few milliseconds, and throws when it does not in time.
///
/// For conditions that nothing announces, such as the state of another process; prefer `Inbox` and `HelperProcess`.
public func eventually(_ what: String, within duration: Duration = patience, _ condition: () throws -> Bool) throws {
  let deadline = Deadline(in: duration)
  while try !condition() {
    if deadline.isOver { throw SupportError("\(what): not within \(duration)") }
    usleep(2_000)
  }
}

/// Runs a blocking `body` on a thread of its own, so that a test does not hold up the tasks it waits for.
public func blocking<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "blocking").async { continuation.resume(with: Result(catching: body)) }
  }
}
