import CSystem
import Glibc

/// A file in memory that takes what a command prints.
package struct CommandOutput: ~Copyable {
  /// What the command gets as its standard output.
  package let descriptor: Int32

  /// An empty one.
  package init() throws(ToolError) {
    descriptor = csystem_memory_file("output")
    guard descriptor >= 0 else { throw ToolError(.inputOutput, "output of command: \(SystemFailure(errno))") }
  }

  deinit { close(descriptor) }

  /// All that has been printed.
  ///
  /// - Throws: 65 when it is more than `limit` bytes.
  package func bytes(limit: Int) throws(ToolError) -> [UInt8] {
    let size = Int(lseek(descriptor, 0, SEEK_END))
    guard size <= limit else {
      throw ToolError(.badData, "output of command: it is larger than \(limit) bytes; print less")
    }
    var bytes = [UInt8](repeating: 0, count: max(0, size))
    var count = 0
    while count < bytes.count {
      let result = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count, off_t(count))
      }
      if result == 0 { break }
      if result > 0 {
        count += result
      } else if errno != EINTR {
        throw ToolError(.inputOutput, "output of command: \(SystemFailure(errno))")
      }
    }
    return Array(bytes[..<count])
  }
}
