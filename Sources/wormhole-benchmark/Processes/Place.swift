import CSystem
import Glibc

/// A directory to measure in, made for this run, on one file system.
struct Place: Sendable {
  /// The directory in which the one of this run was made.
  let base: String
  /// The directory of this run.
  let path: String
  /// The name of the file system.
  let fileSystem: String

  /// Makes a directory of this run in `base`.
  init(in base: String) throws(BenchmarkError) {
    var template = Array("\(base)/wormhole-benchmark.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .failed("making a directory in \(base)") }
    let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? base }
    Cleanup.remember(directory: path)
    self.base = base
    self.path = path
    fileSystem = Self.fileSystem(at: base)
  }

  /// The directories to measure in: the given one, or a temporary one on a disk and one in memory.
  static func all(given directory: String?) throws(BenchmarkError) -> [Place] {
    if let directory { return [try Place(in: directory)] }
    let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    // Where /tmp is in memory, /var/tmp is on a disk.
    let disk = fileSystem(at: temporary) == "tmpfs" && access("/var/tmp", W_OK) == 0 ? "/var/tmp" : temporary
    var places = [try Place(in: disk)]
    if fileSystem(at: "/dev/shm") == "tmpfs", access("/dev/shm", W_OK) == 0 { places.append(try Place(in: "/dev/shm")) }
    return places
  }

  /// Makes a fresh directory in this place.
  func folder(_ name: String) throws(BenchmarkError) -> String {
    let folder = "\(path)/\(name)"
    if mkdir(folder, 0o700) == -1, errno != EEXIST { throw .failed("making \(folder)") }
    return folder
  }

  /// The name of the file system at a path, by its magic number in statfs(2).
  private static func fileSystem(at path: String) -> String {
    var type: UInt = 0
    guard csystem_statfs_type(path, &type) == 0 else { return "unknown" }
    return switch type {
    case 0xEF53: "ext4"
    case 0x0102_1994: "tmpfs"
    case 0x5846_5342: "xfs"
    case 0x9123_683E: "btrfs"
    case 0x794C_7630: "overlay"
    case 0x2FC1_2FC1: "zfs"
    case 0xF2F5_2010: "f2fs"
    default: "0x" + String(type, radix: 16)
    }
  }
}
