/// One thing to do.
public struct TodoItem: Codable, Hashable, Sendable, Identifiable {
  /// The item's number, which is never given to another item.
  public let id: Int
  /// What is to be done: one line, never blank.
  public var title: String
  /// Whether it has been done.
  public var isDone: Bool

  /// The names that the properties have in JSON.
  private enum CodingKeys: String, CodingKey {
    case id, title
    case isDone = "done"
  }

  /// Makes an item that is not done unless told otherwise.
  public init(id: Int, title: String, isDone: Bool = false) {
    self.id = id
    self.title = title
    self.isDone = isDone
  }
}
