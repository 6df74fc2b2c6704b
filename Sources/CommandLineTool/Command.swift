import CSystem
import Glibc

/// A shell command that a tool runs for a message, sh(1).
package struct Command: Sendable {
  /// How a command ended.
  package enum Status: Equatable, Sendable {
    /// With this exit code.
    case code(Int32)
    /// By this signal.
    case signal(Int32)

    /// The end in words.
    package var description: String {
      switch self {
      case .code(let code): "exited with \(code)"
      case .signal(let number): "was ended by signal \(number)"
      }
    }
  }

  /// The number of the process.
  private let process: pid_t
  /// A descriptor of the process, to signal it and no other.
  package let handle: Int32

  /// Starts `sh -c command`; standard error is the tool's own.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - input: What it finds on its standard input, unless that is a file.
  ///   - path: The file that is its standard input.
  ///   - variables: What is added to its environment.
  ///   - output: Its standard output; the tool's own when nil.
  package init(
    _ command: String, input: [UInt8] = [], file path: String? = nil, variables: [(name: String, value: String)],
    output: Int32? = nil
  ) throws(ToolError) {
    // A file instead of a pipe: a command that does not read its input neither blocks the tool nor fails it.
    let file = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? csystem_memory_file("message")
    guard file >= 0 else { throw ToolError(.inputOutput, "input of command: \(SystemFailure(errno))") }
    defer { close(file) }
    do { try writeAll(input, to: file) } catch { throw ToolError(.inputOutput, "input of command: \(error)") }
    lseek(file, 0, SEEK_SET)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, file, STDIN_FILENO)
    if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    let variables = Self.inherited(without: variables.map(\.name)) + variables.map { "\($0.name)=\($0.value)" }
    var process = pid_t()
    let result = Spawning.start("/bin/sh", ["sh", "-c", command], environment: variables, &actions, &process)
    guard result == 0 else { throw ToolError(.failed, "/bin/sh: \(SystemFailure(result))") }
    self.process = process
    handle = csystem_pidfd_open(process)
  }

  /// Waits until the command has ended.
  package consuming func wait() -> Status {
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    if handle >= 0 { close(handle) }
    return status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }

  /// The variables of this process, but those named.
  private static func inherited(without names: [String]) -> [String] {
    Spawning.inherited.filter { variable in !names.contains { variable.hasPrefix("\($0)=") } }
  }
}
