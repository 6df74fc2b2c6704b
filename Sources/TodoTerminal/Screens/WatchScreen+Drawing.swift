import TodoModel

extension WatchScreen {
  /// The columns inside the rim of the watch.
  package static let columns = 24

  /// Draws the face in the middle of a screen of some size; remembers which rows of the list were seen.
  package mutating func frame(_ size: Size) -> Frame {
    let hasRim = size.columns >= Self.columns + 2 && size.rows >= 9
    guard hasRim else { return Frame(lines: lines(size)).clipped(to: size) }
    let rim = Style(hasKeys ? .cyan : nil, hasKeys ? [.bold] : [.dim])
    let margin = StyledLine(String(repeating: " ", count: (size.columns - Self.columns - 2) / 2))
    let inside = lines(Size(rows: size.rows - 2, columns: Self.columns))
    let side = StyledLine("│", rim)
    let edge = String(repeating: "─", count: Self.columns)
    return Frame(
      lines: [margin + StyledLine("╭\(edge)╮", rim)]
        + inside.map { margin + side + $0.fitted(to: Self.columns) + side }
        + [margin + StyledLine("╰\(edge)╯", rim)])
  }

  /// The lines inside the rim, as many as fit.
  private mutating func lines(_ size: Size) -> [StyledLine] {
    let columns = size.columns
    let top = [header(columns)] + (size.rows >= 7 ? [Drawing.rule("", columns: columns)] : [])
    let rows = max(0, size.rows - top.count - 1)
    let middle: [StyledLine]
    switch page {
    case .keys: middle = keyPage(rows: rows, columns)
    case .groceries: middle = groceryPage(rows: rows, columns)
    case .face: middle = face(rows: rows, columns)
    }
    let filling = Array(repeating: StyledLine(), count: max(0, rows - middle.count))
    return Array((top + middle + filling).prefix(max(0, size.rows - 1))) + [status(columns)]
  }

  /// The top line: what this is, and whether the phone is there.
  private func header(_ columns: Int) -> StyledLine {
    Drawing.header(StyledLine(" To do", .bold), other: "phone", phoneIsReachable, columns: columns)
  }

  /// The list, the newest groceries, the newest of the chat, the replies.
  private mutating func face(rows: Int, _ columns: Int) -> [StyledLine] {
    let replies = rows >= 12 ? replyLines(columns) : []
    let chatRows = rows >= 15 ? 2 : rows >= 9 ? 1 : 0
    let groceryRows = rows >= 17 ? 2 : rows >= 7 ? 1 : 0
    var below: [StyledLine] = []
    if groceryRows > 0 {
      below.append(Drawing.rule("", columns: columns))
      below += newestGroceries(rows: groceryRows, columns)
    }
    if chatRows > 0 {
      below.append(Drawing.rule("", columns: columns))
      below += chat(rows: chatRows, columns)
    }
    if !replies.isEmpty { below += [Drawing.rule("", columns: columns)] + replies }
    let listRows = max(0, rows - below.count)
    let list = listLines(rows: listRows, columns)
    return list + Array(repeating: StyledLine(), count: listRows - list.count) + below
  }

  /// The rows of the list, the last of which says how many more there are.
  private mutating func listLines(rows: Int, _ columns: Int) -> [StyledLine] {
    let all = list.rows
    guard !all.isEmpty else { return rows > 0 ? [StyledLine(" nothing left to do", .dim)] : [] }
    let isCut = all.count > rows && rows > 1
    let fitting = isCut ? rows - 1 : rows
    pageStep = max(1, fitting - 1)
    let selected = all.firstIndex { $0.id == selection }
    firstRow = Drawing.firstVisible(of: all.count, rows: fitting, showing: selected, from: firstRow)
    var lines: [StyledLine] = []
    for row in all[firstRow..<min(all.count, firstRow + fitting)] {
      let isSelected = row.id == selection
      let left = StyledLine(isSelected ? "▸" : " ", .init(.cyan, [.bold])) + Drawing.box(row.item) + StyledLine(" ")
      let waits = StyledLine(row.isWaiting ? " …" : "", .init(.yellow))
      let line =
        (left + Drawing.title(row.item)).fitted(to: max(0, columns - waits.width)) + waits
      lines.append(isSelected && hasKeys ? line.with(.reversed) : line)
    }
    if isCut { lines.append(StyledLine(" \(firstRow + 1)–\(firstRow + lines.count) of \(all.count)", .dim)) }
    return lines
  }

