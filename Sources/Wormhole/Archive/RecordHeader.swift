/// The fixed part before each payload.
///
/// Bytes: 0 checksum of the rest and of the payload, 8 sequence, 16 payload length, 24 sent, 32 sender, 40 offset and
/// 48 length of the record before it, 56 kind, 57 codec, 58 length of the origin, 64 to 127 the origin.
struct RecordHeader {
  /// What a record is.
  enum Kind: UInt8, Sendable {
    /// A message with a payload.
    case message = 1
    /// A message without one.
    case signal = 2
    /// A file in a queue.
    case file = 3
  }

  /// The bytes it has.
  static let length = 128
  /// The most bytes of an origin.
  static let originLength = 64

  /// The record's number.
  let sequence: UInt64
  /// The bytes of the payload.
  let payloadLength: Int
  /// The record before it, as far as it knows: its number is one less.
  let previous: Extent
  private let kind: Kind
  private let codec: UInt8
  private let sent: Int64
  private let sender: UInt64
  private let originCount: Int

  /// Reads a header; nil when a value cannot be one. Nothing in it is believed before the checksum fits.
  init?(_ bytes: UnsafeRawBufferPointer) {
    let payloadLength: UInt64 = bytes.integer(at: 16)
    guard bytes.count >= Self.length, let kind = Kind(rawValue: bytes[56]), bytes[58] <= Self.originLength,
      payloadLength <= UInt64(ArchiveLayout.largestCapacity)
    else { return nil }
    sequence = bytes.integer(at: 8)
    guard sequence > 0, sequence <= ArchiveLayout.largestSequence else { return nil }
    self.payloadLength = Int(payloadLength)
    self.kind = kind
    codec = bytes[57]
    originCount = Int(bytes[58])
    sent = bytes.integer(at: 24)
    sender = bytes.integer(at: 32)
    previous = Extent(
      offset: Int(truncatingIfNeeded: bytes.integer(at: 40) as UInt64),
      length: Int(truncatingIfNeeded: bytes.integer(at: 48) as UInt64), sequence: sequence - 1)
  }

  /// Whether header and payload are as they were written.
  static func isWhole(_ header: UnsafeRawBufferPointer, _ payload: UnsafeRawBufferPointer, identity: UInt64) -> Bool {
    header.integer(at: 0) == checksum(header, payload, identity)
  }

  /// The record; nil when it is of a kind that a mailbox does not hold.
  func record(_ bytes: UnsafeRawBufferPointer, payload: [UInt8]) -> Record? {
    let origin = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[64..<(64 + originCount)]), as: UTF8.self)
    var record = Record(payload: nil, sequence: sequence, sent: sent, sender: sender, origin: origin)
    switch kind {
    case .signal: return payloadLength == 0 ? record : nil
    case .message:
      guard let codec = Codec(rawValue: codec) else { return nil }
      record.payload = Payload(bytes: payload, codec: codec)
      return record
    case .file: return nil
    }
  }

  /// Writes the header of `record`, whose payload lies at `payload`.
  static func encode(
    _ record: Record, payload: UnsafeRawBufferPointer, previous: Extent, identity: UInt64,
    into bytes: UnsafeMutableRawBufferPointer
  ) {
    bytes.storeInteger(record.sequence, at: 8)
    bytes.storeInteger(UInt64(payload.count), at: 16)
    bytes.storeInteger(record.sent, at: 24)
    bytes.storeInteger(record.sender, at: 32)
    bytes.storeInteger(UInt64(previous.offset), at: 40)
    bytes.storeInteger(UInt64(previous.length), at: 48)
    for offset in stride(from: 64, to: length, by: 8) { bytes.storeInteger(UInt64(0), at: offset) }
    bytes.storeInteger(UInt64(0), at: 56)
    bytes[56] = record.payload == nil ? Kind.signal.rawValue : Kind.message.rawValue
    bytes[57] = record.payload?.codec.rawValue ?? 0
    var origin = record.origin
    let count = origin.withUTF8 { label in
      var count = min(label.count, originLength)
      // A label that is too long ends before the character that would not be whole.
      if count < label.count { while count > 0, UTF8.isContinuation(label[count]) { count -= 1 } }
      UnsafeMutableRawBufferPointer(rebasing: bytes[64...]).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(label)[..<count]))
      return count
    }
    bytes[58] = UInt8(count)
    bytes.storeInteger(checksum(UnsafeRawBufferPointer(bytes), payload, identity), at: 0)
  }

  private static func checksum(
    _ header: UnsafeRawBufferPointer, _ payload: UnsafeRawBufferPointer, _ identity: UInt64
  ) -> UInt64 {
    var checksum = Checksum(seed: identity)
    checksum.update(UnsafeRawBufferPointer(rebasing: header[8..<length]))
    checksum.update(payload)
    return checksum.value
  }
}
