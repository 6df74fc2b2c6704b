import Glibc

/// What /proc tells of a process.
struct ProcessStatus {
  /// The memory that it holds, in KiB.
  let resident: Double
  /// How often its threads have given up or lost a processor since they began: it grows whenever one of them wakes.
  let switches: Int
  /// How many threads it has.
  let threads: Int
  /// How many inotify instances it holds.
  let inotifyInstances: Int

  /// Looks at a process.
  init(of process: pid_t) throws(BenchmarkError) {
    let folder = "/proc/\(process)"
    guard let text = Self.read("\(folder)/status") else { throw .failed("reading \(folder)/status") }
    resident = Double(Self.number(in: text, after: "VmRSS:"))
    threads = Self.number(in: text, after: "Threads:")
    switches = Self.names(in: "\(folder)/task").reduce(0) { sum, thread in
      let text = Self.read("\(folder)/task/\(thread)/status") ?? ""
      return sum + Self.number(in: text, after: "\nvoluntary_ctxt_switches:")
        + Self.number(in: text, after: "nonvoluntary_ctxt_switches:")
    }
    inotifyInstances = Self.names(in: "\(folder)/fd").count { name in
      var target = [CChar](repeating: 0, count: 256)
      let length = readlink("\(folder)/fd/\(name)", &target, target.count - 1)
      return length > 0
        && String(decoding: target[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
          == "anon_inode:inotify"
    }
  }

  /// The numbers of a process's threads.
  static func threads(of process: pid_t) -> [pid_t] { names(in: "/proc/\(process)/task").compactMap { pid_t($0) } }

  /// The first number behind a word.
  private static func number(in text: String, after word: String) -> Int {
    guard let range = text.firstRange(of: word) else { return 0 }
    return Int(text[range.upperBound...].drop { $0 == " " || $0 == "\t" }.prefix { $0.isNumber }) ?? 0
  }

  /// What stands in a file of /proc.
  private static func read(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 8192)
    let count = Glibc.read(file, &buffer, buffer.count)
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }

  /// The names in a folder of /proc.
  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