  /// As many of the groceries as fit into some rows, the newest first.
  private func newestGroceries(rows: Int, _ columns: Int) -> [StyledLine] {
    let shown = groceries.shown
    guard !shown.isEmpty else {
      return [StyledLine(" no groceries", .dim)] + Array(repeating: .init(), count: rows - 1)
    }
    // The last row keeps room for the number of those that are left out.
    var lines = Self.flow(shown, columns: columns).prefix(rows).map { $0 }
    var count = lines.joined().count
    if count < shown.count, var last = lines.popLast() {
      while last.count > 1, Columns.width(of: " " + last.joined(separator: " ")) + 6 > columns {
        last.removeLast()
        count -= 1
      }
      lines.append(last + ["+\(shown.count - count)"])
    }
    return lines.map { StyledLine(" " + $0.joined(separator: " ")) }
      + Array(repeating: StyledLine(), count: rows - lines.count)
  }

  /// Entries distributed over lines.
  private static func flow(_ entries: [String], columns: Int) -> [[String]] {
    var lines: [[String]] = []
    var used = columns
    for entry in entries {
      let width = Columns.width(of: entry) + 1
      if used + width > columns || lines.isEmpty {
        lines.append([])
        used = 0
      }
      lines[lines.count - 1].append(entry)
      used += width
    }
    return lines
  }

  /// All groceries, newest first, from the row on to which one has moved.
  private mutating func groceryPage(rows: Int, _ columns: Int) -> [StyledLine] {
    let lines = Self.flow(groceries.shown, columns: columns).map { StyledLine(" " + $0.joined(separator: " ")) }
    guard !lines.isEmpty else { return [StyledLine(" no groceries", .dim)] }
    return part(of: lines, rows: rows)
  }

  /// The lines of a page that fit, from the one on to which one has moved.
  private mutating func part(of lines: [StyledLine], rows: Int) -> [StyledLine] {
    firstRow = min(firstRow, max(0, lines.count - rows))
    pageStep = max(1, rows - 1)
    return Array(lines.dropFirst(firstRow).prefix(rows))
  }

  /// The newest lines of the chat, the last one whole if it fits.
  private func chat(rows: Int, _ columns: Int) -> [StyledLine] {
    var lines: [StyledLine] = []
    for line in conversation.lines.suffix(rows) {
      let speaker = line.speaker == .phone ? "phone: " : "me: "
      let wrapped = Columns.wrapped(Columns.printable(speaker + line.shown), to: columns - 1)
      lines += wrapped.map {
        StyledLine(" \($0)", line.speaker == .phone ? .bold : line.isValid ? .plain : .init(.red))
      }
    }
    if lines.isEmpty { lines = [StyledLine(" no messages", .dim)] }
    if lines.count > rows, let last = conversation.lines.last {
      let text = " " + (last.speaker == .phone ? "phone: " : "me: ") + last.shown
      lines = rows > 1 ? lines.suffix(rows) : [StyledLine(Columns.truncated(Columns.printable(text), to: columns))]
    }
    return lines + Array(repeating: StyledLine(), count: max(0, rows - lines.count))
  }

  /// The four replies, dim while they cannot be sent.
  private func replyLines(_ columns: Int) -> [StyledLine] {
    let key: Style = phoneIsReachable ? .init(.cyan, [.bold]) : .dim
    let text: Style = phoneIsReachable ? .plain : .dim
    let all = QuickReply.allCases.map { StyledLine(" \($0.rawValue)", key) + StyledLine(" \($0.text)", text) }
    return [all[0] + all[1], all[2], all[3]]
  }

  /// The bottom line: a remark, what waits, or how to learn the keys.
  private func status(_ columns: Int) -> StyledLine {
    if let notice { return (StyledLine(" ") + notice.line).fitted(to: columns) }
    if sending != nil { return StyledLine(" sending…", .dim) }
    let waiting = list.waiting.count
    if waiting > 0 { return StyledLine(" \(waiting) waiting for phone", .init(.yellow)) }
    let hints: Drawing.Keys =
      switch page {
      case .groceries: [("c", "clear"), ("Esc", "back")]
      case .keys: [("Esc", "back"), ("q", "quit")]
      case .face: [("?", "keys"), ("g", "groceries"), ("q", "quit")]
      }
    return Drawing.hints(hints, columns: columns)
  }

  /// The explanation of the keys.
  private mutating func keyPage(rows: Int, _ columns: Int) -> [StyledLine] {
    let keys = Drawing.keys(
      [
        ("↑ ↓, k j", "choose"), ("space", "toggle"), ("1–4", "reply"), ("g", "all groceries"), ("c", "clears them"),
        ("Esc", "back"), ("q", "quit"), ("?", "this"),
      ], columns: columns)
    return part(of: keys, rows: rows)
  }
}
