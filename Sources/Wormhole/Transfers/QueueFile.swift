/// An open queue file. Its state is reached only under the lock in this process and, to write, the one between processes.
///
/// Order of operations, and what each carries:
/// 1. A sender takes the lock of byte 0, writes the records behind the end, then the commit block: a crash before the
///    commit leaves nothing, after it everything.
/// 2. After the commit it looks at the waiting flags, clears those that are set, and opens and closes the file, which
///    wakes the receivers. A receiver sets its flag before it looks a last time: one of them sees the other. A sender
///    that dies between clearing and ringing rings by dying, since the kernel closes its descriptor.
/// 3. A receiver writes the item in hand into its cell before the handler runs, and the place done after it returned
///    (together with the next item in hand): a crash brings exactly the item in hand again.
/// 4. Whoever cancels marks the record under the lock, then looks whether it is in hand; a receiver writes in hand, then
///    looks at the cancel generation. Where both see each other, the mark as it stands under the lock decides.
/// 5. Space is given back by a commit first, then by cutting the file or punching a hole: what a crash in between leaves
///    is space that the next one gives back.
final class QueueFile: Sendable {
  /// Its path when it was opened.
  let path: Path
  /// The number it was made with.
  let identity: UInt64
  /// The open file, for reading and writing.
  let descriptor: FileDescriptor
  private let page: Lock<QueuePage>
  /// What the kernel knew of it when it was opened.
  private let opened: FileStatus
  /// How long a lock is waited for, in nanoseconds.
  static let lockTimeout: UInt64 = 5_000_000_000

  private init(path: Path, identity: UInt64, opened: FileStatus, descriptor: consuming FileDescriptor) {
    self.path = path
    self.identity = identity
    self.opened = opened
    self.descriptor = descriptor
    page = Lock(QueuePage())
  }

  /// Opens the queue at a path, nil when there is none.
  static func open(_ path: Path) throws(WormholeError) -> QueueFile? {
    let descriptor: FileDescriptor
    do throws(Errno) {
      descriptor = try FileDescriptor.open(path, OpenFlags.readWrite)
    } catch {
      if error == .noEntry { return nil }
      if error == .symbolicLinkLoop || error == .isDirectory || error == .noDeviceOrAddress {
        throw WormholeError(
          .notAnArchive, path: path.description, errno: error.rawValue,
          reason: "something other than a regular file stands at the queue's name; move it away")
      }
      throw WormholeError(error, "cannot open the queue", path)
    }
    let (identity, status) = try identity(of: descriptor, path)
    return QueueFile(path: path, identity: identity, opened: status, descriptor: descriptor)
  }

  /// The number in the header of an open queue, and which file it is.
  private static func identity(
    of descriptor: borrowing FileDescriptor, _ path: Path
  ) throws(WormholeError) -> (UInt64, FileStatus) {
    var bytes = [UInt8](repeating: 0, count: QueueHeader.length)
    let status: FileStatus
    do throws(Errno) {
      status = try descriptor.status()
      if status.kind == .regular {
        _ = try bytes.withMutableRawBytes { buffer throws(Errno) in try descriptor.read(into: buffer, at: 0) }
      }
    } catch {
      throw WormholeError(error, "cannot read the queue", path)
    }
    guard status.kind == .regular else {
      throw WormholeError(
        .notAnArchive, path: path.description,
        reason: "something other than a regular file stands at the queue's name; move it away")
    }
    switch bytes.withRawBytes({ QueueHeader.reading($0) }) {
    case .identity(let identity): return (identity, status)
    case .damaged: throw damage(path)
    case .newer(let version):
      throw WormholeError(
        .newerArchive, path: path.description,
        reason: "the queue has format version \(version); use a newer version of this program")
    }
  }

  /// Whether the head of an open queue passes its checks, or is of a newer version; to be called under its lock.
  static func isWhole(_ descriptor: borrowing FileDescriptor) throws(Errno) -> Bool {
    var page = QueuePage()
    let isCommitted = try page.load(from: descriptor)
    switch page.bytes.withRawBytes({ QueueHeader.reading($0) }) {
    case .identity: return isCommitted
    case .newer: return true
    case .damaged: return false
    }
  }

