import TodoModel

extension PhoneScreen {
  /// Draws the screen at a size; remembers which rows of the list were seen.
  package mutating func frame(_ size: Size) -> Frame {
    let columns = size.columns
    var frame = Frame()
    frame.lines.append(header(columns))
    guard !showsKeys else { return keysFrame(frame, size) }

    let hasRules = size.rows >= 8
    let hasGroceries = size.rows >= 11
    let chatRows = size.rows >= 24 ? 4 : size.rows >= 18 ? 2 : size.rows >= 14 ? 1 : 0
    let below = (hasGroceries ? 2 : 0) + (chatRows > 0 ? chatRows + 2 : 0) + (hasRules ? 2 : 1)
    let rows = max(0, size.rows - frame.lines.count - 1 - (hasRules ? 1 : 0) - below)
    page = max(1, rows - 1)

    append(field: titleField, prompt: " New › ", placeholder: "type a title, then Return", .title, to: &frame, columns)
    let items = list.items
    let selected = focus == .list ? items.firstIndex { $0.id == selection } : nil
    firstRow = Drawing.firstVisible(of: items.count, rows: rows, showing: selected, from: firstRow)
    let visible = items[firstRow..<min(items.count, firstRow + rows)]
    if hasRules {
      let remark = visible.count < items.count ? "\(firstRow + 1)–\(firstRow + visible.count) of \(items.count)" : ""
      frame.lines.append(Drawing.rule("List", remark, isActive: focus == .list, columns: columns))
    }
    append(visible, to: &frame, columns)
    while frame.lines.count < size.rows - below { frame.lines.append(StyledLine()) }
    if hasGroceries { appendGroceries(to: &frame, columns) }
    if chatRows > 0 { appendChat(to: &frame, rows: chatRows, columns) }
    if hasRules { frame.lines.append(Drawing.rule("", columns: columns)) }
    frame.lines.append(status(columns))
    return frame.clipped(to: size)
  }

  /// The top line: what this is, and whether the watch is there.
  private func header(_ columns: Int) -> StyledLine {
    let name = columns < 40 ? StyledLine() : StyledLine(" · phone", .dim)
    return Drawing.header(StyledLine(" To do", .bold) + name, other: "watch", watchIsReachable, columns: columns)
  }

  /// A line in which something is typed, with the cursor in it while it has the keys.
  private func append(
    field: TextField, prompt: String, placeholder: String, _ part: Focus, to frame: inout Frame, _ columns: Int
  ) {
    let isActive = focus == part && editing == nil
    var line = StyledLine(prompt, isActive ? Style(.cyan, [.bold]) : .plain)
    if field.isEmpty {
      line.append(placeholder, .dim)
    } else {
      line.append(field.visible(columns: columns - line.width).text)
    }
    if isActive {
      let room = columns - Columns.width(of: prompt)
      frame.cursor = Position(
        row: frame.lines.count, column: Columns.width(of: prompt) + field.visible(columns: room).cursor)
    }
    frame.lines.append(line)
  }

  /// The rows of the list, one of which may be a field.
  private func append(_ items: ArraySlice<TodoItem>, to frame: inout Frame, _ columns: Int) {
    let digits = String(list.highestID).count
    for item in items {
      let isSelected = focus == .list && item.id == selection
      let number = String(repeating: " ", count: max(0, digits - String(item.id).count)) + String(item.id)
      var line = StyledLine(isSelected ? " ▸ " : "   ", .init(.cyan, [.bold]))
      line = line + Drawing.box(item) + StyledLine(" \(number) ", .dim)
      if let editing, editing.id == item.id {
        let (text, cursor) = editing.field.visible(columns: columns - line.width - 1)
        frame.cursor = Position(row: frame.lines.count, column: line.width + cursor)
        frame.lines.append(line + StyledLine(text, Style(nil, [.underlined])))
      } else {
        line = (line + Drawing.title(item)).fitted(to: columns)
        frame.lines.append(isSelected ? line.with(.reversed) : line)
      }
    }
    if list.items.isEmpty { frame.lines.append(StyledLine("   nothing to do yet", .dim)) }
  }

  /// The row of groceries, of which the part around the chosen one is seen.
  private func appendGroceries(to frame: inout Frame, _ columns: Int) {
    let remark = waitingPicks == 0 ? "" : "\(waitingPicks) waiting for the watch"
    frame.lines.append(Drawing.rule("Groceries", remark, isActive: focus == .groceries, columns: columns))
    let row = Grocery.row
    let fitting = max(1, (columns - 2) / 4)
    let first = Drawing.firstVisible(of: row.count, rows: fitting, showing: grocery, from: 0)
    var line = StyledLine(" ")
    for (place, emoji) in row.enumerated().dropFirst(first).prefix(fitting) {
      let isChosen = focus == .groceries && place == grocery
      line.append(isChosen ? "[\(emoji)]" : " \(emoji) ", isChosen ? Style(.cyan, [.bold, .reversed]) : .plain)
    }
    frame.lines.append(line)
  }

