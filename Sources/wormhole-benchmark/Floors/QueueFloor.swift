import CSystem
import Glibc

/// The floor of transfers: the system calls that a queue in a file needs, with nothing on top.
///
/// The file is kept open. A page at its head holds the commit block (newest sequence, its end, where the file begins)
/// and one subscriber's cell (place done, place in hand, waiting flag); records of one length follow.
class QueueFloor {
  /// The directory, which the receiving end watches.
  fileprivate let directory: WatchedDirectory
  /// The queue.
  fileprivate let file: Int32
  /// How long a record is with its number.
  fileprivate let stride: Int
  /// The page's numbers: sequence, end, beginning; from `cell` on done, in hand; then the flag.
  fileprivate let page = UnsafeMutablePointer<UInt64>.allocate(capacity: 8)
  /// The name of the file.
  fileprivate let name = "floor.queue".asLastingCString()
  fileprivate static let head: off_t = 0
  fileprivate static let cell: off_t = 24
  fileprivate static let flag: off_t = 40
  fileprivate static let firstRecord: UInt64 = 4096

  /// Opens the queue of a directory.
  fileprivate init(directory path: String, bytes: Int, mask: Int32) throws(BenchmarkError) {
    directory = try WatchedDirectory(path, mask: mask)
    file = try checked("opening the queue", openat(directory.descriptor, name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
    stride = (max(8, bytes) + 7) / 8 * 8
    page.initialize(repeating: 0, count: 8)
  }

  deinit {
    close(file)
    page.deallocate()
  }
}

/// The end that adds to the queue.
final class QueueFloorSender: QueueFloor {
  private let record: UnsafeMutableRawPointer
  private let status = UnsafeMutablePointer<stat>.allocate(capacity: 1)
  private let keptSize: UInt64 = 1 << 20

  /// Opens the queue for items of so many bytes.
  init(directory: String, bytes: Int) throws(BenchmarkError) {
    record = .allocate(byteCount: bytes + 16, alignment: 8)
    record.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "x"), count: bytes + 16)
    status.initialize(to: stat())
    try super.init(directory: directory, bytes: bytes, mask: 0)
  }

  deinit {
    record.deallocate()
    status.deallocate()
  }

  /// Adds an item that begins with its number.
  func transfer(_ number: UInt64) throws(BenchmarkError) {
    record.storeBytes(of: number, as: UInt64.self)
    if csystem_ofd_setlk(file, Int16(F_WRLCK), 0, 1) != 0 { throw .failed("locking the queue") }
    if fstatat(directory.descriptor, name, status, AT_SYMLINK_NOFOLLOW) != 0 { throw .failed("the queue's name") }
    if pread(file, page, 48, Self.head) < 0 { throw .failed("reading the queue") }
    if page[3] == page[0], page[1] - page[2] > keptSize {
      page[2] = page[1]
      if pwrite(file, page, 24, Self.head) != 24 { throw .failed("writing the queue") }
      if ftruncate(file, off_t(Self.firstRecord)) != 0 { throw .failed("truncating the queue") }
    }
    if pwrite(file, record, stride, off_t(Self.firstRecord + page[1] - page[2])) != stride {
      throw .failed("writing the queue")
    }
    page[0] += 1
    page[1] += UInt64(stride)
    if pwrite(file, page, 24, Self.head) != 24 { throw .failed("committing to the queue") }
    // After the commit: a receiver that found nothing has set its flag before, or finds this.
    page[5] = 0
    if pread(file, page + 5, 8, Self.flag) < 0 { throw .failed("reading the flag") }
    let isWaiting = page[5] != 0
    if isWaiting {
      page[5] = 0
      if pwrite(file, page + 5, 8, Self.flag) != 8 { throw .failed("clearing the flag") }
    }
    if csystem_ofd_setlk(file, Int16(F_UNLCK), 0, 1) != 0 { throw .failed("unlocking the queue") }
    if isWaiting { close(openat(directory.descriptor, name, O_WRONLY | O_CLOEXEC)) }
  }
}

/// The end that takes from the queue.
final class QueueFloorReceiver: QueueFloor {
  private let batch: UnsafeMutableRawPointer
  private let batchSize = 65_536

  /// Opens the queue for items of so many bytes.
  init(directory: String, bytes: Int) throws(BenchmarkError) {
    batch = .allocate(byteCount: batchSize, alignment: 8)
    try super.init(directory: directory, bytes: bytes, mask: IN_CLOSE_WRITE)
  }

  deinit { batch.deallocate() }

  /// Takes items for ever and calls `handle` with the number of each.
  func take(_ handle: (UInt64) throws(BenchmarkError) -> Void) throws(BenchmarkError) {
    var done: UInt64 = 0
    var place: UInt64 = 0
    while true {
      try look()
      if page[0] == done {
        page[5] = 1
        if pwrite(file, page + 5, 8, Self.flag) != 8 { throw .failed("setting the flag") }
        try look()
        if page[0] == done {
          try directory.wait(for: name) { true }
          continue
        }
      }
      while done < page[0] {
        let count = min(Int(page[0] - done), batchSize / stride)
        let offset = off_t(Self.firstRecord + place - page[2])
        if pread(file, batch, count * stride, offset) != count * stride { throw .failed("reading the queue") }
        for index in 0..<count {
          page[3] = done
          page[4] = done + 1
          if pwrite(file, page + 3, 16, Self.cell) != 16 { throw .failed("noting the item in hand") }
          try handle((batch + index * stride).load(as: UInt64.self))
          done += 1
          place += UInt64(stride)
        }
      }
      page[3] = done
      page[4] = 0
      if pwrite(file, page + 3, 16, Self.cell) != 16 { throw .failed("noting the item done") }
    }
  }

  /// Reads the commit block.
  private func look() throws(BenchmarkError) {
    page.update(repeating: 0, count: 3)
    if pread(file, page, 24, Self.head) < 0 { throw .failed("reading the queue") }
  }
}
