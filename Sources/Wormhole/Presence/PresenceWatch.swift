/// Looks who is there whenever that may have changed, and tells each time.
final class PresenceWatch: WatchSink {
  private let presence: Presence
  private let look: @Sendable () -> Void
  /// When it is looked next after an event; nothing when all looks are done.
  private let pauses = Lock<(left: ArraySlice<UInt64>, isScheduled: Bool)>(([], false))

  /// Calls `look` on the wormhole thread from now on.
  init(_ presence: Presence, _ look: @escaping @Sendable () -> Void) throws(WormholeError) {
    self.presence = presence
    self.look = look
    try Watcher.shared.watch(presence.hidden, .only([Presence.name]), self)
  }

  /// Ends it.
  func end() {
    Watcher.shared.unwatch(presence.hidden, .only([Presence.name]), self)
    pauses.withLock { $0.left = [] }
  }

  /// Looks now and, in growing pauses, a few times more.
  func changed(_ name: FileName?) {
    pauses.withLock { $0.left = Presence.pauses[...] }
    look()
    lookLater()
  }

  /// Sees to it that the next look comes, each bringing the next about, so that many events cause few looks.
  private func lookLater() {
    let pause = pauses.withLock { pauses -> UInt64? in
      if pauses.isScheduled { return nil }
      let pause = pauses.left.popFirst()
      pauses.isScheduled = pause != nil
      return pause
    }
    guard let pause else { return }
    Watcher.shared.after(nanoseconds: pause) { [weak self] in
      guard let self else { return }
      pauses.withLock { $0.isScheduled = false }
      look()
      lookLater()
    }
  }
}
