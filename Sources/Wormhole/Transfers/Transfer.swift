/// A transfer on its way: whether it has been taken, and the means to take it back or to await its delivery.
///
/// It may be dropped; the transfer goes on. `outstandingTransfers` gives handles of transfers that other programs sent.
public final class Transfer: Sendable {
  /// Where it was sent to.
  public let identifier: String
  private let item: QueueItem
  private let store: TransferStore
  /// The number of the file that it carries.
  private let file: UInt64?

  init(identifier: String, item: QueueItem, store: TransferStore, file: UInt64? = nil) {
    self.identifier = identifier
    self.item = item
    self.store = store
    self.file = file
  }

  /// Whether it carries a file.
  public var isFile: Bool { file != nil }

  /// Its number in the queue, from 1, growing with each transfer while the queue stands.
  public var sequence: UInt64 { item.sequence }

  /// Whether some subscriber has not taken it yet.
  public var isTransferring: Bool { (try? store.queue(identifier).fate(of: item)) == .outstanding }

  /// What it holds, as long as some subscriber has not taken it; nil once it has been taken or taken back.
  ///
  /// - Parameter type: What the message is read as; `Payload` for any.
  /// - Returns: The message.
  /// - Throws: `.cannotDecode` when it is of another type, or a file; an error of the system.
  public func message<Value: Decodable & Sendable>(_ type: Value.Type) throws(WormholeError) -> Message<Value>? {
    guard let record = try store.queue(identifier).record(of: item, limit: store.sizeLimit) else { return nil }
    return try record.message(type, identifier: identifier)
  }

  /// Takes it back: no receiver will see it.
  ///
  /// - Returns: False when it is too late: a receiver has it in hand, or a subscriber has taken it.
  /// - Throws: An error of the system.
  @discardableResult
  public func cancel() throws(WormholeError) -> Bool {
    let isCancelled = try store.queue(identifier).cancel(item)
    if isCancelled, let file { store.removeFile(file) }
    return isCancelled
  }

  /// Waits until every subscriber has taken it.
  ///
  /// - Returns: Whether it was taken: false when it was cancelled, the queue was removed, or the task is cancelled.
  /// - Throws: An error of the system.
  @discardableResult
  public func waitUntilDelivered() async throws(WormholeError) -> Bool {
    let bell = Bell()
    try store.watch(identifier, bell)
    defer { store.unwatch(identifier, bell) }
    while !Task.isCancelled {
      switch try store.queue(identifier).awaitedFate(of: item) {
      case .delivered: return true
      case .cancelled, .lost: return false
      case .outstanding: await bell.next()
      }
    }
    return false
  }
}

/// Lets one task at a time wait for a ring.
final class Bell: WatchSink {
  private struct State {
    var isRung = false
    var waiter: CheckedContinuation<Void, Never>?
    var notice: WormholeError?
  }
  private let state = Lock(State())

  /// Wakes who waits, or the next who will.
  func changed(_ name: FileName?) { ring() }

  /// Keeps why changes are only looked for every so often, and wakes who waits.
  func polled(_ reason: WormholeError) {
    state.withLock { $0.notice = reason }
    ring()
  }

  /// Why changes are only looked for every so often, once.
  func takeNotice() -> WormholeError? {
    state.withLock { state in
      defer { state.notice = nil }
      return state.notice
    }
  }

  /// Wakes who waits, or the next who will.
  func ring() {
    let waiter = state.withLock { state in
      let waiter = state.waiter
      state.waiter = nil
      state.isRung = waiter == nil
      return waiter
    }
    waiter?.resume()
  }

  /// Waits for a ring since the last call returned, or until the task is cancelled.
  func next() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isRung = state.withLock { state in
          if state.isRung || Task.isCancelled {
            state.isRung = false
            return true
          }
          state.waiter = continuation
          return false
        }
        if isRung { continuation.resume() }
      }
    } onCancel: {
      ring()
    }
  }
}
