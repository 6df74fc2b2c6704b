/// Transfers: messages that wait in a queue until their subscribers have taken them, first in, first out.
extension Wormhole {
  /// Puts a message into the queue of an identifier, where it waits until it is taken.
  ///
  /// - Parameters:
  ///   - message: What to transfer.
  ///   - identifier: The queue.
  ///   - durability: What a crash may take away.
  /// - Returns: A handle to follow it, to take it back or to await its delivery; it may be dropped.
  /// - Throws: `.queueFull` when `WormholeOptions.queueLimit` bytes are outstanding; nothing is dropped then.
  @discardableResult
  public func transfer(
    _ message: some Encodable, identifier: String, durability: Durability = .cached
  ) throws(WormholeError) -> Transfer {
    let store = try transferStore()
    let record = try transferRecord(message)
    let places = try store.append([record], identifier: identifier, options: options, durability: durability)
    return Transfer(identifier: identifier, item: places[0], store: store)
  }

  /// Puts a message into the queue of an identifier; see `transfer(_:identifier:durability:)` with a string.
  @discardableResult
  public func transfer<Value: Encodable>(
    _ message: Value, identifier: MessageIdentifier<Value>, durability: Durability = .cached
  ) throws(WormholeError) -> Transfer {
    try transfer(message, identifier: identifier.name, durability: durability)
  }

  /// Puts several messages into the queue of an identifier at once: next to each other, and faster than one by one.
  ///
  /// - Throws: `.queueFull` when they do not all fit; none is transferred then.
  @discardableResult
  public func transfer<Value: Encodable>(
    contentsOf messages: some Sequence<Value>, identifier: String, durability: Durability = .cached
  ) throws(WormholeError) -> [Transfer] {
    let store = try transferStore()
    var records: [QueueRecord] = []
    for message in messages { records.append(try transferRecord(message)) }
    if records.isEmpty { return [] }
    return try store.append(records, identifier: identifier, options: options, durability: durability).map {
      Transfer(identifier: identifier, item: $0, store: store)
    }
  }

  /// Puts several messages into the queue of an identifier at once; see the form with a string.
  @discardableResult
  public func transfer<Value: Encodable>(
    contentsOf messages: some Sequence<Value>, identifier: MessageIdentifier<Value>, durability: Durability = .cached
  ) throws(WormholeError) -> [Transfer] {
    try transfer(contentsOf: messages, identifier: identifier.name, durability: durability)
  }

  /// The transfers that some subscriber has not taken, oldest first; complexity: linear in their bytes.
  ///
  /// - Parameter identifier: The queue, nil for all.
  public func outstandingTransfers(identifier: String? = nil) throws(WormholeError) -> [Transfer] {
    let store = try transferStore()
    var transfers: [Transfer] = []
    var names: [String] = []
    if let identifier { names = [identifier] } else { names = try store.identifiers().sorted() }
    for name in names {
      for (item, record) in try store.queue(name).outstanding(limit: store.sizeLimit) {
        transfers.append(Transfer(identifier: name, item: item, store: store, file: record.file))
      }
    }
    return transfers
  }

  /// Receives the transfers of an identifier, oldest first, one after the other.
  ///
  /// A transfer is taken once its handler has returned. When the handler throws, the transfer stays first in line and
  /// the handler is called again after 0.1 s, then after pauses that double up to 30 s, until it returns or
  /// `setAsideTransfer` puts the transfer out of the way. When the program ends inside the handler, the same transfer
  /// comes again, marked `isRedelivered`. What is no value of the wanted type is told to `onError` and set aside.
  ///
  /// Each subscriber has its own place and gets everything; the first time, it begins with the oldest transfer that is
  /// outstanding. The default subscriber, nil, is there from the start, so that transfers wait for it; once a named
  /// one has received and the default one never has, nothing waits for the default one any more. A queue has places for
  /// 23 names, each kept until `removeSubscriber`. One receiver at a time serves a subscriber; others wait until it ends.
  ///
  /// - Parameters:
  ///   - type: The type of the messages.
  ///   - identifier: The queue.
  ///   - subscriber: Whose place, at most 64 bytes; nil for the default one.
  ///   - context: Where the handler runs.
  ///   - onError: Called, where the handler runs, with what stands in the way of receiving.
  ///   - onFile: Takes a file, as the handler of `receiveFiles` does; nil when none are expected, which are set aside then.
  ///   - handler: Takes a transfer.
  /// - Returns: A token that ends the receiving; it may be dropped.
  /// - Throws: `.limitReached` when all places for subscribers are taken, `.invalidIdentifier` and others.
  @discardableResult
  public func receiveTransfers<Value: Decodable & Sendable>(
    _ type: Value.Type, identifier: String, subscriber: String? = nil, on context: HandlerContext = .wormholeThread,
    onError: (@Sendable (WormholeError) -> Void)? = nil,
    onFile: (@Sendable (ReceivedFile) throws -> Void)? = nil,
    handler: @escaping @Sendable (Message<Value>) throws -> Void
  ) throws(WormholeError) -> ListeningToken {
    try receive(identifier, subscriber, context, onError, onFile: onFile) { record, isRedelivered in
      let message: Message<Value>
      do throws(WormholeError) {
        message = try record.message(type, identifier: identifier, isRedelivered: isRedelivered)
      } catch {
        return .undecodable(error)
      }
      do { try handler(message) } catch { return .refused(by: error, record, identifier) }
      return .taken
    }
  }

