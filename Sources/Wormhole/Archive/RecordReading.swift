/// What reading a record gave.
enum RecordReading {
  /// The record, and where the one before it was.
  case record(Record, previous: Extent)
  /// Bytes that are not, or no longer, this record.
  case invalid
  /// A record that is larger than what may be read.
  case tooLarge(Int)

  /// The record if it is one.
  var record: Record? { if case .record(let record, _) = self { record } else { nil } }
}

extension RecordReading {
  /// From this length on, the file's length is looked at before memory is taken for a record.
  private static let suspiciousLength = 64 << 10
  /// Up to this length a record is read whole into memory of the call, and its payload copied out of it: that takes less
  /// than an array that is filled later, which the standard library makes by a search for its type.
  private static let smallLength = 1024

  /// Reads the record at `extent` in one call.
  init(
    _ file: borrowing FileDescriptor, at extent: Extent, of header: ArchiveHeader, limit: Int
  ) throws(Errno) {
    guard extent.isInside(header) else { self = .invalid; return }
    let payloadLength = extent.length - RecordHeader.length
    if payloadLength > limit { self = .tooLarge(payloadLength); return }
    if extent.length <= Self.smallLength {
      self = try withUnsafeTemporaryAllocation(byteCount: Self.smallLength, alignment: 8) {
        (room) throws(Errno) -> RecordReading in
        let count = try file.read(
          into: UnsafeMutableRawBufferPointer(rebasing: room[..<extent.length]), at: extent.offset)
        let bytes = UnsafeRawBufferPointer(rebasing: room[..<count])
        return RecordReading(bytes, from: extent.offset, at: extent, of: header, limit: limit)
      }
      return
    }
    if extent.length > Self.suspiciousLength, try file.status().size < extent.offset + extent.length {
      self = .invalid
      return
    }
    self = try withUnsafeTemporaryAllocation(byteCount: RecordHeader.length, alignment: 8) {
      (head) throws(Errno) -> RecordReading in
      var isWhole = false
      let payload = try [UInt8](room: payloadLength) { (room, count) throws(Errno) in
        guard try file.read(into: head, and: room, at: extent.offset) == extent.length else { return }
        count = payloadLength
        isWhole = RecordHeader.isWhole(
          UnsafeRawBufferPointer(head), UnsafeRawBufferPointer(room), identity: header.identity)
      }
      return isWhole ? Self.judged(UnsafeRawBufferPointer(head), payload, extent) : .invalid
    }
  }

  /// Takes the record at `extent` out of bytes that were read before, which began at `start` in the file.
  init(_ bytes: UnsafeRawBufferPointer, from start: Int, at extent: Extent, of header: ArchiveHeader, limit: Int) {
    guard extent.isInside(header), extent.offset >= start, extent.offset - start <= bytes.count - extent.length else {
      self = .invalid
      return
    }
    if extent.length - RecordHeader.length > limit { self = .tooLarge(extent.length - RecordHeader.length); return }
    let offset = extent.offset - start
    let head = UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + RecordHeader.length)])
    let body = UnsafeRawBufferPointer(rebasing: bytes[(offset + RecordHeader.length)..<(offset + extent.length)])
    guard RecordHeader.isWhole(head, body, identity: header.identity) else { self = .invalid; return }
    self = Self.judged(head, [UInt8](body), extent)
  }

  /// Whether bytes that fit their checksum are the record that is looked for.
  private static func judged(_ head: UnsafeRawBufferPointer, _ payload: [UInt8], _ extent: Extent) -> RecordReading {
    guard let header = RecordHeader(head), header.sequence == extent.sequence, header.payloadLength == payload.count,
      let record = header.record(head, payload: payload)
    else { return .invalid }
    return .record(record, previous: header.previous)
  }
}
