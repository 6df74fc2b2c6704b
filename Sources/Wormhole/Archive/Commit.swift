/// Where a record lies, and which one it is.
package struct Extent: Equatable, Sendable {
  /// The first byte in the file.
  package var offset: Int
  /// The bytes of header and payload.
  package var length: Int
  /// The record's number.
  package var sequence: UInt64

  /// Makes an extent.
  package init(offset: Int, length: Int, sequence: UInt64) {
    self.offset = offset
    self.length = length
    self.sequence = sequence
  }

  /// No record.
  package static let none = Extent(offset: 0, length: 0, sequence: 0)

  /// Whether there is none.
  package var isNone: Bool { sequence == 0 }
  /// The first byte at which another record can begin.
  package var end: Int { offset + ArchiveLayout.aligned(length) }

  /// Whether it lies among the records of such an archive.
  package func isInside(_ header: ArchiveHeader) -> Bool {
    offset >= ArchiveLayout.recordsOffset && offset % ArchiveLayout.alignment == 0 && length >= RecordHeader.length
      && length <= header.capacity && offset <= ArchiveLayout.recordsOffset + header.capacity - length
  }
}

/// What counts: the sector that says which records there are. Whatever it does not lead to is nothing.
///
/// Bytes: 0 checksum of the rest, 8 sequence, then three extents of offset, length and sequence.
package struct Commit: Equatable, Sendable {
  /// The bytes it has.
  package static let length = 88

  /// The number of the newest record; the next one gets the number after it.
  package var sequence: UInt64
  /// The newest record.
  package var newest = Extent.none
  /// The newest record with a payload.
  package var payload = Extent.none
  /// The newest record that is known to be on the disk: what a power cut leaves at least.
  package var durable = Extent.none

  /// The records that no writer may overwrite.
  package var protected: [Extent] {
    var extents = [newest]
    if !payload.isNone, payload != newest { extents.append(payload) }
    if !durable.isNone, durable != payload, durable != newest { extents.append(durable) }
    return extents
  }

  /// The commit block that stands when `extent` has been added as the newest.
  package func adding(_ extent: Extent, hasPayload: Bool) -> Commit {
    var next = self
    next.sequence = extent.sequence
    next.newest = extent
    if hasPayload { next.payload = extent }
    return next
  }

  /// The commit block that stands when all of the file is on the disk: the newest message is the durable one, be the
  /// newest record a signal or not.
  package var beingDurable: Commit {
    var next = self
    next.durable = payload.isNone ? newest : payload
    return next
  }

  /// Writes it to the beginning of `sector`.
  package func encode(into sector: UnsafeMutableRawBufferPointer, identity: UInt64) {
    sector.storeInteger(sequence, at: 8)
    Self.encode(newest, into: sector, at: 16)
    Self.encode(payload, into: sector, at: 40)
    Self.encode(durable, into: sector, at: 64)
    sector.storeInteger(Checksum.of(UnsafeRawBufferPointer(rebasing: sector[8..<Self.length]), seed: identity), at: 0)
  }

  /// Reads what `encode` wrote; nil when the checksum or a value does not fit.
  package init?(_ sector: UnsafeRawBufferPointer, of header: ArchiveHeader) {
    guard sector.count >= Self.length,
      sector.integer(at: 0)
        == Checksum.of(UnsafeRawBufferPointer(rebasing: sector[8..<Self.length]), seed: header.identity)
    else { return nil }
    sequence = sector.integer(at: 8)
    guard sequence <= ArchiveLayout.largestSequence,
      let newest = Self.extent(sector, 16, upTo: sequence, header),
      let payload = Self.extent(sector, 40, upTo: newest.sequence, header),
      let durable = Self.extent(sector, 64, upTo: newest.sequence, header)
    else { return nil }
    self.newest = newest
    self.payload = payload
    self.durable = durable
  }

  /// Makes a commit block.
  package init(sequence: UInt64) { self.sequence = sequence }

  private static func encode(_ extent: Extent, into sector: UnsafeMutableRawBufferPointer, at offset: Int) {
    sector.storeInteger(UInt64(bitPattern: Int64(extent.offset)), at: offset)
    sector.storeInteger(UInt64(bitPattern: Int64(extent.length)), at: offset + 8)
    sector.storeInteger(extent.sequence, at: offset + 16)
  }

  /// The extent at `offset`, nil when it cannot be one.
  private static func extent(
    _ sector: UnsafeRawBufferPointer, _ offset: Int, upTo sequence: UInt64, _ header: ArchiveHeader
  ) -> Extent? {
    let extent = Extent(
      offset: Int(truncatingIfNeeded: sector.integer(at: offset) as UInt64),
      length: Int(truncatingIfNeeded: sector.integer(at: offset + 8) as UInt64),
      sequence: sector.integer(at: offset + 16))
    if extent == .none { return extent }
    return extent.sequence > 0 && extent.sequence <= sequence && extent.isInside(header) ? extent : nil
  }
}
