import CSystem
package import CommandLineTool
import Dispatch
import Glibc
import Wormhole

/// A watch in a process of its own that draws its face for this program.
package final class WatchProcess: Sendable {
  /// The number of the process.
  package let processIdentifier: Int32
  /// Where it reads what it is told, -1 once nothing more is to be said.
  private let input: Lock<Int32>

  /// Starts `todo-watch`, which lies beside this program, on a wormhole's directory.
  ///
  /// - Parameters:
  ///   - directory: The wormhole's directory.
  ///   - onFrame: Called with each frame, on a thread of its own.
  ///   - onEnd: Called at last, with how the process ended.
  package init(
    directory: String, onFrame: @escaping @Sendable (Frame) -> Void, onEnd: @escaping @Sendable (String) -> Void
  ) throws(ToolError) {
    let path = try Self.path()
    let (childInput, input) = try Self.pipe()
    let (output, childOutput) = try Self.pipe()
    let (errors, childErrors) = try Self.pipe()
    let childEnds = [childInput, childOutput, childErrors]
    defer { for end in childEnds { close(end) } }
    do {
      processIdentifier = try Self.spawn(path, ["--directory", directory, "face"], streams: childEnds)
    } catch {
      for end in [input, output, errors] { close(end) }
      throw error
    }
    // A watch that stands still must not hold up the keys of the phone: what does not fit into the pipe is dropped.
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
    self.input = Lock(input)
    let process = processIdentifier
    DispatchQueue(label: "todo.watch").async {
      var bytes: [UInt8] = []
      Self.readAll(output) { chunk in
        bytes += chunk
        // Of frames that came together the last is the one to see.
        if let frame = JSONLine.takeAll(Frame.self, from: &bytes).last { onFrame(frame) }
      }
      var complaint: [UInt8] = []
      Self.readAll(errors) { complaint = (complaint + $0).suffix(1000) }
      var status: Int32 = 0
      while waitpid(process, &status, 0) == -1, errno == EINTR {}
      onEnd(Self.end(status, String(decoding: complaint, as: UTF8.self)))
    }
  }

  deinit { tellToEnd() }

  /// Tells the watch something; nothing happens when it has ended, or when it is more than a pipe takes in one piece.
  package func send(_ message: FaceInput) {
    let line = JSONLine.encoded(message)
    if line.count > PIPE_BUF { return }
    input.withLock { input in
      if input >= 0 { _ = write(input, line, line.count) }
    }
  }

  /// Lets the watch end by itself.
  package func tellToEnd() {
    input.withLock { input in
      if input >= 0 { close(input) }
      input = -1
    }
  }

  /// How a process ended, in words; its last complaint if it had one.
  private static func end(_ status: Int32, _ complaint: String) -> String {
    let signal = status & 0x7F
    if signal != 0 { return "killed by signal \(signal)" }
    if let line = complaint.split(separator: "\n").last { return String(line) }
    let code = status >> 8 & 0xFF
    return code == 0 ? "it was told to" : "exit code \(code)"
  }

  /// The path of `todo-watch`, beside that of the running program.
  private static func path() throws(ToolError) -> String {
    let path = "\(Program.folder)/todo-watch"
    guard access(path, X_OK) == 0 else {
      throw ToolError(.failed, "\(path): \(Errno(errno)); build todo-watch, it belongs beside todo-phone")
    }
    return path
  }

  /// A pipe whose ends no other process inherits.
  private static func pipe() throws(ToolError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard csystem_pipe(&ends) == 0 else { throw ToolError(.inputOutput, "pipe: \(SystemFailure(errno))") }
    return (ends[0], ends[1])
  }

  /// Starts a program with these standard streams.
  private static func spawn(_ path: String, _ arguments: [String], streams: [Int32]) throws(ToolError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, stream) in streams.enumerated() { posix_spawn_file_actions_adddup2(&actions, stream, Int32(target)) }
    var process = pid_t()
    let result = Spawning.start(path, [path] + arguments, &actions, &process)
    guard result == 0 else { throw ToolError(.failed, "\(path): \(SystemFailure(result))") }
    return process
  }

  /// Reads a pipe to its end and closes it.
  private static func readAll(_ descriptor: Int32, _ body: (ArraySlice<UInt8>) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { body(buffer[..<count]) } else if count == 0 || errno != EINTR { break }
    }
    close(descriptor)
  }
}
