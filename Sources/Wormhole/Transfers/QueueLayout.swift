/// Where things lie in the first page of a queue file; records follow it.
///
/// The commit block, and with it what it leads to, is written under the write lock (byte 0). A cell is written by the
/// receiver that holds the lock on its first byte, or by whoever holds that lock and the write lock. The waiting flags
/// and the attention area lie outside all checksums: each is a hint that one side writes before it looks at the other's.
enum QueueLayout {
  /// The size of the page, and the place of the first record after the base.
  static let pageSize = 4096
  /// One byte a cell, not 0 while its receiver sleeps or is about to.
  static let waitingFlags = 128
  /// What receivers look at once an item: the cancel generation and the sequence that a sender awaits.
  static let attention = 256
  /// A sequence for each cell that its receiver is asked to set aside, behind the rest of the attention area.
  static let wishes = attention + 16
  /// How long the attention area is.
  static let attentionLength = 16 + 8 * cellCount
  /// The commit block, in a sector of its own.
  static let commitBlock = 512
  /// The first subscriber cell.
  static let cells = 1024
  /// How long a cell is.
  static let cellLength = 128
  /// How many subscribers a queue can have; the first cell is the default subscriber's.
  static let cellCount = 24
  /// The longest name of a subscriber, in bytes.
  static let longestName = 64
  /// A file that is empty of items and larger than this is cut.
  static let keptSize: UInt64 = 256 << 10
  /// Blocks before the slowest subscriber are given back in steps of at least this many bytes.
  static let holeStep: UInt64 = 1 << 20

  /// The place of a cell, and the byte that its receiver locks.
  static func cell(_ index: Int) -> Int { cells + index * cellLength }
}

/// A place between two items: everything up to and with `sequence` lies before `offset`.
///
/// Offsets are virtual: they never restart. The file holds the byte of offset `o` at `pageSize + (o - base)`.
struct QueuePlace: Hashable, Sendable {
  /// The number of the last item before it.
  var sequence: UInt64
  /// Where the next record begins.
  var offset: UInt64
}

extension QueuePlace {
  /// Whether no queue ever comes so far that counting on from here overflows.
  var isBelievable: Bool { offset < 1 << 62 && sequence < 1 << 62 }
}

/// What the queue holds: all that this does not lead to is nothing.
struct QueueCommit: Hashable, Sendable {
  /// Behind the newest item.
  var end = QueuePlace(sequence: 0, offset: 0)
  /// Before the oldest item that is kept.
  var first = QueuePlace(sequence: 0, offset: 0)
  /// The virtual offset of the first byte after the page.
  var base: UInt64 = 0

  /// Where the byte of a virtual offset lies in the file.
  func position(of offset: UInt64) -> Int { QueueLayout.pageSize + Int(truncatingIfNeeded: offset &- base) }

  private static let length = 48

  /// Reads the block out of its bytes; nil when its checksum or its sense fails.
  init?(block: UnsafeRawBufferPointer) {
    guard block.count == Self.length,
      block.word(at: 0) == Checksum.of(UnsafeRawBufferPointer(rebasing: block[8...]), seed: 0)
    else { return nil }
    end = QueuePlace(sequence: block.word(at: 8), offset: block.word(at: 16))
    first = QueuePlace(sequence: block.word(at: 24), offset: block.word(at: 32))
    base = block.word(at: 40)
    guard base <= first.offset, first.offset <= end.offset, first.sequence <= end.sequence, end.offset % 8 == 0,
      first.offset % 8 == 0, base % 8 == 0, end.offset - base < 1 << 46, end.isBelievable
    else { return nil }
  }

  /// The commit block of a queue without items.
  init() {}

  /// Writes the block into its place in a page.
  func store(in page: UnsafeMutableRawBufferPointer) {
    let place = QueueLayout.commitBlock
    let block = UnsafeMutableRawBufferPointer(rebasing: page[place..<place + Self.length])
    block.store(end.sequence, at: 8)
    block.store(end.offset, at: 16)
    block.store(first.sequence, at: 24)
    block.store(first.offset, at: 32)
    block.store(base, at: 40)
    block.store(Checksum.of(UnsafeRawBufferPointer(rebasing: block[8...]), seed: 0), at: 0)
  }

  /// The bytes of the block alone.
  static var range: Range<Int> { QueueLayout.commitBlock..<QueueLayout.commitBlock + length }
}

/// A subscriber's place in the queue.
struct SubscriberCell: Hashable, Sendable {
  /// Whether a receiver has ever been there.
  var hasReceived = false
  /// The name, empty for the default subscriber.
  var name: [UInt8] = []
  /// Behind the last item that it has taken.
  var done: QueuePlace
  /// The number of the item that its handler has, 0 when none.
  var inHand: UInt64 = 0

  /// What a cell's bytes hold.
  enum Reading: Hashable, Sendable {
    case unused
    case cell(SubscriberCell)
    case damaged
  }

  /// Reads a cell out of a page.
  static func reading(_ index: Int, page: UnsafeRawBufferPointer) -> Reading {
    let start = QueueLayout.cell(index)
    let cell = UnsafeRawBufferPointer(rebasing: page[start..<start + QueueLayout.cellLength])
    // The default subscriber's is never unused: where it is, it was wiped out, and items would wait for nobody.
    if cell[8] == 0 { return index == 0 ? .damaged : .unused }
    guard cell.word(at: 0) == Checksum.of(UnsafeRawBufferPointer(rebasing: cell[8...]), seed: 0),
      Int(cell[10]) <= QueueLayout.longestName
    else { return .damaged }
    let done = QueuePlace(sequence: cell.word(at: 16), offset: cell.word(at: 24))
    guard done.isBelievable, done.offset % 8 == 0 else { return .damaged }
    return .cell(
      SubscriberCell(
        hasReceived: cell[9] != 0, name: Array(cell[40..<40 + Int(cell[10])]), done: done, inHand: cell.word(at: 32)))
  }

  /// Writes the cell into a buffer of `cellLength` bytes.
  func store(in cell: UnsafeMutableRawBufferPointer) {
    for index in cell.indices { cell[index] = 0 }
    cell[8] = 1
    cell[9] = hasReceived ? 1 : 0
    cell[10] = UInt8(name.count)
    cell.store(done.sequence, at: 16)
    cell.store(done.offset, at: 24)
    cell.store(inHand, at: 32)
    for (index, byte) in name.enumerated() { cell[40 + index] = byte }
    cell.store(Checksum.of(UnsafeRawBufferPointer(rebasing: cell[8...]), seed: 0), at: 0)
  }
}

extension UnsafeRawBufferPointer {
  /// The little-endian number at an offset.
  func word(at offset: Int) -> UInt64 { UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
}

extension UnsafeMutableRawBufferPointer {
  /// Stores a number at an offset, little-endian.
  func store(_ number: UInt64, at offset: Int) {
    storeBytes(of: number.littleEndian, toByteOffset: offset, as: UInt64.self)
  }
}

extension [UInt8] {
  /// Runs `body` on the bytes; unlike the standard library's call it keeps the type of the error.
  func withRawBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try withUnsafeBufferPointer { buffer throws(E) in try body(UnsafeRawBufferPointer(buffer)) }
  }

  /// Runs `body` on the bytes to change them; unlike the standard library's call it keeps the type of the error.
  mutating func withMutableRawBytes<R, E: Error>(_ body: (UnsafeMutableRawBufferPointer) throws(E) -> R) throws(E) -> R
  {
    try withUnsafeMutableBufferPointer { buffer throws(E) in try body(UnsafeMutableRawBufferPointer(buffer)) }
  }
}
