import Synchronization

/// The system calls that the library makes, by name: what a test can make fail.
package enum SystemCall: String, CaseIterable, Sendable {
  case open, close, lseek, pread, pwrite, preadv, pwritev, read, write, fstat, fstatat, ftruncate, fdatasync, fsync
  case fcntlLock, unlinkat, renameat2, linkat, mkdirat, fchmod, fstatfs, copyFileRange, ficlone, punchHole
  case inotifyInit, inotifyAddWatch, inotifyRmWatch, opendir, poll, readlinkat, nanosleep, clockGettime
}

/// What a test makes of a system call instead of the call.
package enum Fault: Sendable {
  /// The call is not made and fails with this number.
  case fail(Errno)
  /// The call is made with no more than so many bytes: a short read or write.
  case short(Int)
  /// The call is not made and gives this number, where it gives one.
  case answer(UInt)
}

/// The seam at which tests make system calls fail; costs one relaxed load a call while nobody uses it.
package enum Interception {
  /// Decides about one call on the thread that armed it.
  package typealias Decision = @Sendable (SystemCall) -> Fault?

  private static let isArmed = Atomic<Bool>(false)
  private static let decisions = Lock<[ThreadID: Decision]>([:])
  private static let everywhere = Lock<Everywhere?>(nil)

  /// A decision in a structure: a bare closure that is reached through a generic lock is wrapped anew with each look, so
  /// that each call would take longer than the one before.
  private struct Everywhere: Sendable {
    let decide: Decision
  }

  /// Runs `body` while every system call of this thread is first put to `decision`.
  package static func with<R, E: Error>(_ decision: @escaping Decision, _ body: () throws(E) -> R) throws(E) -> R {
    let thread = ThreadID.current
    decisions.withLock { $0[thread] = decision }
    isArmed.store(true, ordering: .releasing)
    defer { decisions.withLock { $0[thread] = nil } }
    return try body()
  }

  /// Puts the system calls of all threads of this process that armed none of their own to `decision` from now on.
  package static func everywhere(_ decision: @escaping Decision) {
    everywhere.withLock { $0 = Everywhere(decide: decision) }
    isArmed.store(true, ordering: .releasing)
  }

  /// The fault that stands for this call on this thread, if a test armed one.
  @inline(__always)
  static func fault(for call: SystemCall) -> Fault? {
    isArmed.load(ordering: .relaxed) ? armedFault(for: call) : nil
  }

  @inline(never)
  private static func armedFault(for call: SystemCall) -> Fault? {
    let thread = ThreadID.current
    let decision = decisions.withLock { $0[thread] } ?? everywhere.withLock { $0?.decide }
    return decision?(call)
  }
}

/// Makes one system call that fails with -1, again as long as a signal interrupts it: the one place that knows EINTR.
@inline(__always)
func systemCall<R: SignedInteger>(_ call: SystemCall, _ body: () -> R) throws(Errno) -> R {
  while true {
    if case .fail(let error)? = Interception.fault(for: call) {
      if error == .interrupted { continue }
      throw error
    }
    let result = body()
    if result != -1 { return result }
    let error = Errno.current
    if error != .interrupted { throw error }
  }
}

/// Makes one call that fails with -1 and else puts a number where it is told: as `systemCall`, and a test may answer.
func numberCall(_ call: SystemCall, _ body: (inout UInt) -> Int32) throws(Errno) -> UInt {
  var number: UInt = 0
  while true {
    switch Interception.fault(for: call) {
    case .answer(let answer)?: return answer
    case .fail(let error)?:
      if error == .interrupted { continue }
      throw error
    case .short?, nil: break
    }
    if body(&number) != -1 { return number }
    let error = Errno.current
    if error != .interrupted { throw error }
  }
}

/// Makes one call that moves bytes: as `systemCall`, and `count` is cut where a test wants a short one.
@inline(__always)
func transferCall(_ call: SystemCall, count: Int, _ body: (Int) -> Int) throws(Errno) -> Int {
  while true {
    var allowed = count
    switch Interception.fault(for: call) {
    case .fail(let error)?:
      if error == .interrupted { continue }
      throw error
    case .short(let limit)?: allowed = min(count, limit)
    case .answer?, nil: break
    }
    let result = body(allowed)
    if result != -1 { return result }
    let error = Errno.current
    if error != .interrupted { throw error }
  }
}
