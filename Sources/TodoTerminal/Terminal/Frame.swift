/// The size of a screen.
package struct Size: Codable, Hashable, Sendable {
  /// The lines.
  package var rows: Int
  /// The columns.
  package var columns: Int

  /// A size.
  package init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
  }
}

/// A place on a screen, counted from 0 at the upper left.
package struct Position: Codable, Hashable, Sendable {
  /// The line.
  package var row: Int
  /// The column.
  package var column: Int

  /// A place.
  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

/// All that a screen shows at a moment.
package struct Frame: Codable, Hashable, Sendable {
  /// The lines from the top.
  package var lines: [StyledLine]
  /// Where the cursor blinks, nil when nothing can be typed.
  package var cursor: Position?

  /// A frame.
  package init(lines: [StyledLine] = [], cursor: Position? = nil) {
    self.lines = lines
    self.cursor = cursor
  }

  /// The lines as plain text.
  package var text: [String] { lines.map(\.text) }

  /// The frame cut to a size, its bottom line kept.
  package func clipped(to size: Size) -> Frame {
    var frame = self
    if lines.count > size.rows { frame.lines = lines.prefix(max(0, size.rows - 1)) + lines.suffix(min(1, size.rows)) }
    frame.lines = frame.lines.map { $0.width > size.columns ? $0.fitted(to: size.columns) : $0 }
    return frame
  }

  /// Two frames with a line between them; the cursor is that of the one that has the keys.
  package static func beside(
    _ left: Frame, columns: Int, _ right: Frame, columns rightColumns: Int, rows: Int, keysGoRight: Bool
  ) -> Frame {
    var frame = Frame()
    for row in 0..<rows {
      let first = row < left.lines.count ? left.lines[row] : StyledLine()
      let second = row < right.lines.count ? right.lines[row] : StyledLine()
      frame.lines.append(
        first.fitted(to: columns) + StyledLine("│", .dim) + second.fitted(to: rightColumns))
    }
    if keysGoRight {
      frame.cursor = right.cursor.map { Position(row: $0.row, column: $0.column + columns + 1) }
    } else {
      frame.cursor = left.cursor
    }
    return frame
  }
}
