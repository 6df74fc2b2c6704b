import Glibc

/// What goes on, told on standard error: a line that is written over where that is a terminal.
enum Progress {
  private static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Says what is being measured and how far it is.
  static func show(_ activity: String, done: Int, of total: Int) {
    Cleanup.note(activity: activity)
    if isTerminal {
      write("\r\u{1B}[K\(activity): \(done) of \(total)")
    } else if done == 0 {
      write("\(activity)\n")
    }
  }

  /// Removes the line of progress.
  static func clear() {
    if isTerminal { write("\r\u{1B}[K") }
  }

  /// Tells of something that went wrong.
  static func report(_ message: String) {
    clear()
    write("wormhole-benchmark: \(message)\n")
  }

  /// Writes to standard error at once.
  private static func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
