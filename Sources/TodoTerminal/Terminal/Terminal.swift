import CSystem
import Glibc
import Synchronization
import Wormhole

/// The terminal of this process while a full-screen program has it: raw, on its second screen, and given back as it was.
package final class Terminal: Sendable {
  /// What the second screen begins with: no wrapping at the edge, pastes marked, the cursor hidden.
  private static let beginning = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?25l"
  /// What takes all of that back.
  private static let ending = "\u{1B}[0m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private let original: termios
  private let isEntered = Atomic<Bool>(false)

  /// The terminal at standard input and output, nil when they are none.
  package init?() {
    var settings = termios()
    guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    // A program that was killed left its terminal raw: what is given back is then one that people can type in.
    if settings.c_lflag & tcflag_t(ICANON) == 0 {
      settings.c_iflag |= tcflag_t(ICRNL | IXON | BRKINT)
      settings.c_oflag |= tcflag_t(OPOST | ONLCR)
      settings.c_lflag |= tcflag_t(ICANON | ECHO | ECHOE | ECHOK | ISIG | IEXTEN)
    }
    original = settings
  }

  /// Takes the terminal; doing it again does no harm, and is needed after the program was stopped.
  package func enter() {
    var settings = original
    cfmakeraw(&settings)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    isEntered.store(true, ordering: .sequentiallyConsistent)
    write(Self.beginning)
  }

  /// Gives the terminal back, once for each time it was taken.
  package func leave() {
    guard isEntered.exchange(false, ordering: .sequentiallyConsistent) else { return }
    write(Self.ending)
    var settings = original
    tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  }

  /// Writes all of the text, as far as the terminal still takes it.
  package func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno == EAGAIN {
        var waiting = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, -1)
      } else if errno != EINTR {
        return
      }
    }
  }

  /// The size of the window, a usual one where the terminal does not know.
  package var size: Size {
    var rows: UInt16 = 0
    var columns: UInt16 = 0
    guard csystem_window_size(STDOUT_FILENO, &rows, &columns) == 0, rows > 0, columns > 0 else {
      return Size(rows: 24, columns: 80)
    }
    return Size(rows: Int(rows), columns: Int(columns))
  }

  /// Gives the terminal back and stops the program with all of its job, as Control-Z does elsewhere, kill(2).
  ///
  /// Returns when the program goes on: at once where no shell is there to let it go on again, for then the kernel stops
  /// nothing. Of all threads only this one lets the signal through, so that it stops before it returns.
  package func suspend() {
    leave()
    var stop = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &stop, nil)
    kill(0, SIGTSTP)
    pthread_sigmask(SIG_BLOCK, &stop, nil)
  }
}