  /// The newest lines of the chat and the field for another one.
  private func appendChat(to frame: inout Frame, rows: Int, _ columns: Int) {
    frame.lines.append(Drawing.rule("Chat", isActive: focus == .chat, columns: columns))
    var lines: [StyledLine] = []
    for line in conversation.lines.suffix(rows) {
      let speaker = StyledLine(line.speaker == .phone ? "   you " : " watch ", .init(.cyan))
      let text = StyledLine(line.shown, line.isValid ? .plain : Style(.red))
      // The watch that received a line stored it: what stands here was delivered.
      let remark = StyledLine(line.speaker == .phone ? "delivered " : "", .dim)
      lines.append(StyledLine.justified((speaker + text).fitted(to: columns - remark.width - 1), remark, to: columns))
    }
    if let outgoing {
      let remark =
        outgoing.problem.map { StyledLine("not delivered: \($0) ", .init(.red)) } ?? StyledLine("sending… ", .dim)
      let text = StyledLine("   you ", .init(.cyan)) + StyledLine(outgoing.text)
      let room = max(12, columns - remark.width - 1)
      lines.append((text.fitted(to: min(room, text.width)) + StyledLine(" ") + remark).fitted(to: columns))
    }
    lines = lines.suffix(rows)
    frame.lines += Array(repeating: StyledLine(), count: rows - lines.count) + lines
    let placeholder = watchIsReachable ? "a line for the watch, then Return" : "the watch is not reachable"
    append(field: chatField, prompt: " Say › ", placeholder: placeholder, .chat, to: &frame, columns)
  }

  /// The bottom line: a remark, or how far the list is done, and the keys of the part that has them.
  private func status(_ columns: Int) -> StyledLine {
    let done = list.items.count - list.open.count
    let count = StyledLine(list.items.isEmpty ? " nothing to do" : " \(done) of \(list.items.count) done")
    let left = notice.map { StyledLine(" ") + $0.line } ?? count
    let room = columns - left.width - 1
    let hints = Drawing.hints(partHints, always: commonHints, columns: room - 1)
    return StyledLine.justified(left, hints + StyledLine(" "), to: columns)
  }

  /// The keys of the part that has them.
  private var partHints: Drawing.Keys {
    if editing != nil { return [("Return", "keep"), ("Esc", "leave as it was")] }
    switch focus {
    case .title where titleField.isEmpty: return list.items.isEmpty ? [] : [("↓", "list")]
    case .title: return [("Return", "add"), ("Esc", "empty")]
    case .list where list.items.isEmpty: return [("u", "undo")]
    case .list: return [("space", "toggle"), ("d", "remove"), ("e", "edit"), ("u", "undo")]
    case .groceries: return [("← →", "choose"), ("space", "pick")]
    case .chat where chatField.isEmpty: return [("↑", "back")]
    case .chat: return [("Return", "send"), ("Esc", "empty")]
    }
  }

  /// The keys that work in every part, as long as nothing is being typed.
  private var commonHints: Drawing.Keys {
    let isTyping = editing != nil || focus == .title && !titleField.isEmpty || focus == .chat && !chatField.isEmpty
    if isTyping { return [] }
    // In the list the arrows lead on as well, and its own keys need the room.
    let tab: Drawing.Keys = hasWatchBeside ? [("Tab", "watch")] : focus == .list ? [] : [("Tab", "next")]
    return tab + [("?", "keys"), ("q", "quit")]
  }

  /// The screen while the keys are explained, from the line on to which one has moved.
  private mutating func keysFrame(_ header: Frame, _ size: Size) -> Frame {
    var frame = header
    let around = hasWatchBeside ? "Shift-Tab" : "Tab, Shift-Tab"
    let watch = hasWatchBeside ? [("Tab", "to the watch and back")] : []
    let keys = Drawing.keys(
      [
        ("a title, Return", "adds an item"), ("↑ ↓, k j", "into the list, and through it"),
        ("Home End, g G", "its first item, its last"), ("PageUp PageDown", "a page up or down"),
        ("space", "done, or not done"), ("e", "edits the title"), ("d, Delete", "removes the item"),
        ("u", "brings the item removed last back"), (around, "title, list, groceries, chat"),
        ("← →, space", "choose and pick groceries"), ("text, Return", "in the chat: tells the watch"),
      ] + watch + [
        ("Esc", "empties a field, leaves a part"), ("Control-Z", "stops the program, fg goes on"),
        ("q, Control-C", "leave; in a text that has begun, q is a letter"),
        ("blank, then q", "begins a text with q (or ?); the blank is dropped"),
        ("?", "shows this; any key goes back"),
      ], columns: size.columns)
    let rows = size.rows - frame.lines.count - 1
    page = max(1, rows - 1)
    firstKey = min(firstKey, max(0, keys.count - rows))
    keysAreCut = keys.count > rows
    let remark = keysAreCut ? "↑ ↓ for more" : ""
    frame.lines.append(Drawing.rule("Keys", remark, isActive: true, columns: size.columns))
    frame.lines += keys.dropFirst(firstKey)
    frame.lines = Array(frame.lines.prefix(size.rows))
    return frame.clipped(to: size)
  }
}
