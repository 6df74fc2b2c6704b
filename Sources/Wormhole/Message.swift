public import FoundationEssentials

/// A message as it was received: its value, and what was archived with it.
public struct Message<Value> {
  /// The mailbox it was passed to.
  public let identifier: String
  /// What was passed.
  public let value: Value
  /// Its number in the mailbox, from 1, growing with each message and signal while the archive stands.
  public let sequence: UInt64
  /// When it was sent, by the sender's clock, to the microsecond.
  public let sent: Date
  /// Who sent it: the label that the sending wormhole was opened with, by default its program's name.
  public let origin: String
  /// How many messages and signals before it this listener was not given, since the last one that it was given.
  public let skipped: Int
  /// For transfers: whether an earlier receiver may have seen it, having ended with it in hand.
  public let isRedelivered: Bool

  /// Makes a message, as a test of a handler would.
  ///
  /// - Parameters:
  ///   - identifier: The mailbox.
  ///   - value: The value.
  ///   - sequence: Its number in the mailbox.
  ///   - sent: When it was sent.
  ///   - origin: Who sent it.
  ///   - skipped: How many before it were not given.
  ///   - isRedelivered: Whether it may have been seen before.
  public init(
    identifier: String, value: Value, sequence: UInt64, sent: Date, origin: String, skipped: Int = 0,
    isRedelivered: Bool = false
  ) {
    self.identifier = identifier
    self.value = value
    self.sequence = sequence
    self.sent = sent
    self.origin = origin
    self.skipped = skipped
    self.isRedelivered = isRedelivered
  }
}

extension Message: Sendable where Value: Sendable {}

extension Message {
  /// The same message with another value.
  func with<Other>(_ other: Other) -> Message<Other> {
    Message<Other>(
      identifier: identifier, value: other, sequence: sequence, sent: sent, origin: origin, skipped: skipped,
      isRedelivered: isRedelivered)
  }

  /// The message that a record is.
  init(_ record: Record, identifier: String, value: Value, skipped: Int = 0, isRedelivered: Bool = false) {
    self.init(
      identifier: identifier, value: value, sequence: record.sequence,
      sent: Date(timeIntervalSince1970: Double(record.sent / 1000) / 1_000_000), origin: record.origin,
      skipped: skipped, isRedelivered: isRedelivered)
  }
}

/// What a listener hears.
public enum Event<Value: Sendable>: Sendable {
  /// A message came.
  case message(Message<Value>)
  /// A signal came: a message without a payload, which leaves the stored one alone.
  case signal(Message<Void>)
  /// The mailbox was cleared.
  case cleared(identifier: String)
  /// Something came that is no message of the wanted type: its payload where it has one, and what is wrong with it.
  ///
  /// What cannot be read at all has no payload, the sequence 0, no origin, and the time at which it was found.
  case undecodable(Message<Payload?>, WormholeError)

  /// The mailbox it happened to.
  public var identifier: String {
    switch self {
    case .message(let message): message.identifier
    case .signal(let message): message.identifier
    case .cleared(let identifier): identifier
    case .undecodable(let message, _): message.identifier
    }
  }
}
