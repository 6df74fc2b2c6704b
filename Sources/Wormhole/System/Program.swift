import CSystem
import Glibc

/// The running program.
package enum Program {
  /// Its name as the kernel started it, program_invocation_short_name(3).
  package static var name: String { String(cString: csystem_program_name()) }

  /// The folder that it lies in, readlink(2) of /proc/self/exe; `.` where the kernel does not tell.
  package static var folder: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// The user as whom it acts, geteuid(2).
  package static var user: UInt32 { geteuid() }

  /// The name of a user, getpwuid_r(3); the number where there is none.
  package static func userName(_ user: UInt32) -> String {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer -> String? in
      guard let start = buffer.baseAddress, getpwuid_r(user, &entry, start, buffer.count, &found) == 0, found != nil,
        let name = entry.pw_name
      else { return nil }
      return String(cString: name)
    }
    return name ?? "user \(user)"
  }

  /// A variable of its environment, getenv(3); nil when unset or empty.
  package static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The home directory of the user: HOME, else that of the user database, getpwuid_r(3).
  package static var homeDirectory: String? {
    if let home = environment("HOME") { return home }
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
      guard let start = buffer.baseAddress, getpwuid_r(getuid(), &entry, start, buffer.count, &found) == 0,
        found != nil,
        let home = entry.pw_dir
      else { return nil }
      return String(cString: home)
    }
  }
}
