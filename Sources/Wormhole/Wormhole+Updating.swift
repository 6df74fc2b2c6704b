/// Changing a stored message so that no other change is lost.
extension Wormhole {
  /// Changes the stored message of a mailbox atomically: no two updates are lost to each other, across processes too.
  ///
  /// No lock is held while `body` runs; when another was faster, `body` runs again on what the other has stored.
  ///
  /// - Parameters:
  ///   - identifier: The mailbox.
  ///   - initial: What `body` is given when nothing is stored.
  ///   - durability: Whether the message must be on the disk when this returns.
  ///   - body: Changes the value; may run several times, on the calling thread.
  /// - Returns: The value as it was stored.
  /// - Throws: What `body` throws, and as `message(_:)` and `passMessage`.
  @discardableResult
  public func updateMessage<Value: Codable & Sendable>(
    _ identifier: MessageIdentifier<Value>, default initial: @autoclosure () -> Value,
    durability: Durability = .cached, _ body: (inout Value) throws -> Void
  ) throws -> Value {
    try updateMessage(Value.self, identifier: identifier.name, default: initial(), durability: durability, body)
  }

  /// Changes the stored message of a mailbox by its plain name; otherwise as with a typed identifier.
  ///
  /// - Parameters:
  ///   - type: What the message is read as.
  ///   - identifier: The mailbox.
  ///   - initial: What `body` is given when nothing is stored.
  ///   - durability: Whether the message must be on the disk when this returns.
  ///   - body: Changes the value; may run several times, on the calling thread.
  /// - Returns: The value as it was stored.
  /// - Throws: What `body` throws, and as `message(_:)` and `passMessage`.
  @discardableResult
  public func updateMessage<Value: Codable & Sendable>(
    _ type: Value.Type, identifier: String, default initial: @autoclosure () -> Value,
    durability: Durability = .cached, _ body: (inout Value) throws -> Void
  ) throws -> Value {
    while true {
      var expected = StoredVersion.none
      var value: Value
      if let (position, record) = try transiting.newest(identifier), let payload = record.payload {
        expected = .position(position)
        value = try payload.decoded(as: type, identifier: identifier)
      } else {
        value = initial()
      }
      try body(&value)
      let draft = draft(try Payload(encoding: value, codec: options.codec), durability)
      if try transiting.append(draft, to: identifier, expecting: expected) != nil { return value }
    }
  }
}
