import CSystem
import Glibc

/// The floor: the system calls that a Wormhole's send and delivery need, with nothing on top.
///
/// Sending: open, lock, two looks whether the name still leads to this file, read the head, append, commit, unlock,
/// close. Hearing: read the event, open, look at the size, read the head, read the message, close.
final class LogFloor: Endpoint {
  private let directory: WatchedDirectory
  private let mine: UnsafePointer<CChar>
  private let theirs: UnsafePointer<CChar>
  private let bytes: Int
  private let payload: UnsafeMutableRawPointer
  private let received: UnsafeMutableRawPointer
  /// Magic, sequence, place and length of the newest message.
  private let head = UnsafeMutablePointer<UInt64>.allocate(capacity: 4)
  private let headSize = 32
  private let here = UnsafeMutablePointer<stat>.allocate(capacity: 1)
  private let there = UnsafeMutablePointer<stat>.allocate(capacity: 1)
  private let ring: UInt64 = 65_536
  private let firstPlace: UInt64 = 4096
  private var seen: UInt64 = 0

  /// Opens an end in a directory.
  convenience init(_ side: Side, directory: String, bytes: Int) throws(BenchmarkError) {
    try self.init(directory: directory, mine: side.mine, theirs: side.theirs, bytes: bytes)
  }

  /// Opens an end that sends to one file and hears of another, or of none.
  init(directory: String, mine: String, theirs: String?, bytes: Int) throws(BenchmarkError) {
    self.directory = try WatchedDirectory(directory, mask: theirs == nil ? 0 : IN_CLOSE_WRITE)
    self.mine = mine.asLastingCString()
    self.theirs = (theirs ?? "").asLastingCString()
    self.bytes = bytes
    payload = .allocate(byteCount: max(bytes, 8), alignment: 8)
    payload.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "x"), count: max(bytes, 8))
    received = .allocate(byteCount: max(bytes, 8), alignment: 8)
    received.storeBytes(of: 0, as: UInt64.self)
    head.initialize(repeating: 0, count: 4)
    here.initialize(to: stat())
    there.initialize(to: stat())
  }

  deinit {
    payload.deallocate()
    received.deallocate()
    head.deallocate()
    here.deallocate()
    there.deallocate()
  }

  /// The number that what is sent begins with.
  func setNumber(_ number: UInt64) { payload.storeBytes(of: number, as: UInt64.self) }

  /// The number that what was heard begins with.
  var receivedNumber: UInt64 { received.load(as: UInt64.self) }

  func send() throws(BenchmarkError) {
    try append(isDurable: false)
  }

  /// Sends, and has the message on the disk before the commit, and the commit before it returns, when it is durable.
  @inline(__always)
  func append(isDurable: Bool) throws(BenchmarkError) {
    let file = openat(directory.descriptor, mine, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if file == -1 { throw .failed("opening the log") }
    // The tries of a lock that is not free are left out: in a floor nobody else holds it.
    if csystem_ofd_setlk(file, Int16(F_WRLCK), 0, 1) != 0 { throw .failed("locking the log") }
    if fstat(file, here) != 0 || fstatat(directory.descriptor, mine, there, AT_SYMLINK_NOFOLLOW) != 0
      || here.pointee.st_ino != there.pointee.st_ino
    {
      throw .failed("the log's name")
    }
    head.update(repeating: 0, count: 4)
    if pread(file, head, headSize, 0) < 0 { throw .failed("reading the log") }
    let end = head[2] + head[3]
    head[2] = end + UInt64(bytes) > ring || head[2] == 0 ? firstPlace : end
    head[3] = UInt64(bytes)
    head[1] += 1
    if pwrite(file, payload, bytes, off_t(head[2])) != bytes { throw .failed("writing the log") }
    if isDurable { fdatasync(file) }
    if pwrite(file, head, headSize, 0) != headSize { throw .failed("committing to the log") }
    if isDurable { fdatasync(file) }
    if csystem_ofd_setlk(file, Int16(F_UNLCK), 0, 1) != 0 { throw .failed("unlocking the log") }
    close(file)
  }

  func wait() throws(BenchmarkError) {
    try directory.wait(for: theirs) { () throws(BenchmarkError) in
      try read(theirs)
      if head[1] == seen { return false }
      seen = head[1]
      return true
    }
  }

  /// Reads what was last sent from here.
  func readOwn() throws(BenchmarkError) { try read(mine) }

  /// Opens a log, reads its newest message and closes it.
  @inline(__always)
  private func read(_ name: UnsafePointer<CChar>) throws(BenchmarkError) {
    let file = openat(directory.descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if file == -1 { throw .failed("opening the log") }
    fstat(file, here)
    if pread(file, head, headSize, 0) != headSize || pread(file, received, Int(head[3]), off_t(head[2])) < 0 {
      throw .failed("reading the log")
    }
    close(file)
  }
}
