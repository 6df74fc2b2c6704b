import FoundationEssentials

extension QueueReceiver.Delivery {
  /// The item as a message; throws when it is no value of the wanted type.
  func message<Value: Decodable>(_ type: Value.Type, identifier: String) throws(WormholeError) -> Message<Value> {
    try record.message(type, identifier: identifier, isRedelivered: isRedelivered)
  }
}

extension QueueRecord {
  /// The record as a message; throws when it is no value of the wanted type.
  func message<Value: Decodable>(
    _ type: Value.Type, identifier: String, isRedelivered: Bool = false
  ) throws(WormholeError) -> Message<Value> {
    guard kind != .file else {
      throw WormholeError(.cannotDecode, reason: "transfer \(sequence) of \(identifier) is a file; use receiveFiles")
    }
    return Message(
      identifier: identifier, value: try payload.decoded(as: type, identifier: identifier), sequence: sequence,
      sent: Date(nanosecondsSinceEpoch: sent), origin: origin, isRedelivered: isRedelivered)
  }
}

extension Date {
  /// A time of the sender's clock, to the microsecond.
  init(nanosecondsSinceEpoch nanoseconds: Int64) {
    self.init(timeIntervalSince1970: Double(nanoseconds / 1000) / 1_000_000)
  }
}
