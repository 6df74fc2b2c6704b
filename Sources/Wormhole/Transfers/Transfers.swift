/// The transfers of one identifier as they come, oldest first: an element is taken when the next one is asked for.
///
/// One consumer. When the iterating ends with an element that was not followed by asking for the next, that element
/// comes again, marked as redelivered. Cancelling the task ends the sequence.
public struct Transfers<Value: Decodable & Sendable>: AsyncSequence, Sendable {
  /// A transfer.
  public typealias Element = Message<Value>

  let source: TransferSource

  /// Begins to iterate.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

  /// Takes one transfer after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let source: TransferSource

    /// Takes the last element and waits for the next; nil when the task is cancelled.
    ///
    /// What is no value of the wanted type is set aside and passed over.
    public mutating func next() async -> Element? {
      while let delivery = await source.next() {
        if let message = try? delivery.message(Value.self, identifier: source.identifier) { return message }
        source.setAside()
      }
      return nil
    }

    /// Takes the last element and waits for the next, coming back to the given actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { await next() }
  }
}

/// Gives a queue's items one at a time to a task.
final class TransferSource: Sendable {
  /// The queue's identifier.
  let identifier: String
  private let store: TransferStore
  private let bell = Bell()
  private let receiver: Lock<QueueReceiver>

  /// Takes the subscriber's place, or waits for it.
  init(store: TransferStore, identifier: String, subscriber: String?) throws(WormholeError) {
    self.identifier = identifier
    self.store = store
    let queue = try store.ownQueue(identifier)
    receiver = Lock(QueueReceiver(queue: queue, subscriber: subscriber, limit: store.sizeLimit))
    try store.watch(identifier, bell)
    do throws(WormholeError) {
      try receiver.withLock { receiver throws(WormholeError) in try receiver.prepare() }
      try store.presence.enter(.transfers, identifier)
    } catch {
      store.unwatch(identifier, bell)
      throw error
    }
  }

  deinit {
    store.unwatch(identifier, bell)
    store.presence.leave(.transfers, identifier)
    receiver.withLock { $0.close() }
  }

  /// Takes what is in hand and waits for the next item; nil when the task is cancelled.
  func next() async -> QueueReceiver.Delivery? {
    receiver.withLock { $0.finish() }
    while !Task.isCancelled {
      let step = receiver.withLock { receiver in try? receiver.take() }
      switch step {
      case .deliver(let delivery): return delivery
      case .notice: continue
      case .empty: break
      // The end of the other receiver rings, but its lock may fall a little later; so may an error pass.
      case .standby, nil: Watcher.shared.after(nanoseconds: 100_000_000) { [weak bell] in bell?.ring() }
      }
      await bell.next()
    }
    return nil
  }

  /// Puts what is in hand out of the way.
  func setAside() {
    receiver.withLock { receiver in try? receiver.setAside(in: store) }
  }
}
