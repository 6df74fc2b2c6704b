/// What a request carries beside its payload.
struct RequestEnvelope: Hashable, Sendable {
  /// The number of the asker's reply queue.
  var replies: UInt64
  /// The asker's number of the request.
  var number: UInt64
  /// When its time is over, by the monotonic clock of this machine, in nanoseconds.
  var deadline: UInt64
  /// How many bytes it takes before the payload.
  static let length = 24

  /// A payload with the envelope before it.
  func sealing(_ payload: Payload) -> Payload {
    var bytes = [UInt8](repeating: 0, count: Self.length)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.store(replies, at: 0)
      bytes.store(number, at: 8)
      bytes.store(deadline, at: 16)
    }
    return Payload(bytes: bytes + payload.bytes, codec: payload.codec)
  }

  /// Opens a payload; nil when it has no envelope.
  static func opening(_ payload: Payload) -> (envelope: RequestEnvelope, payload: Payload)? {
    guard payload.bytes.count >= length else { return nil }
    let envelope = payload.bytes.withUnsafeBytes {
      RequestEnvelope(replies: $0.word(at: 0), number: $0.word(at: 8), deadline: $0.word(at: 16))
    }
    return (envelope, Payload(bytes: Array(payload.bytes[length...]), codec: payload.codec))
  }
}

/// What a reply carries beside its payload.
struct ReplyEnvelope: Hashable, Sendable {
  /// How a request was answered.
  enum Status: UInt64, Sendable {
    /// With a value.
    case value = 0
    /// With an error; the payload is its text.
    case failure = 1
    /// Not at all: the responder came after the asker had given up.
    case declined = 2
  }

  /// The asker's number of the request.
  var number: UInt64
  /// How it was answered.
  var status: Status
  /// How many bytes it takes before the payload.
  static let length = 16

  /// A payload with the envelope before it.
  func sealing(_ payload: Payload) -> Payload {
    var bytes = [UInt8](repeating: 0, count: Self.length)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.store(number, at: 0)
      bytes.store(status.rawValue, at: 8)
    }
    return Payload(bytes: bytes + payload.bytes, codec: payload.codec)
  }

  /// Opens a payload; nil when it has no envelope.
  static func opening(_ payload: Payload) -> (envelope: ReplyEnvelope, payload: Payload)? {
    guard payload.bytes.count >= length else { return nil }
    let (number, raw) = payload.bytes.withUnsafeBytes { ($0.word(at: 0), $0.word(at: 8)) }
    guard let status = Status(rawValue: raw) else { return nil }
    let rest = Payload(bytes: Array(payload.bytes[length...]), codec: payload.codec)
    return (ReplyEnvelope(number: number, status: status), rest)
  }
}
