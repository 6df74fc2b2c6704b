/// A file that some process has open, as /proc shows it, proc(5).
package struct ProcessFile: Sendable {
  /// The number of the process.
  package let process: Int
  /// The user as whom it runs.
  package let user: UInt32
  /// What the descriptor leads to: a path, or a name such as `anon_inode:inotify`.
  package let target: String
  private let information: Path

  /// Calls `body` for each file that each process has open, as far as this program may see them.
  package static func forEach(_ body: (ProcessFile) -> Void) {
    let root = Path("/proc")
    var processes: [FileName] = []
    try? FileSystem.forEachName(in: root) { name in
      if name.bytes.allSatisfy({ (0x30...0x39).contains($0) }) { processes.append(name) }
    }
    for name in processes {
      let place = root.appending(name)
      guard let number = Int(name.description), let status = try? FileSystem.status(of: place) else { continue }
      var descriptors: [FileName] = []
      try? FileSystem.forEachName(in: place.appending("fd")) { descriptors.append($0) }
      for descriptor in descriptors {
        guard let target = try? FileSystem.target(of: place.appending("fd").appending(descriptor)) else { continue }
        let information = place.appending("fdinfo").appending(descriptor)
        body(ProcessFile(process: number, user: status.owner, target: target, information: information))
      }
    }
  }

  private init(process: Int, user: UInt32, target: String, information: Path) {
    self.process = process
    self.user = user
    self.target = target
    self.information = information
  }

  /// Whether it is an inotify instance.
  package var isInotify: Bool { target == "anon_inode:inotify" }

  /// The inodes and devices that an inotify instance watches, as the kernel writes them: both hexadecimal.
  package var watched: [(inode: UInt64, device: UInt64)] {
    lines(of: "inotify").map { fields in
      var found: (inode: UInt64, device: UInt64) = (0, 0)
      for field in fields {
        if field.hasPrefix("ino:") { found.inode = UInt64(field.dropFirst(4), radix: 16) ?? 0 }
        if field.hasPrefix("sdev:") { found.device = UInt64(field.dropFirst(5), radix: 16) ?? 0 }
      }
      return found
    }
  }

  /// Whether the descriptor holds a lock that covers byte 0 against writers.
  package var locksFirstByte: Bool {
    lines(of: "lock:").contains { fields in fields.contains("WRITE") && fields.dropLast().last == "0" }
  }

  /// The fields of those lines of its information that begin with a word.
  private func lines(of word: String) -> [[Substring]] {
    guard let text = try? FileSystem.text(of: information) else { return [] }
    return text.split(separator: "\n").map { $0.split { $0 == " " || $0 == "\t" } }.filter { $0.first ?? "" == word }
  }
}

/// A process as a person knows it.
package enum ProcessLabel {
  /// Its name and number, and whether it is stopped.
  package static func of(_ process: Int) -> (text: String, isStopped: Bool) {
    let place = Path("/proc").appending(FileName(Array("\(process)".utf8)))
    let name = ((try? FileSystem.text(of: place.appending("comm"))) ?? "?").split(separator: "\n").first ?? "?"
    let state = (try? FileSystem.text(of: place.appending("stat")))?.split(separator: ")").last?.dropFirst().first
    let isStopped = state == "T" || state == "t"
    return ("\(name) (process \(process)\(isStopped ? ", stopped" : ""))", isStopped)
  }
}

extension FileStatus {
  /// The device as the kernel writes it in /proc: the major number above twenty bits of the minor one.
  package var kernelDevice: UInt64 {
    let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
    let minor = device & 0xFF | (device >> 12) & ~0xFF
    return major << 20 | (minor & 0xFFFFF)
  }
}
