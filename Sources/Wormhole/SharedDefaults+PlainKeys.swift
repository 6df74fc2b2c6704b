/// Keys by their plain names, for those that come as text, and a typed one where the type does not matter.
extension SharedDefaults {
  /// Gives a value to a key for as long as nobody has set one; see the form with a typed key.
  public func register<Value: Encodable>(_ value: Value, forKey key: String) throws(WormholeError) {
    try register(value, forKey: MessageIdentifier<Value>(key))
  }

  /// The value of a key: the stored one, else the registered one, else nil; see the form with a typed key.
  public func value<Value: Decodable & Sendable>(
    _ type: Value.Type, forKey key: String
  ) throws(WormholeError) -> Value? {
    try value(forKey: MessageIdentifier<Value>(key))
  }

  /// Stores a value; see the form with a typed key.
  public func set<Value: Encodable>(
    _ value: Value, forKey key: String, durability: Durability = .cached
  ) throws(WormholeError) {
    try set(value, forKey: MessageIdentifier<Value>(key), durability: durability)
  }

  /// Changes a stored value atomically, beginning with the registered value; see the form with a typed key.
  @discardableResult
  public func update<Value: Codable & Sendable>(
    _ type: Value.Type, forKey key: String, default initial: @autoclosure () -> Value,
    _ body: (inout Value) throws -> Void
  ) throws -> Value {
    try update(forKey: MessageIdentifier<Value>(key), default: initial(), body)
  }

  /// Removes the stored value of a key; see the form with a string.
  public func removeValue<Value>(forKey key: MessageIdentifier<Value>) throws(WormholeError) {
    try removeValue(forKey: key.name)
  }

  /// Calls `handler` with each change of a key; see the form with a typed key.
  @discardableResult
  public func listenForChanges<Value: Decodable & Sendable>(
    _ type: Value.Type, forKey key: String, onError: (@Sendable (WormholeError) -> Void)? = nil,
    handler: @escaping @Sendable (Value?) -> Void
  ) throws(WormholeError) -> ListeningToken {
    try listenForChanges(forKey: MessageIdentifier<Value>(key), onError: onError, handler: handler)
  }
}
