package import TodoModel

/// What a screen shows, as lines of plain text that are neither cut nor laid out: for `follow` and for scripts.
package protocol Transcript {
  /// The lines.
  var transcript: [String] { get }
}

extension TodoItem {
  /// The item as one line: whether it is done, its number, its title.
  package var line: String { "\(isDone ? "[x]" : "[ ]") \(id) \(Columns.printable(title))" }
}

extension WatchList.Row {
  /// The row as one line, with a remark while a toggle of it waits.
  package var line: String { item.line + (isWaiting ? " (waiting for the phone)" : "") }
}

extension ChatLine {
  /// The line with its speaker.
  var line: String { "\(speaker.rawValue): \(Columns.printable(shown))" }
}

extension PhoneScreen: Transcript {
  package var transcript: [String] {
    ["watch \(watchIsReachable ? "reachable" : "not reachable")"] + list.items.map(\.line)
      + (waitingPicks > 0 ? ["\(waitingPicks) groceries waiting for the watch"] : [])
      + conversation.lines.suffix(4).map(\.line) + (notice.map { ["! \($0.text)"] } ?? [])
  }
}

extension WatchScreen: Transcript {
  package var transcript: [String] {
    let groceries = groceries.shown
    return ["phone \(phoneIsReachable ? "reachable" : "not reachable")"] + list.rows.map(\.line)
      + (groceries.isEmpty ? [] : ["groceries: " + groceries.joined(separator: " ")])
      + conversation.lines.suffix(4).map(\.line) + (notice.map { ["! \($0.text)"] } ?? [])
  }
}
