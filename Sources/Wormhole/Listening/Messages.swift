/// The messages of a mailbox as values, from the moment the sequence was made, without a gap.
///
/// As `Events`, with only the messages: signals and clearing are left out, and what cannot be decoded goes to `onError`.
public struct Messages<Value: Decodable & Sendable>: AsyncSequence, Sendable {
  /// What the sequence gives.
  public typealias Element = Value
  /// It never throws.
  public typealias Failure = Never

  private let storage: EventsStorage
  private let onError: (@Sendable (WormholeError) -> Void)?

  /// The messages among the events of a listening.
  init(_ storage: EventsStorage, onError: (@Sendable (WormholeError) -> Void)? = nil) {
    self.storage = storage
    self.onError = onError
  }

  /// The iterator of the sequence's one consumer.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(storage: storage, onError: onError)
  }

  /// Gives the values one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let storage: EventsStorage
    fileprivate let onError: (@Sendable (WormholeError) -> Void)?

    /// The next value; suspends until there is one, and gives nil when the task is cancelled or the listening stopped.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      while let (item, identifier) = await storage.next(isolation: actor) {
        var message: Value?
        item.withMessage(identifier, onError: onError) { (value: Value) in message = value }
        if let message { return message }
      }
      return nil
    }

    /// The next value, as `next(isolation:)`.
    public mutating func next() async -> Value? { await next(isolation: #isolation) }
  }
}

@available(*, unavailable)
extension Messages.AsyncIterator: Sendable {}
