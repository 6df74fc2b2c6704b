import CSystem
import CommandLineTool
import Glibc
import Wormhole

/// Another process, started by this one, killed at the latest when its holder lets go of it.
final class ChildProcess {
  /// Where a stream of the process leads.
  enum Stream {
    /// To this process.
    case pipe
    /// To where this process's own leads.
    case inherited
    /// Nowhere.
    case null
  }

  /// The number of the process.
  let identifier: pid_t
  private let input: Int32
  private let output: Int32
  private var unread: [UInt8] = []
  private var hasEnded = false

  /// Starts a program with a pipe as its standard input.
  ///
  /// - Parameters:
  ///   - program: Its path.
  ///   - arguments: What follows its name.
  ///   - environment: Variables to add, `NAME=VALUE`.
  ///   - output: Where its standard output leads.
  ///   - errors: Where its standard error leads; `.pipe` is read together with the standard output.
  ///   - passing: A descriptor that it finds as number 3.
  init(
    _ program: String, _ arguments: [String], environment: [String] = [], output: Stream = .pipe,
    errors: Stream = .inherited, passing: Int32? = nil
  ) throws(BenchmarkError) {
    var toChild: [Int32] = [-1, -1]
    var fromChild: [Int32] = [-1, -1]
    try checked("pipe", csystem_pipe(&toChild))
    try checked("pipe", csystem_pipe(&fromChild))
    defer {
      close(toChild[0])
      close(fromChild[1])
    }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO)
    for (stream, number) in [(output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
      switch stream {
      case .pipe: posix_spawn_file_actions_adddup2(&actions, fromChild[1], number)
      case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
      case .inherited: break
      }
    }
    if let passing { posix_spawn_file_actions_adddup2(&actions, passing, 3) }

    var process = pid_t()
    let variables = Spawning.inherited + environment
    let result = Spawning.start(program, [program] + arguments, environment: variables, &actions, &process)
    guard result == 0 else {
      close(toChild[1])
      close(fromChild[0])
      throw .failed("starting \(program)", number: result)
    }
    identifier = process
    input = toChild[1]
    self.output = fromChild[0]
    Cleanup.remember(process: process)
  }

  deinit { kill() }

  /// Writes a line to its standard input.
  func write(line: String) throws(BenchmarkError) {
    let bytes = Array((line + "\n").utf8)
    guard Glibc.write(input, bytes, bytes.count) == bytes.count else { throw .failed("writing to a process") }
  }

  /// Reads the next line of its standard output; an error when it ends first or nothing comes for 60 seconds.
  func readLine() throws(BenchmarkError) -> String {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeSubrange(...end)
        return line
      }
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 60_000) > 0 else { throw BenchmarkError("a process said nothing for a minute") }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(output, &buffer, buffer.count)
      guard count > 0 else { throw BenchmarkError("a process ended too early") }
      unread += buffer[..<count]
    }
  }

  /// Waits until its output holds `text`, wherever.
  func wait(for text: String) throws(BenchmarkError) {
    while !(try readLine()).contains(text) {}
  }

  /// Waits for its end and gives its exit code, or the negative number of the signal that ended it.
  @discardableResult
  func waitForExit() -> Int32 {
    guard !hasEnded else { return 0 }
    hasEnded = true
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) == -1, errno == EINTR {}
    Cleanup.forget(process: identifier)
    close(input)
    close(output)
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
  }

  /// Ends it at once.
  func kill() {
    guard !hasEnded else { return }
    Glibc.kill(identifier, SIGKILL)
    waitForExit()
  }
}
