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

  private let storage: EventsStorage

  /// The events of a listening.
  init(_ storage: EventsStorage) { self.storage = storage }

  /// The iterator of the sequence's one consumer.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(storage: storage) }

  /// Gives the events one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let storage: EventsStorage

    /// The next event; suspends until there is one, and gives nil when the task is cancelled or the listening stopped.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Event<Value>? {
      while let (item, identifier) = await storage.next(isolation: actor) {
        if let event = Event<Value>(item, identifier: identifier) { return event }
      }
      return nil
    }

    /// The next event, as `next(isolation:)`.
    public mutating func next() async -> Event<Value>? { await next(isolation: #isolation) }
  }
}

@available(*, unavailable)
extension Events.AsyncIterator: Sendable {}
