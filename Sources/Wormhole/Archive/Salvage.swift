/// Finds the records of an archive whose commit block or header is lost.
enum Salvage {
  /// How much of a file is looked through at once.
  private static let window = 64 << 10
  /// How often the bytes of the file may go into checksums: bytes made to look like records cost no more than this.
  private static let effort = 4

  /// Every whole record that carries this identity's checksum, by number, each once.
  ///
  /// - Complexity: Linear in the smaller of the file's size and its capacity; no more is looked through than four times
  ///   the largest message and a ring of it, whatever the file claims.
  static func records(
    in file: borrowing FileDescriptor, size: Int, identity: UInt64, capacity: Int?, limit: Int
  ) throws(Errno) -> [Record] {
    let bound = 4 * (min(limit, ArchiveLayout.largestCapacity / 8) + (1 << 20))
    let length = min(size - ArchiveLayout.recordsOffset, capacity ?? bound, bound)
    guard length >= RecordHeader.length else { return [] }
    let header = ArchiveHeader(identity: identity, capacity: ArchiveLayout.aligned(length), retention: 0)
    let end = ArchiveLayout.recordsOffset + length
    var found: [Record] = []
    var effort = Self.effort * length
    var offset = ArchiveLayout.recordsOffset
    var windowStart = 0
    var bytes: [UInt8] = []
    while offset <= end - RecordHeader.length, effort > 0 {
      if bytes.isEmpty || offset + RecordHeader.length > windowStart + bytes.count {
        windowStart = offset
        bytes = try Self.bytes(of: file, at: offset, count: min(Self.window, end - offset))
        if bytes.count < RecordHeader.length { break }
      }
      let start = offset - windowStart
      let candidate = bytes.withUnsafeBytes { buffer in
        RecordHeader(UnsafeRawBufferPointer(rebasing: buffer[start..<(start + RecordHeader.length)]))
      }
      offset += ArchiveLayout.alignment
      guard let candidate, candidate.payloadLength <= min(limit, end - offset) else { continue }
      let extent = Extent(
        offset: windowStart + start, length: RecordHeader.length + candidate.payloadLength,
        sequence: candidate.sequence)
      effort -= extent.length
      guard case .record(let record, _) = try RecordReading(file, at: extent, of: header, limit: limit) else {
        continue
      }
      found.append(record)
      // What lies inside a whole record is its payload, whatever that looks like.
      offset = extent.end
    }
    found.sort { $0.sequence < $1.sequence }
    return found
  }

  private static func bytes(of file: borrowing FileDescriptor, at offset: Int, count: Int) throws(Errno) -> [UInt8] {
    try [UInt8](room: count) { (room, filled) throws(Errno) in filled = try file.read(into: room, at: offset) }
  }
}
