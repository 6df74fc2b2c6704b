import Glibc

/// Why something could not be measured, in one line.
struct BenchmarkError: Error, CustomStringConvertible {
  /// What failed and why.
  let description: String

  /// An error in words.
  init(_ description: String) { self.description = description }

  /// The failure of a system call, with the reason that errno(3) gives.
  static func failed(_ call: String, number: Int32 = errno) -> BenchmarkError {
    BenchmarkError("\(call): \(String(cString: strerror(number)))")
  }
}

/// Passes a system call's result on, or throws what errno(3) says when it is -1.
@discardableResult
func checked(_ call: @autoclosure () -> String, _ result: Int32) throws(BenchmarkError) -> Int32 {
  if result == -1 { throw .failed(call()) }
  return result
}

/// Runs what may throw anything, and says in words what it threw.
func translating<R>(_ body: () throws -> R) throws(BenchmarkError) -> R {
  do {
    return try body()
  } catch let error as BenchmarkError {
    throw error
  } catch {
    throw BenchmarkError("\(error)")
  }
}
