/// The list as a watch shows it: what the phone passed, with the toggles merged in that the phone has not taken yet.
public struct WatchList: Hashable, Sendable {
  /// A row of the watch's list.
  public struct Row: Hashable, Sendable, Identifiable {
    /// The item as it will stand when the waiting toggles are applied.
    public let item: TodoItem
    /// Whether a toggle of it still waits for the phone.
    public let isWaiting: Bool
    /// The item's number.
    public var id: Int { item.id }
  }

  /// The items not done, as the phone passed them last.
  public var items: [TodoItem]
  /// The items turned by toggles that wait for the phone, oldest first, an item as often as it was turned.
  public var waiting: [Int]

  /// Makes a list of items and waiting toggles.
  public init(items: [TodoItem] = [], waiting: [Int] = []) {
    self.items = items
    self.waiting = waiting
  }

  /// The rows, in the phone's order.
  public var rows: [Row] {
    var turns: [Int: Int] = [:]
    for id in waiting { turns[id, default: 0] += 1 }
    return items.map { item in
      let count = turns[item.id] ?? 0
      var item = item
      if !count.isMultiple(of: 2) { item.isDone.toggle() }
      return Row(item: item, isWaiting: count > 0)
    }
  }
}

extension WatchList.Row: Encodable {
  /// The names that the properties have in JSON.
  private enum CodingKeys: String, CodingKey {
    case id, title, done, waiting
  }

  /// Writes the item's members and whether a toggle of it waits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(item.id, forKey: .id)
    try container.encode(item.title, forKey: .title)
    try container.encode(item.isDone, forKey: .done)
    try container.encode(isWaiting, forKey: .waiting)
  }
}
