/// A record of a queue: a mark that changes, then what never changes, with a checksum over it.
///
///     0  state UInt8, withdrawn UInt8, target UInt8 (0: every subscriber, else a cell's index + 1), 5 spare
///     8  checksum UInt64 of all that follows
///    16  length UInt32 of the whole record without padding, kind UInt8, codec UInt8, length of the origin UInt8, spare
///    24  sequence UInt64
///    32  sent Int64, nanoseconds since the epoch
///    40  sender UInt64
///    48  origin, payload
struct QueueRecord: Sendable {
  /// How long a record is without origin and payload.
  static let headerLength = 48
  /// The longest label.
  static let longestOrigin = 64

  /// What a record is about.
  enum Kind: UInt8, Sendable {
    case message = 1
    case file = 3
    case request = 4
    case reply = 5
  }

  /// The byte of a record that tells what became of it.
  enum State: UInt8, Sendable {
    /// Nothing yet.
    case open = 0
    /// Taken back by its sender: no receiver sees it.
    case cancelled = 1
    /// A responder has it.
    case claimed = 2
  }

  /// What it is about.
  var kind: Kind
  /// What became of it when it was read.
  var state: State = .open
  /// Whether its asker wants no answer any more.
  var isWithdrawn = false
  /// The only cell that it is meant for, nil for all.
  var target: Int?
  /// What was passed.
  var payload: Payload
  /// Its number in the queue.
  var sequence: UInt64 = 0
  /// When it was sent, in nanoseconds since the epoch.
  var sent: Int64
  /// The number of the wormhole that sent it.
  var sender: UInt64
  /// The label of the wormhole that sent it.
  var origin: String
  /// The checksum that it was read with, by which it is known again.
  var checksum: UInt64 = 0

  /// How many bytes it took in the file that it was read from, padding included; 0 when it was not read.
  ///
  /// Not always those that it takes where it is appended: a label that is no UTF-8 is longer once it is repaired.
  var readLength = 0

  /// How many bytes it takes where it is appended, padding included.
  var storedLength: Int {
    Self.padded(Self.headerLength + min(origin.utf8.count, Self.longestOrigin) + payload.bytes.count)
  }

  /// A length rounded up to where the next record may begin.
  static func padded(_ length: Int) -> Int { (length + 7) & ~7 }

  /// Appends its bytes with this number, padded, to a buffer.
  func append(sequence: UInt64, to buffer: inout [UInt8]) {
    let start = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: Self.headerLength))
    let label = origin.utf8.prefix(Self.longestOrigin)
    buffer.append(contentsOf: label)
    buffer.append(contentsOf: payload.bytes)
    let length = buffer.count - start
    buffer.append(contentsOf: repeatElement(0, count: Self.padded(length) - length))
    buffer.withUnsafeMutableBytes { all in
      let record = UnsafeMutableRawBufferPointer(rebasing: all[start..<start + length])
      record[2] = target.map { UInt8($0 + 1) } ?? 0
      record.storeBytes(of: UInt32(length).littleEndian, toByteOffset: 16, as: UInt32.self)
      record[20] = kind.rawValue
      record[21] = payload.codec.rawValue
      record[22] = UInt8(label.count)
      record.store(sequence, at: 24)
      record.store(UInt64(bitPattern: sent), at: 32)
      record.store(sender, at: 40)
      record.store(Checksum.of(UnsafeRawBufferPointer(rebasing: record[16...]), seed: 0), at: 8)
    }
  }

  /// What stands at the beginning of some bytes.
  enum Reading: Sendable {
    case record(QueueRecord, storedLength: Int)
    /// It takes so many bytes, more than there are.
    case needs(Int)
    case damaged
  }

  /// Reads the record at the beginning of `bytes`, which no more than `limit` bytes of payload may have.
  static func reading(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Reading {
    guard bytes.count >= headerLength else { return .needs(headerLength) }
    let length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self)))
    let label = Int(bytes[22])
    guard length >= headerLength + label, length - headerLength - label <= limit else { return .damaged }
    guard bytes.count >= length else { return .needs(length) }
    guard let kind = Kind(rawValue: bytes[20]), let codec = Codec(rawValue: bytes[21]),
      let state = State(rawValue: bytes[0]),
      Int(bytes[2]) <= QueueLayout.cellCount,
      bytes.word(at: 8) == Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[16..<length]), seed: 0)
    else { return .damaged }
    let record = QueueRecord(
      kind: kind, state: state, isWithdrawn: bytes[1] != 0, target: bytes[2] == 0 ? nil : Int(bytes[2]) - 1,
      payload: Payload(bytes: Array(bytes[(headerLength + label)..<length]), codec: codec),
      sequence: bytes.word(at: 24),
      sent: Int64(bitPattern: bytes.word(at: 32)), sender: bytes.word(at: 40),
      origin: String(decoding: bytes[headerLength..<headerLength + label], as: UTF8.self), checksum: bytes.word(at: 8),
      readLength: padded(length))
    return .record(record, storedLength: padded(length))
  }
}
