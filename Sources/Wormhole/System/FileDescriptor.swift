import CSystem
import Glibc
import Synchronization

/// An open file, closed when it goes out of scope; not copyable, so that it has exactly one owner.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The number, for calls that this type does not make; -1 once it is closed.
  package private(set) var number: Int32

  /// Whether a lock was taken that has not been given back.
  let mayBeLocked = Atomic<Bool>(false)

  private init(_ number: Int32) { self.number = number }

  deinit {
    if number == -1 { return }
    // Not left to the closing: a child that is just being started holds a copy of the open file until its exec.
    if mayBeLocked.load(ordering: .relaxed) { try? unlockAll() }
    closeQuietly(number)
  }

  /// Opens a file, open(2); always close-on-exec, never becoming the controlling terminal.
  package static func open(_ path: Path, _ flags: Int32, mode: UInt32 = 0) throws(Errno) -> FileDescriptor {
    try KeptFiles.opening { () throws(Errno) in
      FileDescriptor(
        try systemCall(.open) { path.bytes.withUnsafeBufferPointer { open_($0.baseAddress, flags, mode) } })
    }
  }

  /// Takes over a descriptor that another call opened.
  package static func adopting(_ number: Int32) -> FileDescriptor { FileDescriptor(number) }

  /// Closes, close(2), and tells of the error; on Linux the descriptor is free whatever the result.
  package consuming func close() throws(Errno) {
    if mayBeLocked.load(ordering: .relaxed) { try? unlockAll() }
    let number = self.number
    self.number = -1
    if case .fail(let error)? = Interception.fault(for: .close) {
      closeQuietly(number)
      throw error
    }
    // No second try after EINTR: the number may already belong to another thread's file.
    if Glibc.close(number) == -1, errno != EINTR { throw Errno.current }
  }

  /// Reads up to the buffer's length from `offset`, pread(2), again after short reads; the count is less only at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(Errno) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try transferCall(.pread, count: rest.count) {
        pread(number, rest.baseAddress, $0, off_t(offset + done))
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Reads two neighbouring parts in one call, preadv(2); a short read is gone on with.
  package func read(
    into first: UnsafeMutableRawBufferPointer, and second: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(Errno) -> Int {
    let wanted = first.count + second.count
    let count = try transferCall(.preadv, count: wanted) { allowed in
      let firstCount = min(first.count, allowed)
      return csystem_preadv2parts(
        number, first.baseAddress, firstCount, second.baseAddress, allowed - firstCount, off_t(offset))
    }
    if count == wanted || count == 0 { return count }
    var done = count
    if done < first.count {
      done += try read(into: UnsafeMutableRawBufferPointer(rebasing: first[done...]), at: offset + done)
      if done < first.count { return done }
    }
    let rest = UnsafeMutableRawBufferPointer(rebasing: second[(done - first.count)...])
    return done + (try read(into: rest, at: offset + done))
  }

  /// Writes all of the buffer at `offset`, pwrite(2), again after short writes.
  package func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(Errno) {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
      done += try transferCall(.pwrite, count: rest.count) {
        pwrite(number, rest.baseAddress, $0, off_t(offset + done))
      }
    }
  }

  /// Writes two parts next to each other in one call, pwritev(2); a short write is gone on with.
  package func write(
    _ first: UnsafeRawBufferPointer, and second: UnsafeRawBufferPointer, at offset: Int
  ) throws(Errno) {
    let wanted = first.count + second.count
    let count = try transferCall(.pwritev, count: wanted) { allowed in
      let firstCount = min(first.count, allowed)
      return csystem_pwritev2parts(
        number, first.baseAddress, firstCount, second.baseAddress, allowed - firstCount, off_t(offset))
    }
    if count == wanted { return }
    var done = count
    if done < first.count {
      try write(UnsafeRawBufferPointer(rebasing: first[done...]), at: offset + done)
      done = first.count
    }
    try write(UnsafeRawBufferPointer(rebasing: second[(done - first.count)...]), at: offset + done)
  }

  /// Reads once from where the file stands, read(2): at most the buffer, 0 at the end.
  package func readSome(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    try transferCall(.read, count: buffer.count) { Glibc.read(number, buffer.baseAddress, $0) }
  }

  /// What the kernel knows of the file, fstat(2).
  package func status() throws(Errno) -> FileStatus {
    var status = stat()
    _ = try systemCall(.fstat) { fstat(number, &status) }
    return FileStatus(status)
  }

  /// Sets the permission bits whatever the umask is, fchmod(2).
  package func setMode(_ mode: UInt32) throws(Errno) {
    _ = try systemCall(.fchmod) { fchmod(number, mode) }
  }

  /// Cuts or extends the file, ftruncate(2).
  package func truncate(to length: Int) throws(Errno) {
    _ = try systemCall(.ftruncate) { ftruncate(number, off_t(length)) }
  }

  /// Waits until the data is on the disk, fdatasync(2).
  package func synchronizeData() throws(Errno) {
    _ = try systemCall(.fdatasync) { fdatasync(number) }
  }

  /// Waits until data and metadata are on the disk, fsync(2); on a directory: its names.
  package func synchronize() throws(Errno) {
    _ = try systemCall(.fsync) { fsync(number) }
  }

  /// Gives the blocks of a range back and keeps the file's length, fallocate(2).
  package func punchHole(at offset: Int, length: Int) throws(Errno) {
    _ = try systemCall(.punchHole) { csystem_punch_hole(number, off_t(offset), off_t(length)) }
  }

}

