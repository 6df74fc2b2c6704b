/// Runs a handler on the items of a queue, one after the other, in the context that the caller chose.
final class TransferReceiver: WatchSink {
  /// What a handler made of an item.
  enum Outcome: Sendable {
    case taken
    /// It threw: the item stays first in line.
    case refused(WormholeError)
    /// It could not be given to the handler: it stays first in line.
    case failed(WormholeError)
    /// It is no value of the wanted type: it is set aside.
    case undecodable(WormholeError)

    /// What comes of an error that a handler has thrown.
    static func refused(by error: any Error, _ record: QueueRecord, _ identifier: String) -> Outcome {
      .refused(
        WormholeError(
          .handlerFailed,
          reason: "the handler of transfer \(record.sequence) of \(identifier) threw an error: \(error); it stays "
            + "first in line and comes again, unless it is set aside"))
    }
  }

  private struct State {
    var receiver: QueueReceiver
    /// Whether a drain is running or on its way.
    var isDraining = false
    /// Whether something changed since the drain last found nothing.
    var isChanged = false
    var isCancelled = false
    /// The thread that runs the handler.
    var handlerThread: ThreadID?
    /// How long the next pause after a refusal is, in nanoseconds.
    var pause = TransferReceiver.firstPause
    /// Until when nothing is tried, for a refused item or after an error.
    var pausedUntil: UInt64 = 0
    /// After which pauses a place that another receiver has is still to be tried for; a ring fills it again.
    var standbyPauses: ArraySlice<UInt64> = []
  }

  /// The pause after the first refusal of an item; it doubles with each, up to `longestPause`.
  private static let firstPause: UInt64 = 100_000_000
  private static let longestPause: UInt64 = 30_000_000_000
  /// How long items are handled on the wormhole thread before others have their turn, in nanoseconds.
  private static let turn: UInt64 = 2_000_000

  private let identifier: String
  private let store: TransferStore
  private let context: HandlerContext
  private let onError: (@Sendable (WormholeError) -> Void)?
  private let handler: @Sendable (QueueReceiver.Delivery, ReceiverPlace) -> Outcome
  private let state: Lock<State>

  /// A receiver that begins with `start`.
  init(
    store: TransferStore, identifier: String, subscriber: String?, context: HandlerContext,
    onError: (@Sendable (WormholeError) -> Void)?,
    handler: @escaping @Sendable (QueueReceiver.Delivery, ReceiverPlace) -> Outcome
  ) throws(WormholeError) {
    self.identifier = identifier
    self.store = store
    self.context = context
    self.onError = onError
    self.handler = handler
    let queue = try store.ownQueue(identifier)
    _ = try Queue.name(of: subscriber)
    state = Lock(State(receiver: QueueReceiver(queue: queue, subscriber: subscriber, limit: store.sizeLimit)))
  }

  /// Takes the subscriber's place, or waits for it; what is sent from now on comes.
  func start() throws(WormholeError) {
    try store.watch(identifier, self)
    do throws(WormholeError) {
      try state.withLock { state throws(WormholeError) in try state.receiver.prepare() }
      try store.presence.enter(.transfers, identifier)
    } catch {
      store.unwatch(identifier, self)
      throw error
    }
    changed(nil)
  }

  /// Ends it; waits for a handler that runs, unless called from inside it.
  func cancel() {
    let isFirst = state.withLock { state in
      defer { state.isCancelled = true }
      return !state.isCancelled
    }
    if isFirst {
      store.unwatch(identifier, self)
      store.presence.leave(.transfers, identifier)
    }
    let current = ThreadID.current
    state.wait(until: { $0.handlerThread == nil || $0.handlerThread == current }) { state in
      if state.handlerThread == nil { state.receiver.close() }
    }
  }

  /// Something may have come.
  func changed(_ name: FileName?) {
    // The end of the receiver that has the place rings, but its lock may fall a little later.
    state.withLock { $0.standbyPauses = Presence.pauses[...] }
    look()
  }

