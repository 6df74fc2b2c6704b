import CSystem
import Glibc

/// A program that a test runs in a terminal of its own, pty(7): its keys are the test's, and so is what it draws.
///
/// Every wait blocks its thread and is bounded. The process is killed when the last reference goes.
public final class TerminalProcess {
  /// The number of the process.
  public let processIdentifier: Int32
  /// All that has been written to the terminal since the process was started.
  public private(set) var written: [UInt8] = []
  /// How the process ended, nil while it is not known to have.
  public private(set) var exit: HelperProcess.Exit?
  private let name: String
  private let handle: Int32
  /// The end of the terminal at which a person would sit.
  private let seat: Int32
  /// The end that programs open, held so that the terminal outlives the process.
  private let line: Int32

  /// Starts a program, a path or a product of this package, in a terminal of some rows and columns.
  ///
  /// `environment` changes this process's: a nil value takes a variable away.
  public init(
    _ program: String, _ arguments: [String] = [], rows: Int = 24, columns: Int = 80,
    environment: [String: String?] = [:]
  ) throws {
    var variables = currentEnvironment()
    for name in ["NO_COLOR", "COLORTERM"] { variables[name] = nil }
    variables["TERM"] = "xterm-256color"
    variables["SWIFT_BACKTRACE"] = "enable=no"
    for (variable, value) in environment { variables[variable] = value }

    name = program
    seat = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    // TIOCSPTLCK and TIOCGPTN, ioctl_tty(2): the other end is unlocked and asked for its number.
    var unlocked: Int32 = 0
    var number: Int32 = 0
    guard seat >= 0, ioctl(seat, 0x4004_5431, &unlocked) == 0, ioctl(seat, 0x8004_5430, &number) == 0 else {
      throw SupportError("/dev/ptmx", errno: errno)
    }
    let path = "/dev/pts/\(number)"
    line = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard line >= 0 else { throw SupportError(path, errno: errno) }
    Self.resize(seat, rows: rows, columns: columns)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that the leader of a new session opens becomes the session's.
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
    let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, posix_spawnattr_setflags(3)
    processIdentifier = try start(
      program.contains("/") ? program : HelperProcess.path(of: program), arguments, environment: variables, &actions,
      flags: newSession)
    handle = csystem_pidfd_open(processIdentifier)
  }

  deinit {
    send(SIGKILL)
    if exit == nil { waitpid(processIdentifier, nil, 0) }
    for descriptor in [handle, seat, line] { close(descriptor) }
  }

  /// Presses keys: the bytes that a terminal sends for them.
  public func type(_ keys: String) throws {
    var rest = Array(keys.utf8)[...]
    try wait(for: "room for keys", writing: true) { _ in
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(seat, $0.baseAddress, $0.count) }
        if count <= 0 { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Gives the window another size, of which the kernel tells the process.
  public func resize(rows: Int, columns: Int) { Self.resize(seat, rows: rows, columns: columns) }

  /// Sends the process a signal; nothing happens when it has ended.
  public func send(_ signal: Int32) { _ = csystem_pidfd_send_signal(handle, signal) }

  /// The settings of the terminal, tcgetattr(3), byte by byte.
  public func settings() throws -> [UInt8] {
    var settings = termios()
    guard tcgetattr(line, &settings) == 0 else { throw SupportError("tcgetattr", errno: errno) }
    return withUnsafeBytes(of: &settings) { Array($0) }
  }

  /// Takes in what is written until `condition` holds.
  public func wait(
    for what: String, within duration: Duration = patience, writing: Bool = false,
    until condition: (TerminalProcess) -> Bool
  ) throws {
    let deadline = Deadline(in: duration)
    let events = Int16(writing ? POLLIN | POLLOUT : POLLIN)
    while true {
      read()
      if condition(self) { return }
      if exit != nil { throw SupportError("\(name) ended, \(String(describing: exit)), before \(what): \(text)") }
      if deadline.isOver { throw SupportError("\(name): \(what) did not come within \(duration): \(text)") }
      var polled = [
        pollfd(fd: seat, events: events, revents: 0), pollfd(fd: handle, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&polled, nfds_t(polled.count), deadline.milliseconds)
      if polled[1].revents != 0 { reap() }
    }
  }

  /// Waits until the process has ended; gives how.
  public func waitUntilExit(within duration: Duration = patience) throws -> HelperProcess.Exit {
    try wait(for: "the end", within: duration) { $0.exit != nil }
    return try exit ?? { throw SupportError("\(name) has not ended") }()
  }

  /// The end of what was written, for errors.
  private var text: String { String(decoding: written.suffix(4000), as: UTF8.self).debugDescription }

  /// Takes in what has been written.
  private func read() {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(seat, &buffer, buffer.count)
      if count <= 0 { return }
      written += buffer[..<count]
    }
  }

  /// Takes note of the end of the process, and of what it wrote before.
  private func reap() {
    var status: Int32 = 0
    guard exit == nil, waitpid(processIdentifier, &status, WNOHANG) == processIdentifier else { return }
    exit = status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
    read()
  }

  /// Sets the size of a terminal, TIOCSWINSZ.
  private static func resize(_ descriptor: Int32, rows: Int, columns: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }
}
