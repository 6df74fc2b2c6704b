/// Where the parts of an archive file lie.
package enum ArchiveLayout {
  /// "WORMHOLE" as the first eight bytes.
  package static let magic: UInt64 = 0x454C_4F48_4D52_4F57
  /// The format that this library writes, and the newest that it reads.
  package static let version: UInt32 = 1
  /// Header and commit block together: what one read of the beginning takes.
  package static let headLength = 1024
  /// The commit block has a sector of its own, which disks write whole or not at all.
  package static let commitOffset = 512
  /// The byte that is not 0 once the file may have lost its name: the last of that sector, outside all checksums.
  package static let nameMark = 1023
  /// Where the records begin: behind the first page.
  package static let recordsOffset = 4096
  /// Records begin at multiples of this.
  package static let alignment = 8
  /// More than any archive holds; keeps the arithmetic on lengths from a file far from overflow.
  package static let largestCapacity = 1 << 46
  /// More than any archive counts to; leaves the upper bits for `Position.unreadable`.
  package static let largestSequence: UInt64 = 1 << 48 - 1

  /// The length with what is left free behind it for the next record's alignment.
  package static func aligned(_ length: Int) -> Int { (length + alignment - 1) & ~(alignment - 1) }
}

/// What an archive is for its whole life: the first sector of the file, never written again.
///
/// Bytes: 0 magic, 8 version, 12 kind, 16 identity, 24 capacity, 32 retention, 40 checksum of the 40 before.
package struct ArchiveHeader: Equatable, Sendable {
  /// How records make room.
  package enum Kind: UInt32, Sendable {
    /// A ring: the oldest give way.
    case latest = 1
    /// A queue: all stay until taken.
    case all = 2
  }

  /// Bytes that the checksum covers; it stands behind them.
  private static let covered = 40

  /// How records make room.
  package var kind = Kind.latest
  /// A random number that other archives do not have; also the seed of every checksum in the file, so that a record of
  /// another archive is never taken for one of this.
  package var identity: UInt64
  /// How many bytes there are for records.
  package var capacity: Int
  /// How many of them somebody asked for; the rest came because of a large message.
  package var retention: Int

  /// Writes it to the beginning of `head`.
  package func encode(into head: UnsafeMutableRawBufferPointer) {
    head.storeInteger(ArchiveLayout.magic, at: 0)
    head.storeInteger(ArchiveLayout.version, at: 8)
    head.storeInteger(kind.rawValue, at: 12)
    head.storeInteger(identity, at: 16)
    head.storeInteger(UInt64(capacity), at: 24)
    head.storeInteger(UInt64(retention), at: 32)
    let bytes = UnsafeRawBufferPointer(rebasing: head[..<Self.covered])
    head.storeInteger(Checksum.of(bytes, seed: identity), at: Self.covered)
  }

  /// Reads what `encode` wrote; nil when the checksum or a value does not fit.
  package init?(_ head: UnsafeRawBufferPointer) {
    guard head.count >= Self.covered + 8 else { return nil }
    let identity: UInt64 = head.integer(at: 16)
    let bytes = UnsafeRawBufferPointer(rebasing: head[..<Self.covered])
    let capacity: UInt64 = head.integer(at: 24)
    let retention: UInt64 = head.integer(at: 32)
    guard head.integer(at: Self.covered) == Checksum.of(bytes, seed: identity),
      let kind = Kind(rawValue: head.integer(at: 12)), capacity <= UInt64(ArchiveLayout.largestCapacity),
      retention <= UInt64(ArchiveLayout.largestCapacity), capacity % UInt64(ArchiveLayout.alignment) == 0
    else { return nil }
    self.init(kind: kind, identity: identity, capacity: Int(capacity), retention: Int(retention))
  }

  /// Makes a header.
  package init(kind: Kind = .latest, identity: UInt64, capacity: Int, retention: Int) {
    self.kind = kind
    self.identity = identity
    self.capacity = capacity
    self.retention = retention
  }
}

extension UnsafeRawBufferPointer {
  /// The little-endian integer at `offset`.
  @inline(__always)
  func integer<Integer: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Integer {
    Integer(littleEndian: loadUnaligned(fromByteOffset: offset, as: Integer.self))
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Writes an integer at `offset`, little-endian.
  @inline(__always)
  func storeInteger<Integer: FixedWidthInteger & BitwiseCopyable>(_ value: Integer, at offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: Integer.self)
  }
}
