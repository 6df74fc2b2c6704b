import Glibc
import Wormhole

/// The tool's standard output: messages go out whole, as soon as they are complete.
package final class StandardOutput: Sendable {
  private let buffer = Lock<[UInt8]>([])

  /// The standard output of this process.
  package init() {}

  /// Adds bytes to what is to be written; they are written with the next `flush`, or when there are many.
  package func write(_ bytes: some Sequence<UInt8>) throws(ToolError) {
    try buffer.withLock { (buffer) throws(ToolError) in
      buffer.append(contentsOf: bytes)
      if buffer.count >= 65536 { try Self.drain(&buffer) }
    }
  }

  /// Writes what has been added, now.
  package func flush() throws(ToolError) {
    try buffer.withLock { (buffer) throws(ToolError) in try Self.drain(&buffer) }
  }

  /// Adds a message and writes it, now.
  package func print(_ bytes: some Sequence<UInt8>) throws(ToolError) {
    try write(bytes)
    try flush()
  }

  /// Writes all that a file holds, now.
  package func printFile(_ path: String) throws(ToolError) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw ToolError(.inputOutput, "\(path): \(SystemFailure(errno))") }
    defer { close(file) }
    var part = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(file, &part, part.count)
      if count == 0 { return try flush() }
      if count > 0 {
        try write(part[..<count])
      } else if errno != EINTR {
        throw ToolError(.inputOutput, "\(path): \(SystemFailure(errno))")
      }
    }
  }

  /// Writes the buffer and empties it; a reader that has gone ends the tool quietly.
  private static func drain(_ buffer: inout [UInt8]) throws(ToolError) {
    defer { buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20) }
    do {
      try writeAll(buffer, to: STDOUT_FILENO)
    } catch {
      if error.number == EPIPE { throw .closedPipe }
      throw ToolError(
        .inputOutput, error.description(of: "standard output"))
    }
  }
}
