import CSystem
import Glibc
import Synchronization

/// How a range of a file is locked.
package enum LockKind: Sendable {
  case shared, exclusive

  /// The name of the kind in fcntl(2).
  var type: Int16 { self == .shared ? Int16(F_RDLCK) : Int16(F_WRLCK) }
}

/// Open file description locks, fcntl(2): they belong to the open file, end with it, and count between threads too.
///
/// What is not given back is when the descriptor goes out of scope.
extension FileDescriptor {
  /// Takes the lock at once, or tells that another has it.
  package func tryLock(_ kind: LockKind, at offset: Int, length: Int = 1) throws(Errno) -> Bool {
    do throws(Errno) {
      _ = try systemCall(.fcntlLock) { csystem_ofd_setlk(number, kind.type, off_t(offset), off_t(length)) }
      mayBeLocked.store(true, ordering: .relaxed)
      return true
    } catch {
      if error == .wouldBlock || error == .accessConflict { return false }
      throw error
    }
  }

  /// Takes the lock, waiting no longer than `timeout` nanoseconds; false when the time is over.
  ///
  /// Tries again after sleeps that grow from microseconds: F_OFD_SETLKW could not be bounded in time, and nobody spins.
  package func lock(_ kind: LockKind, at offset: Int, length: Int = 1, timeout: UInt64) throws(Errno) -> Bool {
    if try tryLock(kind, at: offset, length: length) { return true }
    let deadline = Clock.monotonic + timeout
    var pause: UInt64 = 1_000
    while true {
      Clock.sleep(nanoseconds: pause)
      if try tryLock(kind, at: offset, length: length) { return true }
      if Clock.monotonic >= deadline { return false }
      pause = min(pause * 2, 10_000_000)
    }
  }

  /// Gives the lock back; tries again when that fails, as a lock that stays holds up everybody else.
  package func unlock(at offset: Int, length: Int = 1) throws(Errno) {
    for _ in 0..<3 {
      do throws(Errno) { return try unlockOnce(at: offset, length: length) } catch { continue }
    }
    try unlockOnce(at: offset, length: length)
  }

  /// Gives all locks back.
  package func unlockAll() throws(Errno) {
    try unlock(at: 0, length: 0)
    mayBeLocked.store(false, ordering: .relaxed)
  }

  private func unlockOnce(at offset: Int, length: Int) throws(Errno) {
    _ = try systemCall(.fcntlLock) { csystem_ofd_setlk(number, Int16(F_UNLCK), off_t(offset), off_t(length)) }
  }

  /// Whether somebody else holds a lock that would stand in the way of one of `kind`; takes nothing.
  package func isLockedByAnother(against kind: LockKind, at offset: Int, length: Int = 1) throws(Errno) -> Bool {
    let type = try systemCall(.fcntlLock) { csystem_ofd_getlk(number, kind.type, off_t(offset), off_t(length)) }
    return type != Int32(F_UNLCK)
  }
}
