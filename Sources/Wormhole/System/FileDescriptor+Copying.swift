import CSystem
import Glibc

/// What the kernel copies from one file to another without bringing it into this process.
extension FileDescriptor {
  /// Shares all blocks of another file, FICLONE of ioctl_ficlonerange(2): a copy that costs no space until one is changed.
  package func clone(_ source: borrowing FileDescriptor) throws(Errno) {
    let from = source.number
    _ = try systemCall(.ficlone) { csystem_ficlone(number, from) }
  }

  /// Copies up to `length` bytes to the same place of this file, copy_file_range(2); 0 at the end of the source.
  package func copySome(
    from source: borrowing FileDescriptor, at offset: Int, length: Int
  ) throws(Errno) -> Int {
    let from = source.number
    return try transferCall(.copyFileRange, count: length) { allowed in
      var (start, target) = (off_t(offset), off_t(offset))
      return csystem_copy_file_range(from, &start, number, &target, allowed)
    }
  }

  /// The first range that holds data at or behind `offset`, lseek(2); nil when there is but a hole up to `end`.
  ///
  /// Moves the place that read(2) goes on from. A file system without holes has one range.
  package func nextData(at offset: Int, end: Int) throws(Errno) -> Range<Int>? {
    if offset >= end { return nil }
    do throws(Errno) {
      let start = Int(try systemCall(.lseek) { lseek(number, off_t(offset), Int32(csystem_SEEK_DATA)) })
      if start >= end { return nil }
      let hole = Int(try systemCall(.lseek) { lseek(number, off_t(start), Int32(csystem_SEEK_HOLE)) })
      return start..<max(start + 1, min(hole, end))
    } catch {
      if error == .noDeviceOrAddress { return nil }
      if error == .invalidArgument { return offset..<end }
      throw error
    }
  }
}
