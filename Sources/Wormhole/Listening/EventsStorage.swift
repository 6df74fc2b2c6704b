/// What a sequence of events and its iterators share: a lookout, asked only when somebody waits for an event.
final class EventsStorage: Sendable {
  private let listening: EventsListening
  /// What lives as long as the sequence does: the wormhole, which would end the listening with itself.
  private let keeper: (any AnyObject & Sendable)?

  /// Begins to listen: what is sent after this has returned is in the sequence.
  init(
    transiting: any Transiting, sender: UInt64, identifiers: Identifiers, options: ListeningOptions,
    listenings: Listenings? = nil, keeping keeper: (any AnyObject & Sendable)? = nil,
    onError: (@Sendable (WormholeError) -> Void)? = nil
  ) throws(WormholeError) {
    self.keeper = keeper
    listening = EventsListening(Lookout(transiting, identifiers, options, sender: sender), onError: onError)
    try listening.start()
    listenings?.add(listening)
  }

  // Dropping the sequence and its iterators ends the listening.
  deinit { listening.cancel() }

  /// The next thing to give, and its mailbox; nil once the listening is over or the task is cancelled, which ends it.
  func next(isolation: isolated (any Actor)?) async -> (item: Finding.Item, identifier: String)? {
    await withTaskCancellationHandler {
      await listening.next(isolation: isolation)
    } onCancel: {
      listening.cancel()
    }
  }
}

/// The sink of a sequence; apart from its storage, which would otherwise never be dropped, being watched.
final class EventsListening: ChangeSink, Listening {
  private let lookout: Lookout
  private let onError: (@Sendable (WormholeError) -> Void)?
  private let state = Lock(EventsState())

  /// A listening that has not started.
  init(_ lookout: Lookout, onError: (@Sendable (WormholeError) -> Void)?) {
    self.lookout = lookout
    self.onError = onError
  }

  /// Begins to listen.
  func start() throws(WormholeError) { _ = try lookout.start(self) }

  func changed(_ identifier: String?) {
    if lookout.noteChange(identifier) { resume(state.withLock { $0.noteNews() }) }
  }

  func polled(_ reason: WormholeError) {
    if onError != nil, lookout.note(reason) { resume(state.withLock { $0.noteNews() }) }
  }

  func cancel() {
    lookout.cancel(self)
    resume(state.withLock { $0.end() })
  }

  func stopListening(to identifier: String) {
    if lookout.stopListening(to: identifier, self) { resume(state.withLock { $0.end() }) }
  }

  /// The next thing to give, nil when the listening is over.
  func next(isolation: isolated (any Actor)?) async -> (item: Finding.Item, identifier: String)? {
    while true {
      switch state.withLock({ $0.nextStep() }) {
      case .give(let item, let identifier):
        guard case .notice(let error) = item else { return (item, identifier) }
        onError?(error)
      case .end: return nil
      case .look:
        let finding = lookout.next(self)
        resume(state.withLock { $0.found(finding) })
      case .wait:
        await withCheckedContinuation(isolation: isolation) { continuation in
          if !state.withLock({ $0.wait(continuation) }) { continuation.resume() }
        }
      }
    }
  }

  private func resume(_ waiting: [CheckedContinuation<Void, Never>]) {
    for continuation in waiting { continuation.resume() }
  }
}