  /// Begins to receive, whatever comes.
  func receive(
    _ identifier: String, _ subscriber: String?, _ context: HandlerContext,
    _ onError: (@Sendable (WormholeError) -> Void)?, onFile: (@Sendable (ReceivedFile) throws -> Void)?,
    onMessage: @escaping @Sendable (QueueRecord, _ isRedelivered: Bool) -> TransferReceiver.Outcome
  ) throws(WormholeError) -> ListeningToken {
    let store = try transferStore()
    let receiver = try TransferReceiver(
      store: store, identifier: identifier, subscriber: subscriber, context: context, onError: onError
    ) { delivery, place in
      guard delivery.record.kind == .file, let onFile else {
        return onMessage(delivery.record, delivery.isRedelivered)
      }
      return store.deliver(delivery, from: place, identifier: identifier, onFile)
    }
    try receiver.start()
    store.sweepFilesOnce()
    listenings.add(receiver)
    return ListeningToken(keeping: self) { receiver.cancel() }
  }

  /// Receives the transfers of an identifier; see the form with type and string.
  @discardableResult
  public func receiveTransfers<Value: Decodable & Sendable>(
    _ identifier: MessageIdentifier<Value>, subscriber: String? = nil, on context: HandlerContext = .wormholeThread,
    onError: (@Sendable (WormholeError) -> Void)? = nil,
    onFile: (@Sendable (ReceivedFile) throws -> Void)? = nil,
    handler: @escaping @Sendable (Message<Value>) throws -> Void
  ) throws(WormholeError) -> ListeningToken {
    try receiveTransfers(
      Value.self, identifier: identifier.name, subscriber: subscriber, on: context, onError: onError, onFile: onFile,
      handler: handler)
  }

  /// The transfers of an identifier as an asynchronous sequence: an element is taken when the next one is asked for.
  ///
  /// - Parameters:
  ///   - type: The type of the messages.
  ///   - identifier: The queue.
  ///   - subscriber: Whose place, at most 64 bytes; nil for the default one.
  ///   - onError: Is given, by the task that iterates, what stands in the way of receiving, and what is wrong with a
  ///     transfer that is no `Value`, which is set aside.
  /// - Returns: The sequence, for one consumer; breaking out of its loop leaves the element in hand untaken.
  /// - Throws: As `receiveTransfers`.
  public func transfers<Value: Decodable & Sendable>(
    _ type: Value.Type, identifier: String, subscriber: String? = nil,
    onError: (@Sendable (WormholeError) -> Void)? = nil
  ) throws(WormholeError) -> Transfers<Value> {
    Transfers(
      source: try TransferSource(
        store: transferStore(), identifier: identifier, subscriber: subscriber, onError: onError))
  }

  /// The transfers of an identifier as an asynchronous sequence; see the form with type and string.
  public func transfers<Value: Decodable & Sendable>(
    _ identifier: MessageIdentifier<Value>, subscriber: String? = nil,
    onError: (@Sendable (WormholeError) -> Void)? = nil
  ) throws(WormholeError) -> Transfers<Value> {
    try transfers(Value.self, identifier: identifier.name, subscriber: subscriber, onError: onError)
  }

  /// The queues of this wormhole, or the error that its way of transiting has none.
  func transferStore() throws(WormholeError) -> TransferStore {
    guard let queues else {
      throw WormholeError(
        .unsupported, reason: "transfers, requests and files need a directory; open the wormhole without a transiting")
    }
    return queues
  }

  private func transferRecord(_ message: some Encodable) throws(WormholeError) -> QueueRecord {
    try transferRecord(.message, try Payload(encoding: message, codec: options.codec))
  }

  /// The record of what is to be transferred.
  func transferRecord(_ kind: QueueRecord.Kind, _ payload: Payload) throws(WormholeError) -> QueueRecord {
    guard payload.bytes.count <= options.messageSizeLimit, payload.bytes.count < 1 << 31 else {
      throw WormholeError(
        .messageTooLarge,
        reason: "the message has \(payload.bytes.count) bytes, more than the limit of \(options.messageSizeLimit); "
          + "raise messageSizeLimit, or transfer a file")
    }
    return QueueRecord(kind: kind, payload: payload, sent: Clock.realtime, sender: sender, origin: options.origin)
  }
}

extension TransferStore {
  /// Appends records and says where they are.
  func append(
    _ records: [QueueRecord], identifier: String, options: WormholeOptions, durability: Durability
  ) throws(WormholeError) -> [QueueItem] {
    try queue(identifier).append(records, limit: options.queueLimit, durability: durability)
  }
}
