import CSystem
import Glibc

/// The pipes and the end of a helper process: what was read and not yet taken, what is still to be written.
struct HelperPipes {
  /// What came out of one pipe.
  struct Stream {
    /// What was read and not yet taken.
    private(set) var bytes: [UInt8] = []
    fileprivate var descriptor: Int32

    /// A stream that reads `descriptor`, which does not block.
    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Whether no more will come.
    var isAtEnd: Bool { descriptor < 0 }

    /// Whether a whole line is there.
    var hasLine: Bool { bytes.contains(0x0A) }

    /// What is there, as text for an error.
    var text: String { String(decoding: bytes.suffix(2000), as: UTF8.self) }

    /// Takes a line, or what stands without a line end at the end, nil when there is none.
    mutating func takeLine() -> String? {
      guard let end = bytes.firstIndex(of: 0x0A) ?? (isAtEnd && !bytes.isEmpty ? bytes.count : nil) else { return nil }
      defer { bytes.removeFirst(min(end + 1, bytes.count)) }
      return String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// Takes `count` bytes, nil when there are fewer.
    mutating func take(_ count: Int) -> [UInt8]? {
      guard bytes.count >= count else { return nil }
      defer { bytes.removeFirst(count) }
      return Array(bytes.prefix(count))
    }

    /// Takes all that is there.
    mutating func takeAll() -> [UInt8] {
      defer { bytes = [] }
      return bytes
    }

    /// Reads what the pipe holds.
    fileprivate mutating func read() {
      var buffer = [UInt8](repeating: 0, count: 65536)
      while !isAtEnd {
        let got = Glibc.read(descriptor, &buffer, buffer.count)
        if got > 0 {
          bytes += buffer[..<got]
        } else if got == 0 || (errno != EAGAIN && errno != EINTR) {
          close()
        } else if errno == EAGAIN {
          return
        }
      }
    }

    /// Reads no more.
    fileprivate mutating func close() {
      if descriptor >= 0 { Glibc.close(descriptor) }
      descriptor = -1
    }
  }

  /// How the process ended, nil while it runs.
  private(set) var exit: HelperProcess.Exit?
  /// Standard output.
  var output: Stream
  /// Standard error.
  var errors: Stream
  private var input: Int32
  private var pending: [UInt8] = []
  private var endsInput = false
  private let process: pid_t
  private let handle: Int32

  /// The pipes of a process just started.
  init(_ spawned: Spawned) {
    process = spawned.process
    handle = spawned.handle
    input = spawned.input
    output = Stream(spawned.output)
    errors = Stream(spawned.errors)
  }

  /// Whether nothing waits to be written.
  var isInputWritten: Bool { pending.isEmpty }

  /// Puts bytes behind those still to be written.
  mutating func enqueue(_ bytes: [UInt8]) {
    pending += bytes
    writeInput()
  }

  /// Ends the input once all is written.
  mutating func endInput() {
    endsInput = true
    writeInput()
  }

  /// Closes the reading end of standard output.
  mutating func closeOutput() { output.close() }

  /// Closes all pipes.
  mutating func close() {
    output.close()
    errors.close()
    closeInput()
  }

  /// Reads, writes and watches the process until `isDone` holds; false when the deadline was first.
  mutating func pump(_ deadline: Deadline, until isDone: (Self) -> Bool) throws -> Bool {
    while true {
      output.read()
      errors.read()
      writeInput()
      reap()
      if isDone(self) { return true }
      var polled = [
        pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: exit == nil ? handle : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: pending.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
      ]
      if deadline.isOver { return false }
      if poll(&polled, nfds_t(polled.count), deadline.milliseconds) < 0, errno != EINTR {
        throw SupportError("poll", errno: errno)
      }
    }
  }

  /// Writes what the pipe takes; a process that reads no more is given no more.
  private mutating func writeInput() {
    while input >= 0, !pending.isEmpty {
      let written = write(input, pending, pending.count)
      if written >= 0 {
        pending.removeFirst(written)
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        pending = []
        closeInput()
      }
    }
    if pending.isEmpty, endsInput { closeInput() }
  }

  /// Closes the process's input.
  private mutating func closeInput() {
    if input >= 0 { Glibc.close(input) }
    input = -1
  }

  /// Takes note of the end of the process.
  private mutating func reap() {
    var status: Int32 = 0
    guard exit == nil, waitpid(process, &status, WNOHANG) == process else { return }
    exit = status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
    // What the process wrote before it ended is in the pipes.
    output.read()
    errors.read()
  }
}
