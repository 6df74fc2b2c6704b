/// What the record of a file carries beside its metadata.
///
///     0  number of the file UInt64, 8 its size UInt64, 16 length of its name UInt32, 20 whether there is metadata UInt32
///    24  name, metadata
struct FileEnvelope: Hashable, Sendable {
  /// The number in the name of the file in transit.
  var number: UInt64
  /// How many bytes the file has.
  var size: Int
  /// The last component of the path that it came from.
  var name: [UInt8]
  /// How long it is without the name.
  private static let length = 24

  /// The payload of the record: the envelope, then the metadata if there is some.
  func sealing(_ metadata: Payload?) -> Payload {
    var bytes = [UInt8](repeating: 0, count: Self.length)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.store(number, at: 0)
      bytes.store(UInt64(size), at: 8)
      bytes.store(UInt64(name.count) | (metadata == nil ? 0 : 1 << 32), at: 16)
    }
    return Payload(bytes: bytes + name + (metadata?.bytes ?? []), codec: metadata?.codec ?? .json)
  }

  /// Opens the payload of a file's record; nil when it has no envelope.
  static func opening(_ record: QueueRecord) -> (envelope: FileEnvelope, metadata: Payload?)? {
    let bytes = record.payload.bytes
    guard record.kind == .file, bytes.count >= length else { return nil }
    let words = bytes.withUnsafeBytes { ($0.word(at: 0), $0.word(at: 8), $0.word(at: 16)) }
    let end = length + Int(words.2 & 0xFFFF_FFFF)
    guard end <= bytes.count, let size = Int(exactly: words.1) else { return nil }
    let metadata = words.2 >> 32 == 0 ? nil : Payload(bytes: Array(bytes[end...]), codec: record.payload.codec)
    return (FileEnvelope(number: words.0, size: size, name: Array(bytes[length..<end])), metadata)
  }
}

extension QueueRecord {
  /// The number of the file that it carries, nil when it carries none.
  var file: UInt64? { FileEnvelope.opening(self)?.envelope.number }

  /// The same record with its file under another number.
  func withFile(_ number: UInt64) -> QueueRecord {
    guard case (var envelope, let metadata)? = FileEnvelope.opening(self) else { return self }
    envelope.number = number
    var record = self
    record.payload = envelope.sealing(metadata)
    return record
  }
}
