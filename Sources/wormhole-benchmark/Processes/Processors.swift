import CSystem
import Glibc

/// Processors that a process may run on, sched_setaffinity(2).
struct Processors {
  /// A bit for each, as the kernel has them.
  private var bits: [UInt8]

  /// As many processors as a kernel may be built for.
  private static let most = 8192

  /// Those that this program may run on now.
  static func own() throws(BenchmarkError) -> Processors {
    var bits = [UInt8](repeating: 0, count: most / 8)
    try checked("sched_getaffinity", csystem_get_processors(0, bits.count, &bits))
    return Processors(bits: bits)
  }

  /// Two of these, each alone, as far from each other as their numbers go.
  ///
  /// - Throws: an error when there is only one.
  func apart() throws(BenchmarkError) -> (Processors, Processors) {
    let numbers = (0..<bits.count * 8).filter { bits[$0 / 8] & 1 << ($0 % 8) != 0 }
    guard let first = numbers.first, let last = numbers.last, first != last else {
      throw BenchmarkError("two programs on a processor each need two processors")
    }
    return (only(first), only(last))
  }

  /// Keeps every thread of a process, and those that they start, on these.
  func keep(_ process: pid_t) throws(BenchmarkError) {
    for thread in ProcessStatus.threads(of: process) {
      try checked("sched_setaffinity", csystem_set_processors(thread, bits.count, bits))
    }
  }

  private func only(_ number: Int) -> Processors {
    var one = [UInt8](repeating: 0, count: bits.count)
    one[number / 8] = 1 << (number % 8)
    return Processors(bits: one)
  }
}
