import CSystem
import Glibc

/// A new, empty directory that is removed with all it holds when the last reference to it goes.
public final class TemporaryDirectory: Sendable {
  /// Where a temporary directory lies.
  public enum Place: Sendable, CaseIterable {
    /// In `TMPDIR`, else `/tmp`: a disk on most machines.
    case disk
    /// In `/dev/shm`, a tmpfs.
    case memory

    /// The folder that holds the temporary directories of this place.
    fileprivate var folder: String {
      switch self {
      case .disk: getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
      case .memory: "/dev/shm"
      }
    }
  }

  /// The absolute path of the directory.
  public let path: String

  /// Makes the directory, mkdtemp(3).
  public init(_ place: Place = .disk) throws {
    var template = Array("\(place.folder)/wormhole-test.XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let base = buffer.baseAddress, mkdtemp(base) != nil else { return nil }
      return String(cString: base)
    }
    guard let made else { throw SupportError("mkdtemp in \(place.folder)", errno: errno) }
    path = made
  }

  deinit { TestSupport.removeTree(path) }

  /// The path of `name` in the directory.
  public func appending(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file of `bytes` at `name` and gives its path.
  @discardableResult
  public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    let path = appending(name)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SupportError("open \(path)", errno: errno) }
    defer { close(descriptor) }
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard written >= 0 else { throw SupportError("write \(path)", errno: errno) }
      rest = rest.dropFirst(written)
    }
    return path
  }

  /// All bytes of the file `name`.
  public func read(_ name: String) throws -> [UInt8] {
    let path = appending(name)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SupportError("open \(path)", errno: errno) }
    defer { close(descriptor) }
    return try readToEnd(of: descriptor)
  }

  /// The names in the directory, or in one of its folders, hidden ones too, sorted.
  public func names(in folder: String = ".") throws -> [String] {
    guard let names = directoryNames(appending(folder)) else { throw SupportError("opendir \(path)", errno: errno) }
    return names.sorted()
  }

  /// Removes `name` with all it holds.
  public func removeTree(_ name: String) throws {
    TestSupport.removeTree(appending(name))
    if access(appending(name), F_OK) == 0 { throw SupportError("remove \(appending(name))", errno: errno) }
  }
}

/// Every byte that `descriptor` gives until its end.
func readToEnd(of descriptor: Int32) throws -> [UInt8] {
  var bytes: [UInt8] = []
  while true {
    let part = try [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
      let got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      guard got >= 0 else { throw SupportError("read", errno: errno) }
      count = got
    }
    if part.isEmpty { return bytes }
    bytes += part
  }
}

/// The names in a directory but `.` and `..`, nil when it cannot be read.
private func directoryNames(_ path: String) -> [String]? {
  guard let stream = opendir(path) else { return nil }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

/// Removes a file, or a directory with all it holds, whatever modes a test has given them.
func removeTree(_ path: String) {
  if unlink(path) == 0 || errno == ENOENT { return }
  chmod(path, 0o700)
  for name in directoryNames(path) ?? [] { removeTree("\(path)/\(name)") }
  rmdir(path)
}
