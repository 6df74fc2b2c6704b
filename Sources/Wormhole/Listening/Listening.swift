/// A listening of a wormhole, by handler or as a sequence, as its wormhole ends it.
protocol Listening: AnyObject, Sendable {
  /// Ends it.
  func cancel()

  /// Ends it for one identifier; a listening to all identifiers goes on.
  func stopListening(to identifier: String)
}

/// The way from a change to what a listener is given: looks at the mailboxes, keeps the cursors.
final class Lookout: Sendable {
  private let transiting: any Transiting
  private let identifiers: Identifiers
  private let looksAtEvery: Bool
  private let state: Lock<ListeningState>

  /// A lookout that has not started.
  init(_ transiting: any Transiting, _ identifiers: Identifiers, _ options: ListeningOptions, sender: UInt64) {
    self.transiting = transiting
    self.identifiers = identifiers
    // To know the newest that is not one's own, all must be seen.
    looksAtEvery = options.contains(.every) || options.contains(.ignoringOwn)
    state = Lock(ListeningState(identifiers, options, sender: sender))
  }

  /// Arms the listening for `sink`, then looks where it starts from; true when something is to be given at once.
  func start(_ sink: any ChangeSink) throws(WormholeError) -> Bool {
    // In this order: what comes between the two is seen by the look, and what comes later is told of.
    try transiting.watch(identifiers, sink)
    do throws(WormholeError) {
      let names = if case .only(let names) = identifiers { names } else { try transiting.identifiers() }
      for name in names {
        let look = transiting.look(at: name, after: nil, every: false)
        state.withLock { $0.begin(name, look) }
      }
    } catch {
      cancel(sink)
      throw error
    }
    return state.withLock { $0.started() }
  }

  /// Notes a change; true when somebody must be sent to call `next`.
  func noteChange(_ identifier: String?) -> Bool { state.withLock { $0.noteChange(identifier) } }

  /// Notes what the listener is to be told beside changes; true when somebody must be sent to call `next`.
  func note(_ notice: WormholeError) -> Bool { state.withLock { $0.note(notice) } }

  /// Looks until there is something to give; nil when there is nothing more, or all is over.
  func next(_ sink: any ChangeSink) -> Finding? {
    while let task = state.withLock({ $0.nextTask() }) {
      switch task {
      case .notice(let error): return Finding(mailbox: nil, items: [.notice(error)])
      case .look(let mailbox, let position):
        let look = transiting.look(at: mailbox.identifier, after: position, every: looksAtEvery)
        if let finding = state.withLock({ $0.take(look, at: mailbox) }) { return finding }
      case .everything:
        do throws(WormholeError) {
          let all = try transiting.identifiers()
          state.withLock { $0.noteAll(all) }
        } catch {
          // What was known is looked at now, and what may be new as soon as the directory can be read.
          state.withLock { $0.noteAll([]) }
          Watcher.shared.after(nanoseconds: Watcher.retryPause) { [weak sink] in sink?.changed(nil) }
        }
      }
    }
    return nil
  }

  /// Runs `body` as a handler for a mailbox, or for what concerns none; false, without running it, when that has been
  /// cancelled.
  func runHandler(for mailbox: Mailbox?, _ body: () -> Void) -> Bool {
    let thread = ThreadID.current
    guard state.withLock({ $0.handlerStarts(mailbox, thread) }) else { return false }
    body()
    if state.withLock({ $0.handlerEnded() }) { state.notifyAll() }
    return true
  }

  /// Whether it is over.
  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Ends it: no handler starts after this, and none runs but one that this is called from.
  func cancel(_ sink: any ChangeSink) {
    let left = state.withLock { state -> Identifiers? in
      let names = state.identifiers
      return state.end(nil) ? names.map { .only($0) } ?? .all : nil
    }
    if let left { transiting.unwatch(left, sink) }
    waitForHandler(nil)
  }

  /// Ends it for one identifier; true when all is over by that.
  func stopListening(to identifier: String, _ sink: any ChangeSink) -> Bool {
    let (isEnded, hasEnded) = state.withLock { ($0.end(identifier), $0.isEnded) }
    if isEnded { transiting.unwatch(.only([identifier]), sink) }
    waitForHandler(identifier)
    return hasEnded
  }

  private func waitForHandler(_ identifier: String?) {
    let thread = ThreadID.current
    state.wait(until: { !$0.mustWait(on: thread, for: identifier) }, then: { _ in })
  }
}
