/// A wish made on a watch: turn one item from not done to done, or back.
///
/// It says "turn", not "set": the phone and any number of watches can turn the same item at the same moment, in any
/// order, and every turn counts.
public struct WatchToggle: Codable, Hashable, Sendable {
  /// The item's number.
  public let id: Int

  /// Makes a toggle of an item.
  public init(id: Int) { self.id = id }
}

/// What became of a toggle that reached the list.
public enum ToggleOutcome: Hashable, Sendable {
  /// The item now stands like this.
  case applied(TodoItem)
  /// It had been applied before its receiver ended, and came again.
  case repeated
  /// Its item has been removed meanwhile.
  case unknownItem(id: Int)
}

extension TodoList {
  /// Applies a toggle that came from a watch, exactly once.
  ///
  /// A receiver that dies between storing the list and returning gets the same toggle again, marked. The stored list
  /// knows the sequence it applied last, and only one toggle can be in hand, so comparing with that one is enough; an
  /// unmarked toggle is always new, also when its queue was removed and counts from 1 again.
  public mutating func apply(_ toggle: WatchToggle, sequence: UInt64, redelivered: Bool) -> ToggleOutcome {
    if redelivered, sequence == lastToggle { return .repeated }
    lastToggle = sequence
    do throws(TodoError) {
      return .applied(try self.toggle(toggle.id))
    } catch {
      return .unknownItem(id: toggle.id)
    }
  }
}
