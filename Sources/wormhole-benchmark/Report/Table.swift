/// Text in columns, as wide as they need to be.
struct Table {
  /// On which side the text of a column stands.
  enum Alignment { case left, right }

  private let alignments: [Alignment]
  private var lines: [[String]]

  /// A table with these headings.
  init(_ columns: [(heading: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    lines = [columns.map(\.heading)]
  }

  /// Adds a line; columns that it lacks stay empty.
  mutating func add(_ cells: [String]) { lines.append(cells) }

  /// Adds a line that holds one text only, whatever its width.
  mutating func add(title: String) { lines.append([title]) }

  /// The lines, with two blanks between columns.
  var text: String {
    var widths = [Int](repeating: 0, count: alignments.count)
    for line in lines where line.count > 1 {
      for (column, cell) in line.enumerated() { widths[column] = max(widths[column], cell.count) }
    }
    var text = ""
    for line in lines {
      var row = ""
      for (column, cell) in line.enumerated() {
        let padding = String(repeating: " ", count: max(0, widths[column] - cell.count))
        row += (column == 0 ? "" : "  ") + (alignments[column] == .right ? padding + cell : cell + padding)
      }
      while row.last == " " { row.removeLast() }
      text += row + "\n"
    }
    return text
  }
}
