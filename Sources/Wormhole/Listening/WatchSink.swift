/// What is told of changes in a directory, on the wormhole thread and without a lock held.
///
/// A sink may be told once more after it was unwatched, when the event was on its way.
package protocol WatchSink: AnyObject, Sendable {
  /// Whom the sink stands for: what was watched with one sink is unwatched with any other of the same identity.
  var identity: ObjectIdentifier { get }

  /// The file of this name came, went or was written and closed; anything may have when `name` is nil.
  func changed(_ name: FileName?)

  /// Changes are no longer told of as they happen, but looked for every so often, for this reason; told once.
  func polled(_ reason: WormholeError)
}

extension WatchSink {
  /// The sink itself.
  package var identity: ObjectIdentifier { ObjectIdentifier(self) }

  /// Nothing needs to be done.
  package func polled(_ reason: WormholeError) {}
}

/// Which files of a directory are watched.
package enum WatchedNames: Sendable {
  /// All that are or will be there.
  case all
  /// These.
  case only([FileName])
}
