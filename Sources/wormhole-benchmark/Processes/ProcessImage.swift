import CommandLineTool
import Glibc

/// Programs as the benchmark finds and becomes them.
enum ProcessImage {
  /// The path of this very program, to start it once more.
  static let own = "/proc/self/exe"

  /// Becomes another program, execv(3); returns only when that fails.
  static func become(_ program: String, _ arguments: [String]) {
    Spawning.withCStrings([program] + arguments) { argv in _ = execv(program, argv) }
  }

  /// Where a program is: a path as it is, a name looked up in PATH and where servers are kept; nil when it is nowhere.
  static func find(_ name: String) -> String? {
    if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin", "/sbin"]
    return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
