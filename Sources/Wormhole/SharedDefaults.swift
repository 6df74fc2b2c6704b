/// Settings that the programs of a group share: typed values by key, told to the others when they change.
///
/// A suite is a directory of its own beside the group's wormholes and each key a mailbox in it, so two programs that set
/// different keys never undo each other, and setting one is as safe as passing a message.
///
/// ```swift
/// extension MessageIdentifier<Int> { static let volume = Self("volume") }
///
/// let defaults = try SharedDefaults(suiteName: "group.com.example.player")
/// try defaults.register(50, forKey: .volume)
/// try defaults.set(70, forKey: .volume)
/// print(try defaults.value(forKey: .volume) ?? 0)
/// ```
public final class SharedDefaults: Sendable {
  /// The wormhole whose mailboxes are the keys.
  private let wormhole: Wormhole
  /// What is given for keys that nobody has set.
  private let registered = Lock<[FileName: Payload]>([:])

  /// Opens the suite of a group, and makes its directory where it is missing.
  ///
  /// - Parameters:
  ///   - suiteName: The application group identifier, such as `group.com.example.player`.
  ///   - options: How to open it.
  /// - Throws: As opening a `Wormhole` does.
  public convenience init(suiteName: String, options: WormholeOptions = WormholeOptions()) throws(WormholeError) {
    try self.init(container: GroupContainer.directory(group: suiteName, optionalDirectory: nil), options: options)
  }

  /// Opens the suite of the group whose directory this is.
  package init(container: String, options: WormholeOptions = WormholeOptions()) throws(WormholeError) {
    // No wormhole of the group can have this name: a leading point is refused there.
    wormhole = try Wormhole(directory: container + "/.defaults", options: options)
  }

  /// Gives a value to a key for as long as nobody has set one; for this object only, and never stored.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key.
  /// - Throws: `.cannotEncode`, `.invalidIdentifier`.
  public func register<Value: Encodable>(
    _ value: Value, forKey key: MessageIdentifier<Value>
  ) throws(WormholeError) {
    let name = try ArchiveName.fileName(for: key.name)
    let payload = try Payload(encoding: value, codec: wormhole.options.codec)
    registered.withLock { $0[name] = payload }
  }

  /// The value of a key: the stored one, else the registered one, else nil.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value.
  /// - Throws: `.cannotDecode` when it is of another type, and as `Wormhole.message(_:)`.
  public func value<Value: Decodable & Sendable>(
    forKey key: MessageIdentifier<Value>
  ) throws(WormholeError) -> Value? {
    if let value = try wormhole.message(key) { return value }
    let name = try ArchiveName.fileName(for: key.name)
    return try registered.withLock { $0[name] }?.decoded(as: Value.self, identifier: key.name)
  }

  /// Stores a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key.
  ///   - durability: Whether it must be on the disk when this returns.
  /// - Throws: As `Wormhole.passMessage(_:identifier:durability:)`.
  public func set<Value: Encodable>(
    _ value: Value, forKey key: MessageIdentifier<Value>, durability: Durability = .cached
  ) throws(WormholeError) {
    try wormhole.passMessage(value, identifier: key, durability: durability)
  }

  /// Changes a stored value atomically, as `Wormhole.updateMessage` does, beginning with the registered value.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - initial: What `body` is given when nothing is stored or registered.
  ///   - body: Changes the value; may run several times.
  /// - Returns: The value as it was stored.
  /// - Throws: What `body` throws, and as `Wormhole.updateMessage`.
  @discardableResult
  public func update<Value: Codable & Sendable>(
    forKey key: MessageIdentifier<Value>, default initial: @autoclosure () -> Value,
    _ body: (inout Value) throws -> Void
  ) throws -> Value {
    let name = try ArchiveName.fileName(for: key.name)
    let fallback =
      try registered.withLock { $0[name] }?.decoded(as: Value.self, identifier: key.name) ?? initial()
    return try wormhole.updateMessage(key, default: fallback, body)
  }

  /// Removes the stored value of a key, so that the registered one holds again; none stored is no error.
  ///
  /// - Parameter key: The key.
  /// - Throws: As `Wormhole.clearMessage(identifier:)`.
  public func removeValue(forKey key: String) throws(WormholeError) {
    try wormhole.clearMessage(identifier: key)
  }

  /// The keys that have a stored value, in no order. Complexity: linear in their number.
  ///
  /// - Returns: The keys.
  /// - Throws: Failures of the system.
  public func keys() throws(WormholeError) -> [String] {
    try wormhole.identifiers()
  }

  /// Calls `handler` on the library's thread with each change of a key, from this or another process, as it comes.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - onError: Is given what was stored and is no `Value`.
  ///   - handler: Is given the new value; the registered one, or nil, when the stored one was removed.
  /// - Returns: A token that ends it; it may be dropped.
  /// - Throws: As `Wormhole.listenForEvents`.
  @discardableResult
  public func listenForChanges<Value: Decodable & Sendable>(
    forKey key: MessageIdentifier<Value>, onError: (@Sendable (WormholeError) -> Void)? = nil,
    handler: @escaping @Sendable (Value?) -> Void
  ) throws(WormholeError) -> ListeningToken {
    let name = try ArchiveName.fileName(for: key.name)
    return try wormhole.listenForEvents(Value.self, identifiers: .only([key.name])) { [registered] event in
      switch event {
      case .message(let message): handler(message.value)
      case .cleared: handler(try? registered.withLock { $0[name] }?.decoded(as: Value.self, identifier: key.name))
      case .undecodable(_, let error): onError?(error)
      case .signal: break
      }
    }
  }

  /// The changes of all keys as they come, from this or another process.
  ///
  /// - Returns: A sequence that never ends by itself; `identifier` is the key, `.cleared` a removal.
  /// - Throws: As `Wormhole.events`.
  public func changes() throws(WormholeError) -> Events<Payload> {
    try wormhole.events(Payload.self, identifiers: .all)
  }
}
