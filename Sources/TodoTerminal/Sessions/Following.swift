import Wormhole

extension Wormhole {
  /// Follows what is stored under an identifier, for as long as the wormhole lives.
  ///
  /// - Parameters:
  ///   - identifier: What to follow.
  ///   - empty: What it is while nothing is stored.
  ///   - options: From where on; as a rule beginning with what is stored now.
  ///   - onError: Told when something else is stored than should be.
  ///   - body: Told each value, on the wormhole's thread.
  func follow<Value: Decodable & Sendable>(
    _ identifier: MessageIdentifier<Value>, empty: Value, options: ListeningOptions = .startingWithStored,
    onError: @escaping @Sendable (any Error) -> Void, _ body: @escaping @Sendable (Value) -> Void
  ) throws(WormholeError) {
    try listenForEvents(Value.self, identifiers: [identifier.name], options: options) { event in
      switch event {
      case .message(let message): body(message.value)
      case .cleared: body(empty)
      case .undecodable(_, let error): onError(error)
      case .signal: break
      }
    }
  }
}