  /// Tells, where the handler runs, that transfers may come later than they are sent.
  func polled(_ reason: WormholeError) {
    guard let onError, !state.withLock({ $0.isCancelled }) else { return }
    if context.isDirect { onError(reason) } else { context.run { onError(reason) } }
  }

  /// Sees to it that there is a drain that looks after this.
  private func look() {
    let isStarting = state.withLock { state in
      state.isChanged = true
      guard !state.isDraining, !state.isCancelled else { return false }
      state.isDraining = true
      return true
    }
    if isStarting {
      if context.isDirect, Watcher.shared.isOnThread { drain() } else { context.run { self.drain() } }
    }
  }

  private func look(after pause: UInt64) {
    Watcher.shared.after(nanoseconds: pause) { [weak self] in self?.look() }
  }

  /// Handles what there is, or what one turn has time for.
  private func drain() {
    let end = Clock.monotonic + Self.turn
    var count = 0
    while true {
      switch next() {
      case .stop: return
      case .notice(let error): onError?(error)
      case .deliver(let delivery, let place):
        let outcome = handler(delivery, place)
        finish(delivery, outcome)
      }
      count += 1
      if count % 64 == 0, Clock.monotonic > end {
        context.run { self.drain() }
        return
      }
    }
  }

  private enum Next {
    case deliver(QueueReceiver.Delivery, ReceiverPlace)
    case notice(WormholeError)
    /// There is nothing to do, or not yet.
    case stop
  }

  /// What the drain does next; when it is to stop, it is no longer draining.
  private func next() -> Next {
    let thread = ThreadID.current
    return state.withLock { state in
      while true {
        if state.isCancelled {
          state.isDraining = false
          state.receiver.close()
          return .stop
        }
        state.isChanged = false
        var rest = state.pausedUntil == 0 ? 0 : Int64(bitPattern: state.pausedUntil &- Clock.monotonic)
        if rest > 0, state.receiver.isAskedToSetAside { rest = 0 }
        if rest > 0 {
          state.isDraining = false
          return .stop
        }
        state.pausedUntil = 0
        do throws(WormholeError) {
          switch try state.receiver.take(settingAside: store) {
          case .deliver(let delivery):
            guard let place = state.receiver.place else { continue }
            state.handlerThread = thread
            return .deliver(delivery, place)
          case .notice(let error): return .notice(error)
          case .empty:
            if state.isChanged { continue }
            state.isDraining = false
            return .stop
          case .standby:
            state.isDraining = false
            // One try brings the next about, so that few rings cause few tries.
            if !state.standbyPauses.isEmpty { look(after: state.standbyPauses.removeFirst()) }
            return .stop
          }
        } catch {
          rest = Int64(state.pause)
          pauseLonger(&state)
          return .notice(error)
        }
      }
    }
  }

  /// Notes what became of the item in hand.
  private func finish(_ delivery: QueueReceiver.Delivery, _ outcome: Outcome) {
    var problem: WormholeError?
    state.withLock { state in
      state.handlerThread = nil
      switch outcome {
      case .taken:
        state.receiver.finish()
        state.receiver.releaseFile(of: delivery, in: store)
        state.pause = Self.firstPause
      case .refused(let error), .failed(let error):
        problem = error
        pauseLonger(&state)
      case .undecodable(let error):
        problem = error
        do throws(WormholeError) { try state.receiver.setAside(in: store) } catch {
          problem = error
          pauseLonger(&state)
        }
      }
      if state.isCancelled { state.receiver.close() }
    }
    state.notifyAll()
    if let problem { onError?(problem) }
  }

  private func pauseLonger(_ state: inout State) {
    state.pausedUntil = Clock.monotonic + state.pause
    look(after: state.pause + 1_000_000)
    state.pause = min(state.pause * 2, Self.longestPause)
  }
}

extension TransferReceiver: Listening {
  /// Ends it when it is of this identifier.
  func stopListening(to identifier: String) {
    if identifier.utf8.elementsEqual(self.identifier.utf8) { cancel() }
  }
}
