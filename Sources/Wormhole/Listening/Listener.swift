/// A listening by handler.
///
/// It knows nothing of the type that messages are read as: what is generic is the one call of its handler.
/// On the wormhole thread the handler is called directly by the notification; elsewhere one run at a time is scheduled,
/// which looks at all that has changed by then.
final class Listener: ChangeSink, Listening {
  private let lookout: Lookout
  private let context: HandlerContext
  private let handler: @Sendable (Finding.Item, _ identifier: String) -> Void
  private let onError: (@Sendable (WormholeError) -> Void)?

  /// A listener that `start` starts.
  ///
  /// - Parameters:
  ///   - transiting: How messages travel.
  ///   - sender: The number of the wormhole, by which its own messages are known.
  ///   - identifiers: What to listen to.
  ///   - options: What is given.
  ///   - context: Where the handler runs.
  ///   - onError: Called, where the handler is, with what stands in the way of listening as such.
  ///   - handler: Called with each thing to give but notices, one at a time.
  init(
    transiting: any Transiting, sender: UInt64, identifiers: Identifiers, options: ListeningOptions,
    context: HandlerContext, onError: (@Sendable (WormholeError) -> Void)? = nil,
    handler: @escaping @Sendable (Finding.Item, _ identifier: String) -> Void
  ) {
    lookout = Lookout(transiting, identifiers, options, sender: sender)
    self.context = context
    self.handler = handler
    self.onError = onError
  }

  /// A listener whose handler is called with events.
  convenience init<Value: Decodable & Sendable>(
    transiting: any Transiting, sender: UInt64, identifiers: Identifiers, options: ListeningOptions,
    context: HandlerContext, onError: (@Sendable (WormholeError) -> Void)? = nil,
    eventHandler: @escaping @Sendable (Event<Value>) -> Void
  ) {
    self.init(
      transiting: transiting, sender: sender, identifiers: identifiers, options: options, context: context,
      onError: onError
    ) { item, identifier in
      if let event = Event<Value>(item, identifier: identifier) { eventHandler(event) }
    }
  }

  /// Begins to listen: what is sent after this has returned reaches the handler.
  func start() throws(WormholeError) {
    if try lookout.start(self) { context.run { self.drain() } }
  }

  func changed(_ identifier: String?) {
    if lookout.noteChange(identifier) { drainSoon() }
  }

  func polled(_ reason: WormholeError) {
    if onError != nil, lookout.note(reason) { drainSoon() }
  }

  /// Sees to it that the handler gets what there is.
  private func drainSoon() {
    if context.isDirect { drain() } else { context.run { self.drain() } }
  }

  /// Whether it is over.
  var isEnded: Bool { lookout.isEnded }

  func cancel() { lookout.cancel(self) }

  func stopListening(to identifier: String) { _ = lookout.stopListening(to: identifier, self) }

  /// Gives the handler all that there is.
  private func drain() {
    while let finding = lookout.next(self) {
      for item in finding.items {
        if case .notice(let error) = item {
          _ = lookout.runHandler(for: nil) { onError?(error) }
          continue
        }
        if !lookout.runHandler(for: finding.mailbox, { handler(item, finding.mailbox?.identifier ?? "") }) { break }
      }
    }
  }
}
