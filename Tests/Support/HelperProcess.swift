import CSystem
import Glibc
import Wormhole

/// A program that a test runs: its input, its output and its errors are in the test's hand, every wait is bounded.
///
/// The waits block their thread; call them through `blocking { … }` where the test itself has to go on. What is not
/// read waits in memory, so a program is never held up by a full pipe while the test waits for something else.
/// The process is killed when the last reference goes.
public final class HelperProcess: Sendable {
  /// How a process ended.
  public enum Exit: Equatable, Sendable {
    /// By itself, with this code.
    case code(Int32)
    /// By this signal.
    case signal(Int32)
  }

  /// What a process that ran to its end has left.
  public struct Outcome: Sendable {
    /// How it ended.
    public let exit: Exit
    /// What it wrote to standard output, but what was read as lines.
    public let output: [UInt8]
    /// What it wrote to standard error, but what was read as lines.
    public let errors: [UInt8]
    /// The output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// The errors as text.
    public var errorText: String { String(decoding: errors, as: UTF8.self) }
  }

  /// The number of the process.
  public let processIdentifier: Int32
  private let name: String
  private let handle: Int32
  private let pipes: Lock<HelperPipes>

  /// Starts `program`: a path, or the name of a product of this package, such as `wormhole-send`.
  ///
  /// `environment` changes this process's: a nil value takes a variable away.
  public init(
    _ program: String, _ arguments: [String] = [], environment: [String: String?] = [:], in directory: String? = nil
  ) throws {
    var variables = currentEnvironment()
    for (variable, value) in environment { variables[variable] = value }
    // A crashing program shall end at once, with its signal, instead of printing a backtrace for seconds.
    variables["SWIFT_BACKTRACE"] = "enable=no"
    let path = program.contains("/") ? program : try Self.path(of: program)
    let spawned = try spawn(path, arguments, environment: variables, in: directory)
    name = program
    processIdentifier = spawned.process
    handle = spawned.handle
    pipes = Lock(HelperPipes(spawned))
  }

  deinit {
    send(SIGKILL)
    _ = try? pipes.withLock { try $0.pump(Deadline(in: patience)) { $0.exit != nil } }
    pipes.withLock { $0.close() }
    close(handle)
  }

  /// The path of a product of this package, which lies beside the program that runs the tests.
  public static func path(of product: String) throws -> String {
    let path = "\(Program.folder)/\(product)"
    guard access(path, X_OK) == 0 else { throw SupportError("program \(path)", errno: errno) }
    return path
  }

  /// Runs a program to its end and gives what it left.
  public static func run(
    _ program: String, _ arguments: [String] = [], input: some Sequence<UInt8> = [],
    environment: [String: String?] = [:], in directory: String? = nil, within duration: Duration = patience
  ) throws -> Outcome {
    let process = try HelperProcess(program, arguments, environment: environment, in: directory)
    process.write(input)
    process.closeInput()
    return try process.waitUntilExit(within: duration)
  }

  /// Gives bytes to the process's standard input, as it reads them, while the test waits for something of it.
  public func write(_ bytes: some Sequence<UInt8>) { pipes.withLock { $0.enqueue(Array(bytes)) } }

  /// Gives text to the process's standard input.
  public func write(_ text: String) { write(text.utf8) }

  /// Ends the process's standard input after what has been written.
  public func closeInput() { pipes.withLock { $0.endInput() } }

  /// Closes the end of the pipe that the process's standard output is read from.
  public func closeOutput() { pipes.withLock { $0.closeOutput() } }

  /// The next line of standard output, without its line end.
  public func nextLine(within duration: Duration = patience) throws -> String {
    try wait("a line of output", duration) { $0.output.hasLine || $0.output.isAtEnd }
    return try line { $0.output.takeLine() }
  }

  /// The next line of standard error, without its line end.
  public func nextErrorLine(within duration: Duration = patience) throws -> String {
    try wait("a line of errors", duration) { $0.errors.hasLine || $0.errors.isAtEnd }
    return try line { $0.errors.takeLine() }
  }

  /// The next `count` bytes of standard output.
  public func nextBytes(_ count: Int, within duration: Duration = patience) throws -> [UInt8] {
    try wait("\(count) bytes of output", duration) { $0.output.bytes.count >= count || $0.output.isAtEnd }
    return try pipes.withLock { pipes in
      guard let bytes = pipes.output.take(count) else {
        throw SupportError("\(name) gave \(pipes.output.bytes.count) bytes, not \(count)")
      }
      return bytes
    }
  }

  /// Waits until all that was written has gone into the pipe of the process's standard input.
  public func waitUntilWritten(within duration: Duration = patience) throws {
    try wait("room for input", duration) { $0.isInputWritten }
  }

  /// Waits until the process has ended and its pipes are read to their ends; gives what it left.
  public func waitUntilExit(within duration: Duration = patience) throws -> Outcome {
    try wait("the end", duration) { $0.exit != nil && $0.output.isAtEnd && $0.errors.isAtEnd }
    return try pipes.withLock { pipes in
      guard let exit = pipes.exit else { throw SupportError("\(name) has not ended") }
      return Outcome(exit: exit, output: pipes.output.takeAll(), errors: pipes.errors.takeAll())
    }
  }

  /// Whether the process has not ended.
  public var isRunning: Bool {
    pipes.withLock { pipes in
      _ = try? pipes.pump(Deadline(in: .zero)) { $0.exit != nil }
      return pipes.exit == nil
    }
  }

  /// Sends a signal to the process; nothing happens when it has ended.
  public func send(_ signal: Int32) { _ = csystem_pidfd_send_signal(handle, signal) }

  /// Ends the process at whatever it is doing, SIGKILL, and waits until it has gone.
  public func kill() throws {
    send(SIGKILL)
    try wait("the end", patience) { $0.exit != nil }
  }

  /// Stops the process, SIGSTOP, and waits until it stands still.
  public func stop() throws {
    send(SIGSTOP)
    try eventually("\(name) stopped") { try processState() == "T" }
  }

  /// Lets a stopped process go on, SIGCONT.
  public func resume() { send(SIGCONT) }

  /// The state letter of the process, proc_pid_stat(5): `S` sleeps, `R` runs, `T` is stopped, `Z` has ended.
  public func processState() throws -> Character {
    let descriptor = open("/proc/\(processIdentifier)/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SupportError("/proc/\(processIdentifier)/stat", errno: errno) }
    defer { close(descriptor) }
    let text = String(decoding: try readToEnd(of: descriptor), as: UTF8.self)
    guard let parenthesis = text.lastIndex(of: ")"), let state = text[parenthesis...].dropFirst(2).first else {
      throw SupportError("/proc/\(processIdentifier)/stat: \(text)")
    }
    return state
  }

  /// Waits for `condition`, naming what the process wrote to standard error when it does not come.
  private func wait(_ what: String, _ duration: Duration, _ condition: (HelperPipes) -> Bool) throws {
    try pipes.withLock { pipes in
      guard try !pipes.pump(Deadline(in: duration), until: condition) else { return }
      throw SupportError(
        "\(name): \(what) did not come within \(duration); output so far: \(pipes.output.text), "
          + "errors so far: \(pipes.errors.text)")
    }
  }

  /// A line that was waited for, or the error that there is none.
  private func line(_ take: (inout HelperPipes) -> String?) throws -> String {
    try pipes.withLock { pipes in
      guard let line = take(&pipes) else {
        throw SupportError("\(name) ended its output; its errors: \(pipes.errors.text)")
      }
      return line
    }
  }
}
