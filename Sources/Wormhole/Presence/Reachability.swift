/// Whether somebody is reachable: the state when the iterating begins, then each change; ends when the task is cancelled.
public struct Reachability: AsyncSequence, Sendable {
  /// Whether somebody is there.
  public typealias Element = Bool

  let source: ReachabilitySource

  /// Begins with the state at that moment.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

  /// Waits for one change after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let source: ReachabilitySource
    private var last: Bool?

    init(source: ReachabilitySource) { self.source = source }

    /// The state now at first, then waits until it is another; nil when the task is cancelled.
    public mutating func next() async -> Bool? {
      while !Task.isCancelled {
        let isThere = source.isThere
        if isThere != last {
          last = isThere
          return isThere
        }
        await source.bell.next()
      }
      return nil
    }

    /// Waits for the next change, coming back to the given actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Bool? { await next() }
  }
}

/// What a reachability sequence looks at.
final class ReachabilitySource: Sendable {
  /// Rings when the state may have changed.
  let bell: Bell
  private let presence: Presence
  private let kind: PresenceKind
  private let identifier: String
  private let watch: PresenceWatch

  init(_ presence: Presence, kind: PresenceKind, identifier: String) throws(WormholeError) {
    self.presence = presence
    self.kind = kind
    self.identifier = identifier
    let bell = Bell()
    self.bell = bell
    watch = try PresenceWatch(presence) { bell.ring() }
  }

  deinit { watch.end() }

  /// Whether somebody is there now.
  var isThere: Bool { (try? presence.isThere(kind, identifier)) ?? false }
}
