import CSystem
import Glibc

/// The tool's standard input, as a whole or line by line.
package struct StandardInput: ~Copyable {
  /// The most bytes that a message may have, so that no input can use up the memory.
  private let limit: Int
  /// How many bytes are asked for at once: as many as a pipe holds.
  private static let partSize = 65536
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  /// Whether it is a terminal, isatty(3).
  package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// The standard input of this process, whose messages may have up to `limit` bytes.
  package init(limit: Int) { self.limit = limit }

  /// All of the input.
  package mutating func readAll() throws(ToolError) -> [UInt8] {
    while try fill() { try checkLength() }
    return buffer
  }

  /// The next line without its line end, nil at the end; what stands behind the last line end is a line, too.
  ///
  /// Returns as soon as the line is complete, whatever comes after it.
  package mutating func nextLine() throws(ToolError) -> [UInt8]? {
    var searched = position
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        defer { position = end + 1 }
        return Array(buffer[position..<end])
      }
      searched = buffer.count
      // What has been given goes before more is read, and not at each line: that would take quadratic time.
      if position > 0 {
        buffer.removeFirst(position)
        searched -= position
        position = 0
      }
      // What is left is the beginning of one line.
      try checkLength()
      if try !fill() { break }
    }
    guard position < buffer.count else { return nil }
    defer { position = buffer.count }
    return Array(buffer[position...])
  }

  /// Reads what is there into the buffer, waiting for something; false at the end.
  private mutating func fill() throws(ToolError) -> Bool {
    guard !isAtEnd else { return false }
    var result = 0
    repeat {
      result = withUnsafeTemporaryAllocation(byteCount: Self.partSize, alignment: 1) { part in
        let got = read(STDIN_FILENO, part.baseAddress, part.count)
        if got > 0 { buffer.append(contentsOf: part[..<got]) }
        return got
      }
      if result < 0, errno == EAGAIN {
        var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        _ = poll(&waiting, 1, -1)
      }
    } while result < 0 && (errno == EINTR || errno == EAGAIN)
    if result < 0 {
      let error = SystemFailure(errno)
      let isMissing = error.number == EBADF || error.number == EISDIR
      throw ToolError(
        isMissing ? .noInput : .inputOutput,
        error.description(of: "standard input"))
    }
    isAtEnd = result == 0
    return !isAtEnd
  }

  /// Throws when what has been read is no message any more.
  private func checkLength() throws(ToolError) {
    guard buffer.count > limit else { return }
    throw ToolError(.badData, "standard input: the message is larger than \(limit) bytes; send it in parts")
  }
}
