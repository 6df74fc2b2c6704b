import CSystem
import Glibc

/// Calls that work on names rather than on open files.
package enum FileSystem {
  /// What stands at a path, links not followed, fstatat(2).
  package static func status(of path: Path) throws(Errno) -> FileStatus {
    var status = stat()
    _ = try systemCall(.fstatat) { lstat(path.bytes, &status) }
    return FileStatus(status)
  }

  /// What a path leads to, links followed, fstatat(2).
  package static func statusFollowingLinks(of path: Path) throws(Errno) -> FileStatus {
    var status = stat()
    _ = try systemCall(.fstatat) { stat(path.bytes, &status) }
    return FileStatus(status)
  }

  /// The path from the root, by getcwd(3); as it is where the working directory has no name any more.
  package static func absolute(_ path: Path) -> Path {
    if path.isAbsolute { return path }
    let size = Int(PATH_MAX)
    var buffer = [CChar](repeating: 0, count: size)
    guard getcwd(&buffer, size) != nil else { return path }
    return Path(buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }).appending(path)
  }

  /// Removes a name of anything but a directory, unlink(2).
  package static func remove(_ path: Path) throws(Errno) {
    _ = try systemCall(.unlinkat) { unlink(path.bytes) }
  }

  /// Removes an empty directory, rmdir(2).
  package static func removeDirectory(_ path: Path) throws(Errno) {
    _ = try systemCall(.unlinkat) { rmdir(path.bytes) }
  }

  /// Renames over what stands there, rename(2).
  package static func rename(_ from: Path, to: Path) throws(Errno) {
    _ = try systemCall(.renameat2) { csystem_renameat2(AT_FDCWD, from.bytes, AT_FDCWD, to.bytes, 0) }
  }

  /// Renames, or fails with `exists` when the name is taken, renameat2(2); by link(2) where the file system lacks that.
  package static func renameWithoutReplacing(_ from: Path, to: Path) throws(Errno) {
    do throws(Errno) {
      let flags = UInt32(csystem_RENAME_NOREPLACE)
      _ = try systemCall(.renameat2) { csystem_renameat2(AT_FDCWD, from.bytes, AT_FDCWD, to.bytes, flags) }
    } catch {
      guard error == .invalidArgument || error == .noSystemCall || error == .notSupported else { throw error }
      try link(from, to: to)
      try remove(from)
    }
  }

  /// Gives a file another name, link(2); a symbolic link itself, not what it leads to.
  package static func link(_ from: Path, to: Path) throws(Errno) {
    _ = try systemCall(.linkat) { Glibc.link(from.bytes, to.bytes) }
  }

  /// Makes a directory, mkdir(2); false when something stands there already.
  package static func makeDirectory(_ path: Path, mode: UInt32) throws(Errno) -> Bool {
    do throws(Errno) {
      _ = try systemCall(.mkdirat) { mkdir(path.bytes, mode) }
      return true
    } catch {
      if error == .exists { return false }
      throw error
    }
  }

  /// Sets the permission bits whatever the umask is, chmod(2).
  package static func setMode(of path: Path, _ mode: UInt32) throws(Errno) {
    _ = try systemCall(.fchmod) { chmod(path.bytes, mode) }
  }

  /// Whether this program may do `access` (R_OK, W_OK, X_OK) at the path, faccessat(2) with the effective ids.
  package static func checkAccess(_ path: Path, _ access: Int32) throws(Errno) {
    _ = try systemCall(.fstatat) { faccessat(AT_FDCWD, path.bytes, access, AT_EACCESS) }
  }

  /// What a symbolic link leads to, readlink(2), cut after 4096 bytes.
  package static func target(of path: Path) throws(Errno) -> String {
    try withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer throws(Errno) in
      guard let start = buffer.baseAddress else { throw Errno.noMemory }
      let count = try systemCall(.readlinkat) { readlink(path.bytes, start, buffer.count) }
      return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
  }

  /// The path without links and points in it, realpath(3).
  package static func resolved(_ path: Path) throws(Errno) -> String {
    guard let found = realpath(path.bytes, nil) else { throw Errno.current }
    defer { free(found) }
    return String(cString: found)
  }

  /// All of a file of the kernel's, as text: such files are read once from their beginning and have no size.
  package static func text(of path: Path) throws(Errno) -> String {
    let file = try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK)
    var bytes: [UInt8] = []
    try withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer throws(Errno) in
      while bytes.count < 16 << 20 {
        let count = try file.readSome(into: buffer)
        if count == 0 { break }
        bytes += buffer[..<count]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes that may still be written where a path leads, and whether it is mounted read-only, statfs(2).
  package static func room(at path: Path) throws(Errno) -> (bytes: UInt, isReadOnly: Bool) {
    var bytes: UInt = 0
    var isReadOnly: Int32 = 0
    _ = try systemCall(.fstatfs) { csystem_statfs_room(path.bytes, &bytes, &isReadOnly) }
    return (bytes, isReadOnly != 0)
  }

  /// Puts the names in a directory on the disk, fsync(2).
  package static func synchronizeDirectory(_ path: Path) throws(Errno) {
    try FileDescriptor.open(path, OpenFlags.directory).synchronize()
  }

  /// The names in a directory but `.` and `..`, readdir(3), each handed to `body`, in no order.
  package static func forEachName(in path: Path, _ body: (FileName) -> Void) throws(Errno) {
    if case .fail(let error)? = Interception.fault(for: .opendir) { throw error }
    let directory = try KeptFiles.opening { () throws(Errno) in
      guard let directory = opendir(path.bytes) else { throw Errno.current }
      return directory
    }
    defer { closedir(directory) }
    while true {
      errno = 0
      guard let entry = readdir(directory) else {
        if errno != 0 { throw Errno.current }
        return
      }
      let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
      let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: UInt8.self)
      let length = UnsafeRawPointer(start).withMemoryRebound(to: CChar.self, capacity: 256) { strlen($0) }
      let name = UnsafeBufferPointer(start: start, count: length)
      if name.elementsEqual([UInt8(ascii: ".")]) || name.elementsEqual([UInt8(ascii: "."), UInt8(ascii: ".")]) {
        continue
      }
      body(FileName(Array(name)))
    }
  }
}

/// Bytes that nobody can guess, getrandom(2).
package func randomNumber() -> UInt64 { UInt64.random(in: 1...UInt64.max) }
