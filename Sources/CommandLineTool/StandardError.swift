import CSystem
import Glibc

/// The tool's standard error: whole lines, each written at once.
package enum StandardError {
  /// Writes `program: message` as one line; control characters in it are shown as escapes.
  package static func report(_ program: String, _ message: String) {
    var line = "\(program): "
    for scalar in message.unicodeScalars {
      line += scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
    }
    line += "\n"
    // Where even standard error cannot be written there is nobody left to tell.
    _ = try? writeAll(Array(line.utf8), to: STDERR_FILENO)
  }
}

/// Writes all bytes, write(2), through interruptions and short writes.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemFailure) {
  var written = 0
  while written < bytes.count {
    let result = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written) }
    if result >= 0 {
      written += result
    } else if errno == EAGAIN {
      // Somebody made the shared description non-blocking; wait until it takes more.
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&waiting, 1, -1)
    } else if errno != EINTR {
      throw SystemFailure(errno)
    }
  }
}

/// An error number of a system call, as in errno(3).
package struct SystemFailure: Error, CustomStringConvertible {
  /// The number.
  package let number: Int32

  /// The failure with this error number.
  package init(_ number: Int32) { self.number = number }

  /// What the system says about it, and what to do where that is known.
  package var description: String {
    let reason = String(cString: strerror(number))
    return switch number {
    case ENOSPC: "\(reason); free some space"
    case EMFILE: "\(reason); raise the limit with ulimit -n"
    default: reason
    }
  }

  /// What is wrong with a standard stream.
  func description(of stream: String) -> String {
    switch number {
    case EBADF: "\(stream) is closed; let it be a file, a pipe or the terminal"
    case EISDIR: "\(stream) is a directory; name a file"
    default: "\(stream): \(self)"
    }
  }
}