/// open(2) under a name that does not hide behind `FileDescriptor.open`.
private func open_(_ path: UnsafePointer<CChar>?, _ flags: Int32, _ mode: UInt32) -> Int32 {
  guard let path else { return -1 }
  return Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY, mode)
}

/// Closes where nobody could do anything about an error.
private func closeQuietly(_ number: Int32) { _ = Glibc.close(number) }

/// Which access open(2) gives, and how.
package enum OpenFlags {
  /// An archive for writing: in place, never through a link, never waiting for the other end of a pipe.
  package static let readWrite = O_RDWR | O_NOFOLLOW | O_NONBLOCK
  /// An archive for reading, as carefully.
  package static let readOnly = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
  /// A file that a user names: links followed, never waiting for the other end of a pipe.
  package static let source = O_RDONLY | O_NONBLOCK
  /// A new file for writing; an error when the name is taken.
  package static let createNew = O_RDWR | O_NOFOLLOW | O_CREAT | O_EXCL
  /// A file that is there or is made.
  package static let createOrOpen = O_RDWR | O_NOFOLLOW | O_CREAT | O_NONBLOCK
  /// A directory, to sync it or to read its names.
  package static let directory = O_RDONLY | O_DIRECTORY
}

/// What a file is.
package enum FileKind: Sendable {
  case regular, directory, symbolicLink, pipe, socket, device

  /// The kind in a mode of stat(2).
  init(mode: UInt32) {
    self =
      switch mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      default: .device
      }
  }
}

/// The fields of stat(2) that matter here.
package struct FileStatus: Sendable {
  package let device: UInt64
  package let inode: UInt64
  package let linkCount: UInt64
  package let kind: FileKind
  package let mode: UInt32
  package let owner: UInt32
  package let group: UInt32
  package let size: Int
  /// Time of the last change of data or metadata, in nanoseconds.
  package let changed: Int64
  /// How many bytes of disk it takes.
  package let allocated: Int

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    linkCount = UInt64(status.st_nlink)
    kind = FileKind(mode: status.st_mode)
    mode = status.st_mode
    owner = status.st_uid
    group = status.st_gid
    size = Int(status.st_size)
    changed = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
    allocated = Int(status.st_blocks) * 512
  }

  /// Whether both are the same file.
  package func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}
