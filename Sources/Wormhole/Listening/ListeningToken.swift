/// A listening that has begun; `cancel()` ends it.
///
/// It may be dropped: the listening lives as long as the wormhole. While it is kept, it keeps the wormhole.
public final class ListeningToken: Sendable {
  private let end: @Sendable () -> Void
  private let keeper: Lock<(any AnyObject & Sendable)?>

  /// A token of what `end` ends, which keeps an object alive until then.
  init(keeping keeper: (any AnyObject & Sendable)?, end: @escaping @Sendable () -> Void) {
    self.keeper = Lock(keeper)
    self.end = end
  }

  /// Ends the listening: no handler starts once it has returned.
  ///
  /// It waits for a handler that is running, on whatever thread, unless it is called from inside that handler. Cancelling
  /// again does nothing more.
  public func cancel() {
    end()
    // Released outside the lock: it may be the last reference to the wormhole.
    let kept = keeper.withLock { keeper in
      defer { keeper = nil }
      return keeper
    }
    _ = kept
  }
}