  /// Runs `body` while this process and thread alone may write; nil when the file is no longer the one of its name.
  func withWriteLock<R>(_ body: (inout QueuePage) throws(WormholeError) -> R) throws(WormholeError) -> R? {
    try page.withLock { page throws(WormholeError) in
      let isLocked = try Self.reading("cannot lock the queue", path) { () throws(Errno) in
        try descriptor.lock(.exclusive, at: 0, timeout: Self.lockTimeout)
      }
      guard isLocked else {
        throw WormholeError(
          .lockTimedOut, path: path.description,
          reason: "another process has held the lock of the queue for 5 s; find it with lsof and end or continue it")
      }
      defer { try? descriptor.unlock(at: 0) }
      let isStillNamed = try Self.reading("cannot look at the queue", path) { () throws(Errno) -> Bool in
        try isCurrent()
      }
      guard isStillNamed else { return nil }
      // A commit block is written under the lock that is held here: what fails its checks now is damaged.
      guard try Self.reading("cannot read the queue", path, { () throws(Errno) in try page.load(from: descriptor) })
      else { throw Self.damage(path) }
      return try body(&page)
    }
  }

  /// Whether its name still leads to it: it may have been removed, or moved away to be kept.
  func isCurrent() throws(Errno) -> Bool {
    do throws(Errno) { return try FileSystem.status(of: path).isSameFile(as: opened) } catch {
      if error == .noEntry { return false }
      throw error
    }
  }

  /// Wakes all who watch the queue; false when the file could not be opened.
  func ring() -> Bool {
    guard let bell = try? FileDescriptor.open(path, OpenFlags.readWrite) else { return false }
    do throws(Errno) { try bell.close() } catch { return true }
    return true
  }

  /// Runs system calls on the queue and names what failed; `badMessage` stands for bytes that fail their checks.
  static func reading<R>(_ action: String, _ path: Path, _ body: () throws(Errno) -> R) throws(WormholeError) -> R {
    do throws(Errno) { return try body() } catch {
      throw error == .badMessage ? damage(path) : WormholeError(error, action, path)
    }
  }

  /// What is said of a queue that fails its checks.
  static func damage(_ path: Path) -> WormholeError {
    WormholeError(
      .damagedArchive, path: path.description,
      reason: "the queue fails its checks; move it away to go on with an empty one")
  }
}

/// The first bytes of a queue file.
enum QueueHeader {
  /// How long the header is.
  static let length = 48
  private static let magic: UInt64 = 0x0A1A_656C_6F68_7257
  private static let version: UInt32 = 1
  /// The kind of retention: everything until it is taken.
  private static let retention: UInt32 = 2

  /// What a header says.
  enum Reading: Hashable, Sendable {
    case identity(UInt64)
    case newer(UInt32)
    case damaged
  }

  /// Reads a header.
  static func reading(_ bytes: UnsafeRawBufferPointer) -> Reading {
    let version = UInt32(truncatingIfNeeded: bytes.word(at: 8))
    guard bytes.word(at: 0) == magic else { return .damaged }
    if version > Self.version { return .newer(version) }
    guard UInt32(truncatingIfNeeded: bytes.word(at: 8) >> 32) == retention,
      bytes.word(at: 40) == Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<40]), seed: 0)
    else { return .damaged }
    return .identity(bytes.word(at: 16))
  }

  /// The page of a new queue: empty, with the default subscriber's cell.
  static func newPage(identity: UInt64) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: QueueLayout.pageSize)
    bytes.withUnsafeMutableBytes { page in
      page.store(magic, at: 0)
      page.store(UInt64(version) | UInt64(retention) << 32, at: 8)
      page.store(identity, at: 16)
      page.store(Checksum.of(UnsafeRawBufferPointer(rebasing: page[..<40]), seed: 0), at: 40)
      QueueCommit().store(in: page)
      let start = QueueLayout.cell(0)
      SubscriberCell(done: QueuePlace(sequence: 0, offset: 0))
        .store(in: UnsafeMutableRawBufferPointer(rebasing: page[start..<start + QueueLayout.cellLength]))
    }
    return bytes
  }
}
