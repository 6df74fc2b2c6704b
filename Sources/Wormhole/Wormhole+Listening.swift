extension Wormhole {
  /// Calls `handler` with each new message of a mailbox, from the moment this returns.
  ///
  /// Each version comes at most once, in order, and always the newest in the end. The listening lives until the token is
  /// cancelled, `stopListening(identifier:)` is called or the wormhole is released; the token, while it is kept, and a
  /// handler that holds the wormhole keep it alive. By default the handler runs on the library's one thread, where a slow one delays the other
  /// listeners of this process; give `context` to run it elsewhere. It is never called concurrently with itself.
  ///
  /// - Parameters:
  ///   - identifier: The mailbox; it need not exist yet.
  ///   - options: All versions or only the newest, the stored message first or not, own messages or not.
  ///   - context: Where the closures run.
  ///   - onError: Is given what is wrong with a message that is no `Value` or cannot be read, and why changes are only
  ///     looked for every so often where the kernel does not tell of them; listening goes on.
  ///   - handler: Is given each message.
  /// - Returns: A token that ends the listening; it may be dropped.
  /// - Throws: `.invalidIdentifier` and failures of the system that keep it from watching.
  @discardableResult
  public func listenForMessage<Value: Decodable & Sendable>(
    _ identifier: MessageIdentifier<Value>, options: ListeningOptions = [],
    on context: HandlerContext = .wormholeThread,
    onError: (@Sendable (WormholeError) -> Void)? = nil, handler: @escaping @Sendable (Value) -> Void
  ) throws(WormholeError) -> ListeningToken {
    try listenForMessage(
      Value.self, identifier: identifier.name, options: options, on: context, onError: onError, handler: handler)
  }

  /// Calls `handler` with each new message of a mailbox by its plain name; otherwise as with a typed identifier.
  ///
  /// - Parameters:
  ///   - type: What messages are read as.
  ///   - identifier: The mailbox; it need not exist yet.
  ///   - options: All versions or only the newest, the stored message first or not, own messages or not.
  ///   - context: Where the closures run.
  ///   - onError: Is given what is wrong with a message that is no `Value` or cannot be read, and why changes are only
  ///     looked for every so often where the kernel does not tell of them; listening goes on.
  ///   - handler: Is given each message.
  /// - Returns: A token that ends the listening; it may be dropped.
  /// - Throws: `.invalidIdentifier` and failures of the system that keep it from watching.
  @discardableResult
  public func listenForMessage<Value: Decodable & Sendable>(
    _ type: Value.Type, identifier: String, options: ListeningOptions = [],
    on context: HandlerContext = .wormholeThread, onError: (@Sendable (WormholeError) -> Void)? = nil,
    handler: @escaping @Sendable (Value) -> Void
  ) throws(WormholeError) -> ListeningToken {
    try listen(
      Listener(
        transiting: transiting, sender: sender, identifiers: .only([identifier]), options: options, context: context,
        onError: onError
      ) { item, identifier in
        item.withMessage(identifier, onError: onError, handler)
      })
  }

  /// Calls `handler` with everything that happens to one, several or all mailboxes, from the moment this returns.
  ///
  /// As `listenForMessage`; the event tells which mailbox it happened to. The order of events is kept within a mailbox,
  /// not between mailboxes.
  ///
  /// - Parameters:
  ///   - type: What messages are read as; `Payload` for any.
  ///   - identifiers: The mailboxes; `.all` includes those that come later.
  ///   - options: All versions or only the newest, the stored messages first or not, own messages or not.
  ///   - context: Where the closures run.
  ///   - onError: Is given why changes are only looked for every so often, where the kernel does not tell of them.
  ///   - handler: Is given each event.
  /// - Returns: A token that ends the listening; it may be dropped.
  /// - Throws: `.invalidIdentifier` and failures of the system that keep it from watching.
  @discardableResult
  public func listenForEvents<Value: Decodable & Sendable>(
    _ type: Value.Type, identifiers: Identifiers = .all, options: ListeningOptions = [],
    on context: HandlerContext = .wormholeThread, onError: (@Sendable (WormholeError) -> Void)? = nil,
    handler: @escaping @Sendable (Event<Value>) -> Void
  ) throws(WormholeError) -> ListeningToken {
    try listen(
      Listener(
        transiting: transiting, sender: sender, identifiers: identifiers, options: options, context: context,
        onError: onError, eventHandler: handler))
  }

  private func listen(_ listener: Listener) throws(WormholeError) -> ListeningToken {
    try listener.start()
    listenings.add(listener)
    return ListeningToken(keeping: self) { listener.cancel() }
  }

  /// Calls `handler` with everything that happens to a mailbox; see the form with type and identifiers.
  @discardableResult
  public func listenForEvents<Value: Decodable & Sendable>(
    _ identifier: MessageIdentifier<Value>, options: ListeningOptions = [],
    on context: HandlerContext = .wormholeThread, onError: (@Sendable (WormholeError) -> Void)? = nil,
    handler: @escaping @Sendable (Event<Value>) -> Void
  ) throws(WormholeError) -> ListeningToken {
    try listenForEvents(
      Value.self, identifiers: .only([identifier.name]), options: options, on: context, onError: onError,
      handler: handler)
  }

  /// The new messages of a mailbox, from the moment this returns, as a sequence.
  ///
  /// It never ends by itself; it ends with the task that iterates it, and the listening with the sequence. In a task that
  /// prefers `Wormhole.executor` it is as fast as a handler, elsewhere each step wakes a second thread. It reads from
  /// the file at its own pace and buffers nothing, so a slow loop is given the newest (or, with `.every`, what the file
  /// still holds). Messages that are no `Value` are left out and told to `onError`. One loop may consume it.
  ///
  /// - Parameters:
  ///   - identifier: The mailbox; it need not exist yet.
  ///   - options: All versions or only the newest, the stored message first or not, own messages or not.
  ///   - onError: Is given, by the task that iterates, what is wrong with a message that is no `Value` or cannot be read,
  ///     and why changes are only looked for every so often where the kernel does not tell of them.
  /// - Returns: The sequence.
  /// - Throws: `.invalidIdentifier` and failures of the system that keep it from watching.
  public func messages<Value: Decodable & Sendable>(
    _ identifier: MessageIdentifier<Value>, options: ListeningOptions = [],
    onError: (@Sendable (WormholeError) -> Void)? = nil
  ) throws(WormholeError) -> Messages<Value> {
    try messages(Value.self, identifier: identifier.name, options: options, onError: onError)
  }

  /// The new messages of a mailbox by its plain name; otherwise as with a typed identifier.
  ///
  /// - Parameters:
  ///   - type: What messages are read as.
  ///   - identifier: The mailbox; it need not exist yet.
  ///   - options: All versions or only the newest, the stored message first or not, own messages or not.
  ///   - onError: Is given, by the task that iterates, what is wrong with a message that is no `Value` or cannot be read,
  ///     and why changes are only looked for every so often where the kernel does not tell of them.
  /// - Returns: The sequence.
  /// - Throws: `.invalidIdentifier` and failures of the system that keep it from watching.
  public func messages<Value: Decodable & Sendable>(
    _ type: Value.Type, identifier: String, options: ListeningOptions = [],
    onError: (@Sendable (WormholeError) -> Void)? = nil
  ) throws(WormholeError) -> Messages<Value> {
    Messages(try eventsStorage(.only([identifier]), options, onError), onError: onError)
  }

  /// Everything that happens to one, several or all mailboxes, from the moment this returns, as a sequence.
  ///
  /// - Parameters:
  ///   - type: What messages are read as; `Payload` for any.
  ///   - identifiers: The mailboxes; `.all` includes those that come later.
  ///   - options: All versions or only the newest, the stored messages first or not, own messages or not.
  ///   - onError: Is given, by the task that iterates, why changes are only looked for every so often where the kernel
  ///     does not tell of them.
  /// - Returns: The sequence, as `messages` describes it.
  /// - Throws: `.invalidIdentifier` and failures of the system that keep it from watching.
  public func events<Value: Decodable & Sendable>(
    _ type: Value.Type, identifiers: Identifiers = .all, options: ListeningOptions = [],
    onError: (@Sendable (WormholeError) -> Void)? = nil
  ) throws(WormholeError) -> Events<Value> {
    Events(try eventsStorage(identifiers, options, onError))
  }

  private func eventsStorage(
    _ identifiers: Identifiers, _ options: ListeningOptions, _ onError: (@Sendable (WormholeError) -> Void)?
  ) throws(WormholeError) -> EventsStorage {
    try EventsStorage(
      transiting: transiting, sender: sender, identifiers: identifiers, options: options, listenings: listenings,
      keeping: self, onError: onError)
  }

  /// Everything that happens to a mailbox, as a sequence; see the form with type and identifiers.
  public func events<Value: Decodable & Sendable>(
    _ identifier: MessageIdentifier<Value>, options: ListeningOptions = [],
    onError: (@Sendable (WormholeError) -> Void)? = nil
  ) throws(WormholeError) -> Events<Value> {
    try events(Value.self, identifiers: .only([identifier.name]), options: options, onError: onError)
  }

  /// Ends every listening of this wormhole that named this mailbox, for that mailbox; those to all go on.
  ///
  /// Once it has returned no handler starts for it any more.
  ///
  /// - Parameter identifier: The mailbox.
  public func stopListening(identifier: String) {
    listenings.stopListening(to: identifier)
  }
}
