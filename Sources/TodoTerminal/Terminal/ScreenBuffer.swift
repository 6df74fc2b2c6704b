/// What a terminal shows, cell by cell, so that a new frame costs only the cells in which it differs.
package struct ScreenBuffer {
  /// One column of one line.
  private struct Cell: Hashable {
    /// The character, empty in the second column of a wide one.
    var text: String
    /// How it looks.
    var style: Style
    /// Whether every terminal gives it the width that is counted here.
    var isCertain: Bool

    static let blank = Cell(text: " ", style: .plain, isCertain: true)
  }

  /// The size of the screen.
  package let size: Size
  private let withColor: Bool
  private var rows: [[Cell]]
  private var isKnown = false
  private var cursor: Position?

  /// A buffer for a screen of which nothing is known: the first frame is drawn as a whole.
  package init(size: Size, withColor: Bool) {
    self.size = size
    self.withColor = withColor
    rows = Array(repeating: Array(repeating: .blank, count: max(0, size.columns)), count: max(0, size.rows))
  }

  /// Returns what has to be written to a terminal so that it shows the frame; nothing when it does already.
  package mutating func update(to frame: Frame) -> String {
    var writing = Writing(withColor: withColor)
    if !isKnown { writing.text += "\u{1B}[0m\u{1B}[2J" }
    for row in rows.indices {
      let line = row < frame.lines.count ? frame.lines[row] : StyledLine()
      let cells = Self.cells(of: line, columns: size.columns)
      if cells != rows[row] { writing.replace(rows[row], by: cells, row: row) }
      rows[row] = cells
    }
    let shown = frame.cursor.flatMap { $0.row < size.rows && $0.column < size.columns ? $0 : nil }
    if !writing.text.isEmpty || shown != cursor {
      // While it is drawn the cursor stays away, and it comes back at its place.
      let hide = isKnown && cursor == nil ? "" : "\u{1B}[?25l"
      let end = writing.isStyled ? "\u{1B}[0m" : ""
      let show = shown.map { Writing.move(row: $0.row, column: $0.column) + "\u{1B}[?25h" } ?? ""
      writing.text = hide + writing.text + end + show
    }
    cursor = shown
    isKnown = true
    return writing.text
  }

  /// The cells of a line, cut or filled to the width of the screen.
  private static func cells(of line: StyledLine, columns: Int) -> [Cell] {
    var cells: [Cell] = []
    cells.reserveCapacity(columns)
    for span in line.spans {
      for character in span.text {
        let width = Columns.width(of: character)
        if width == 0 { continue }
        // A wide character with half of it beyond the edge would be wrapped or cut: a blank stands for it.
        guard cells.count + width <= columns else {
          while cells.count < columns { cells.append(.blank) }
          return cells
        }
        cells.append(Cell(text: String(character), style: span.style, isCertain: Columns.isCertain(character)))
        for _ in 1..<max(width, 1) { cells.append(Cell(text: "", style: span.style, isCertain: true)) }
      }
    }
    while cells.count < columns { cells.append(.blank) }
    return cells
  }

  /// The text that is to be written, and where it leaves the terminal.
  private struct Writing {
    let withColor: Bool
    var text = ""
    private var style = Style.plain
    private var place: Position?

    /// Nothing to write yet.
    init(withColor: Bool) { self.withColor = withColor }

    /// Whether the terminal writes in another style than the plain one.
    var isStyled: Bool { style != .plain }

    /// The sequence that moves the cursor; see ECMA-48, CUP.
    static func move(row: Int, column: Int) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }

    /// Writes the cells of a line that differ from those shown.
    mutating func replace(_ old: [Cell], by new: [Cell], row: Int) {
      // Where terminals disagree on a width, everything in the line may stand elsewhere than counted.
      let isCertain = old.allSatisfy(\.isCertain) && new.allSatisfy(\.isCertain)
      if !isCertain { text += Self.move(row: row, column: 0) + plain() + "\u{1B}[2K" }
      for column in new.indices where !new[column].text.isEmpty {
        let width = new[column...].dropFirst().prefix { $0.text.isEmpty }.count + 1
        let range = column..<column + width
        let isShown = isCertain ? old[range] == new[range] : new[column] == .blank
        if !isShown { put(new[column], at: Position(row: row, column: column), width: width) }
      }
    }

    /// Writes one character at its place.
    private mutating func put(_ cell: Cell, at position: Position, width: Int) {
      if place != position { text += Self.move(row: position.row, column: position.column) }
      if style != cell.style { text += cell.style.sequence(withColor: withColor) }
      text += cell.text
      style = cell.style
      place = cell.isCertain ? Position(row: position.row, column: position.column + width) : nil
    }

    /// Goes back to the plain style.
    private mutating func plain() -> String {
      place = nil
      defer { style = .plain }
      return isStyled ? "\u{1B}[0m" : ""
    }
  }
}
