/// Everything that was picked, as the watches keep it between them: one value that is stored and changed as one.
public struct GroceryList: Codable, Hashable, Sendable {
  /// How many entries are kept: more than anyone carries home.
  public static let limit = 10_000

  /// The entries as they were sent, oldest first.
  public private(set) var entries: [String]
  /// The sequence of the pick that was taken last.
  public private(set) var lastPick: UInt64?

  /// Makes an empty list.
  public init() {
    entries = []
    lastPick = nil
  }

  /// The entries as a watch shows them, newest first.
  public var shown: [String] { entries.reversed().map(Grocery.shown) }

  /// Takes a pick exactly once, as `TodoList.apply` does with toggles; an entry without text is kept as a blank one.
  public mutating func take(_ entry: String?, sequence: UInt64, redelivered: Bool) {
    if redelivered, sequence == lastPick { return }
    lastPick = sequence
    // Only single characters are understood: a few scalars are enough to say that this is none.
    entries.append(String(String.UnicodeScalarView((entry ?? "").unicodeScalars.prefix(16))))
    if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
  }

  /// Forgets all entries: they have been bought.
  public mutating func clear() { entries.removeAll() }
}
