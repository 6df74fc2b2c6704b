/// The events of some or all mailboxes, from the moment the sequence was made, without a gap.
///
/// It never throws and ends only when the task that iterates is cancelled or the listening is stopped. It has one consumer,
/// which reads from the mailboxes at its own pace: events do not pile up, and one that is behind is given the newest, or
/// with `.every` all that the mailbox still holds. Dropping the sequence and its iterator ends the listening.
public struct Events<Value: Decodable & Sendable>: AsyncSequence, Sendable {
  /// What the sequence gives.
  public typealias Element = Event<Value>
  /// It never throws.
  public typealias Failure = Never

  private let storage: EventsStorage<Value>

  /// Begins to listen.
  init(
    transiting: any Transiting, sender: UInt64, identifiers: Identifiers, options: ListeningOptions,
    listenings: Listenings? = nil, keeping keeper: (any AnyObject & Sendable)? = nil,
    onError: (@Sendable (WormholeError) -> Void)? = nil
  ) throws(WormholeError) {
    storage = try EventsStorage(
      transiting: transiting, sender: sender, identifiers: identifiers, options: options, listenings: listenings,
      keeping: keeper, onError: onError)
  }

  /// The iterator of the sequence's one consumer.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(storage: storage) }

  /// Gives the events one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let storage: EventsStorage<Value>

    /// The next event; suspends until there is one, and gives nil when the task is cancelled or the listening stopped.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Event<Value>? {
      await storage.next(isolation: actor)
    }

    /// The next event, as `next(isolation:)`.
    public mutating func next() async -> Event<Value>? { await next(isolation: #isolation) }
  }
}

@available(*, unavailable)
extension Events.AsyncIterator: Sendable {}
