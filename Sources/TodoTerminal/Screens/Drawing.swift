import TodoModel

/// What both screens draw alike.
enum Drawing {
  /// A line across the screen with a title in it, bright while its part has the keys, and a remark at its right end.
  static func rule(_ title: String, _ remark: String = "", isActive: Bool = false, columns: Int) -> StyledLine {
    var left = StyledLine("─", .dim)
    if !title.isEmpty { left = left + StyledLine(" \(title) ", isActive ? Style(.cyan, [.bold]) : .plain) }
    var right = remark.isEmpty ? StyledLine() : StyledLine(" \(remark) ", .dim) + StyledLine("─", .dim)
    if left.width + right.width > columns { right = StyledLine() }
    let gap = max(0, columns - left.width - right.width)
    return (left + StyledLine(String(repeating: "─", count: gap), .dim) + right).fitted(to: columns)
  }

  /// The top line: what this is, and whether the other program is there, in as many words as there is room for.
  static func header(_ title: StyledLine, other: String, _ isReachable: Bool, columns: Int) -> StyledLine {
    let style: Style = isReachable ? .init(.green) : .init(.yellow)
    let dot = StyledLine(isReachable ? "● " : "○ ", style)
    let words = isReachable ? "\(other) reachable " : "\(other) not reachable "
    let short = isReachable ? "\(other) " : "no \(other) "
    for words in [words, short] {
      let state = dot + StyledLine(words, isReachable ? .plain : style)
      if title.width + state.width < columns { return .justified(title, state, to: columns) }
    }
    return .justified(title, dot, to: columns)
  }

  /// The box before an item's title.
  static func box(_ item: TodoItem) -> StyledLine {
    item.isDone ? StyledLine("☑", .init(.green)) : StyledLine("☐")
  }

  /// The title as it looks in a row.
  static func title(_ item: TodoItem) -> StyledLine {
    StyledLine(item.title, item.isDone ? Style(nil, [.dim, .struck]) : .plain)
  }

  /// Keys with what they do.
  typealias Keys = [(key: String, does: String)]

  /// The keys of a part, then those that always work, as far as there is room: those of the part go first, its last ones
  /// before its first.
  static func hints(_ part: Keys, always: Keys = [], columns: Int) -> StyledLine {
    let always = fitting(always, columns: columns)
    return fitting(part, columns: columns - always.width) + always
  }

  /// As many keys as fit into some columns, each with a gap before it.
  private static func fitting(_ keys: Keys, columns: Int) -> StyledLine {
    var line = StyledLine()
    for hint in keys {
      let next = StyledLine("  ") + StyledLine(hint.key, .bold) + StyledLine(" \(hint.does)", .dim)
      if line.width + next.width > columns { break }
      line = line + next
    }
    return line
  }

  /// A table of keys; where there is no room for two columns, what a key does stands below it.
  static func keys(_ table: Keys, columns: Int) -> [StyledLine] {
    let width = table.map { Columns.width(of: $0.key) }.max() ?? 0
    let room = table.map { Columns.width(of: $0.does) }.max() ?? 0
    return table.flatMap { row in
      let key = StyledLine(" ") + StyledLine(row.key, .bold)
      if width + room + 3 <= columns { return [key.fitted(to: width + 1) + StyledLine("  \(row.does)")] }
      return [key] + Columns.wrapped(row.does, to: max(1, columns - 3)).map { StyledLine("   \($0)") }
    }
  }

  /// The first row to show of `count` when `rows` fit and one of them must be seen.
  static func firstVisible(of count: Int, rows: Int, showing index: Int?, from first: Int) -> Int {
    var first = min(first, max(0, count - rows))
    if let index {
      if index < first { first = index }
      if index >= first + rows { first = index - rows + 1 }
    }
    return max(0, first)
  }
}
