import Glibc

/// An error number of errno(3).
package struct Errno: Error, Hashable, Sendable {
  /// The number as the kernel gave it.
  package let rawValue: Int32

  /// Wraps a number.
  package init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// The number that the last call of this thread left.
  static var current: Errno { Errno(errno) }

  package static let notPermitted = Errno(EPERM)
  package static let noEntry = Errno(ENOENT)
  package static let interrupted = Errno(EINTR)
  package static let inputOutput = Errno(EIO)
  package static let badMessage = Errno(EBADMSG)
  package static let noDeviceOrAddress = Errno(ENXIO)
  package static let wouldBlock = Errno(EAGAIN)
  package static let accessDenied = Errno(EACCES)
  package static let exists = Errno(EEXIST)
  package static let notDirectory = Errno(ENOTDIR)
  package static let isDirectory = Errno(EISDIR)
  package static let invalidArgument = Errno(EINVAL)
  package static let processFilesFull = Errno(EMFILE)
  package static let systemFilesFull = Errno(ENFILE)
  package static let noSpace = Errno(ENOSPC)
  package static let fileTooLarge = Errno(EFBIG)
  package static let noMemory = Errno(ENOMEM)
  package static let illegalSeek = Errno(ESPIPE)
  package static let readOnly = Errno(EROFS)
  package static let symbolicLinkLoop = Errno(ELOOP)
  package static let nameTooLong = Errno(ENAMETOOLONG)
  package static let quotaExceeded = Errno(EDQUOT)
  package static let stale = Errno(ESTALE)
  package static let tooManyLinks = Errno(EMLINK)
  package static let noSystemCall = Errno(ENOSYS)
  package static let notSupported = Errno(EOPNOTSUPP)
  package static let crossDevice = Errno(EXDEV)
  package static let notEmpty = Errno(ENOTEMPTY)
  package static let accessConflict = Errno(EACCES)
  package static let timedOut = Errno(ETIMEDOUT)
}

extension Errno: CustomStringConvertible {
  /// The text of strerror_r(3).
  package var description: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress else { return "error \(rawValue)" }
      // The POSIX form of strerror_r, which is the one that Swift imports, fills the buffer.
      return strerror_r(rawValue, start, buffer.count) == 0 ? String(cString: start) : "error \(rawValue)"
    }
  }
}
