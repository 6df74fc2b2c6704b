/// The whole list as its owner keeps it: one value that is stored and changed as one.
///
/// Everything that decides what happens to a change lies in here, the place reached among the watch's toggles too, so
/// that one atomic store of the value can neither lose a change nor apply one twice.
public struct TodoList: Codable, Hashable, Sendable {
  /// How many removals can be undone.
  public static let undoLimit = 20

  /// The items, ascending by number.
  public private(set) var items: [TodoItem]
  /// The highest number given so far, whether or not its item is still there.
  public private(set) var highestID: Int
  /// The removed items that can come back, the newest last.
  public private(set) var removed: [TodoItem]
  /// The sequence of the watch's toggle that was applied last.
  public internal(set) var lastToggle: UInt64?

  /// Makes an empty list.
  public init() {
    items = []
    highestID = 0
    removed = []
    lastToggle = nil
  }

  /// Reads a list, putting in order what another program may have written out of order.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var seen: Set<Int> = []
    items = try container.decode([TodoItem].self, forKey: .items)
      .filter { seen.insert($0.id).inserted }
      .sorted { $0.id < $1.id }
    removed = (try container.decodeIfPresent([TodoItem].self, forKey: .removed) ?? [])
      .filter { seen.insert($0.id).inserted }
    lastToggle = try container.decodeIfPresent(UInt64.self, forKey: .lastToggle)
    highestID = max(try container.decodeIfPresent(Int.self, forKey: .highestID) ?? 0, seen.max() ?? 0)
  }

  /// The items that are not done, which is what the watch shows.
  public var open: [TodoItem] { items.filter { !$0.isDone } }

  /// Returns the item with a number, or nil.
  public func item(_ id: Int) -> TodoItem? { index(of: id).map { items[$0] } }

  /// Appends an item under the next number and returns it.
  @discardableResult
  public mutating func add(_ title: String) throws(TodoError) -> TodoItem {
    let title = try Line.cleaned(title, what: "a title")
    guard highestID < Int.max else { throw .noNumberLeft }
    highestID += 1
    let item = TodoItem(id: highestID, title: title)
    items.append(item)
    return item
  }

  /// Turns an item from done to not done, or back, and returns it.
  @discardableResult
  public mutating func toggle(_ id: Int) throws(TodoError) -> TodoItem {
    guard let index = index(of: id) else { throw .unknownItem(id: id) }
    items[index].isDone.toggle()
    return items[index]
  }

  /// Gives an item another title and returns it.
  @discardableResult
  public mutating func edit(_ id: Int, title: String) throws(TodoError) -> TodoItem {
    guard let index = index(of: id) else { throw .unknownItem(id: id) }
    items[index].title = try Line.cleaned(title, what: "a title")
    return items[index]
  }

  /// Removes an item, remembers it for `undoRemoval()`, and returns it.
  @discardableResult
  public mutating func remove(_ id: Int) throws(TodoError) -> TodoItem {
    guard let index = index(of: id) else { throw .unknownItem(id: id) }
    let item = items.remove(at: index)
    removed.append(item)
    if removed.count > Self.undoLimit { removed.removeFirst(removed.count - Self.undoLimit) }
    return item
  }

  /// Brings the item removed last back under its number and at its place, and returns it.
  @discardableResult
  public mutating func undoRemoval() throws(TodoError) -> TodoItem {
    guard let item = removed.popLast() else { throw .nothingToUndo }
    items.insert(item, at: items.firstIndex { $0.id > item.id } ?? items.endIndex)
    return item
  }

  /// Finds an item's place by halving, since the items are in order.
  private func index(of id: Int) -> Int? {
    var lower = items.startIndex
    var upper = items.endIndex
    while lower < upper {
      let middle = (lower + upper) / 2
      if items[middle].id < id { lower = middle + 1 } else { upper = middle }
    }
    return lower < items.endIndex && items[lower].id == id ? lower : nil
  }
}
