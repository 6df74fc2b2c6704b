/// The listenings of one wormhole, so that it can end them by identifier, and all when it goes.
final class Listenings: Sendable {
  /// A listening that lives as long as its transiting or its consumer holds it.
  private struct Entry {
    weak var listening: (any Listening)?
  }

  private struct State {
    var entries: [Entry] = []
    /// How many entries there may be before those whose listening has gone are swept.
    var limit = 16
  }

  private let state = Lock(State())

  /// No listenings.
  init() {}

  /// Adds one.
  func add(_ listening: any Listening) {
    // What a sweep has held for a moment is released outside the lock: the last reference to a listening may be the last
    // to its handler, and by that to the wormhole, which ends its listenings then.
    _ = state.withLock { state -> [any Listening] in
      defer { state.entries.append(Entry(listening: listening)) }
      if state.entries.count < state.limit { return [] }
      let there = state.entries.compactMap(\.listening)
      state.entries = there.map { Entry(listening: $0) }
      state.limit = max(16, there.count * 2)
      return there
    }
  }

  /// Ends all listening to one identifier that was begun by its name; waits for handlers as `cancel()` does.
  func stopListening(to identifier: String) { for listening in all { listening.stopListening(to: identifier) } }

  /// Ends all.
  func cancelAll() { for listening in all { listening.cancel() } }

  /// Those there are.
  var all: [any Listening] { state.withLock { $0.entries.compactMap(\.listening) } }
}
