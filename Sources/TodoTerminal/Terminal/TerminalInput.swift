import Dispatch
import CSystem
import Glibc

/// What comes from outside to a full-screen program.
package enum TerminalEvent: Sendable {
  /// A key.
  case key(Key)
  /// The window has another size.
  case resized
  /// The program is to be stopped, as kill -TSTP does.
  case stopped
  /// The program goes on after it was stopped; its terminal may have been used meanwhile.
  case continued
  /// The program is to end: the terminal has gone, or a signal said so.
  case ended
}

/// Listens to the keyboard and to the signals that concern a terminal, for as long as the process lives.
package enum TerminalInput {
  /// How long an escape waits for the rest of its sequence, in milliseconds.
  private static let escapeTime: Int32 = 25

  /// Begins to listen to both; to be called as `startSignals`.
  package static func start(_ handler: @escaping @Sendable (TerminalEvent) -> Void) {
    startSignals(and: [SIGTSTP], handler)
    DispatchQueue(label: "todo.keyboard").async { readKeys(from: STDIN_FILENO, handler) }
  }

  /// Begins to listen to signals alone; to be called while the process still has its first thread alone.
  package static func startSignals(and more: [Int32] = [], _ handler: @escaping @Sendable (TerminalEvent) -> Void) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGWINCH, SIGCONT, SIGTERM, SIGHUP, SIGINT, SIGQUIT] + more { sigaddset(&signals, signal) }
    // Blocked here, and so in every thread made from now on, they wait for the one that asks for them: none can end
    // the process before the terminal is given back.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let waited = signals
    DispatchQueue(label: "todo.signals").async { waitForSignals(waited, handler) }
  }

  /// Reports signals, sigwait(3).
  private static func waitForSignals(_ signals: sigset_t, _ handler: (TerminalEvent) -> Void) {
    var signals = signals
    while true {
      var signal: Int32 = 0
      guard sigwait(&signals, &signal) == 0 else { continue }
      switch signal {
      case SIGWINCH: handler(.resized)
      case SIGCONT: handler(.continued)
      case SIGTSTP: handler(.stopped)
      default: handler(.ended)
      }
    }
  }

  /// Reports keys until nothing can be read any more.
  private static func readKeys(from descriptor: Int32, _ handler: (TerminalEvent) -> Void) {
    var decoder = KeyDecoder()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&polled, 1, decoder.isWaiting ? escapeTime : -1)
      if ready == 0 { for key in decoder.flush() { handler(.key(key)) } }
      guard ready > 0 else { continue }
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        for key in decoder.decode(buffer[..<count]) { handler(.key(key)) }
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        return handler(.ended)
      }
    }
  }
}
