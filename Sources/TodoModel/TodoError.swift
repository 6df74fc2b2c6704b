/// Why a change to the list was refused.
public enum TodoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A title, or a line of text, with nothing but blanks in it.
  case blank(what: String)
  /// No item has this number.
  case unknownItem(id: Int)
  /// No removal is left to undo.
  case nothingToUndo
  /// The highest possible number has been given away.
  case noNumberLeft

  /// One line that says what is wrong.
  public var description: String {
    switch self {
    case .blank(let what): "\(what) cannot be blank"
    case .unknownItem(let id): "no item has the number \(id)"
    case .nothingToUndo: "there is no removal to undo"
    case .noNumberLeft: "the list has no number left for another item"
    }
  }
}
