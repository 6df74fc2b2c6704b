import Glibc
import Wormhole

/// A file in which other processes note when they heard which message, each in a line of its own.
///
/// A note is one write(2) to pages in memory: it wakes nobody, so it disturbs nothing of what is measured.
final class StampTable: Sendable {
  private let file: Int32
  private static let size = 16

  /// Opens the table at a path, made empty when `isNew`.
  init(_ path: String, isNew: Bool = false) throws(BenchmarkError) {
    file = try checked("opening \(path)", open(path, O_RDWR | O_CREAT | O_CLOEXEC | (isNew ? O_TRUNC : 0), 0o600))
  }

  deinit { close(file) }

  /// Notes in line `index` that the message `number` was heard, now.
  func note(_ number: UInt64, in index: Int) {
    var line = (number, Clock.monotonic)
    _ = withUnsafeBytes(of: &line) { pwrite(file, $0.baseAddress, Self.size, off_t(index * Self.size)) }
  }

  /// Waits until the first `count` lines tell of the message `number` or a later one; the latest time among them.
  func latest(of count: Int, hearing number: UInt64) throws(BenchmarkError) -> UInt64 {
    var lines = [(UInt64, UInt64)](repeating: (0, 0), count: count)
    let deadline = Clock.monotonic + 60_000_000_000
    while true {
      _ = lines.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
      if lines.allSatisfy({ $0.0 >= number }) { return lines.map(\.1).max() ?? 0 }
      if Clock.monotonic > deadline {
        throw BenchmarkError("\(lines.count { $0.0 < number }) of \(count) processes did not hear within a minute")
      }
      usleep(300)
    }
  }
}
