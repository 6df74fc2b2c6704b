/// A line of text that is being typed: what stands before the cursor and what after it.
package struct TextField: Hashable, Sendable {
  /// The most characters that it takes.
  private static let limit = 10_000

  private var before: String
  private var after: String

  /// A field with a text, the cursor at its end.
  package init(_ text: String = "") {
    before = text
    after = ""
  }

  /// The text.
  package var text: String { before + after }

  /// Whether nothing has been typed.
  package var isEmpty: Bool { before.isEmpty && after.isEmpty }

  /// Does what a key does in a field; false when it does nothing there.
  package mutating func handle(_ key: Key) -> Bool {
    switch key {
    case .text(let text), .paste(let text): insert(text)
    case .left: after = (before.popLast().map(String.init) ?? "") + after
    case .right: before += after.popFirst().map(String.init) ?? ""
    case .home, .control("a"): (before, after) = ("", text)
    case .end, .control("e"): (before, after) = (text, "")
    case .backspace: _ = before.popLast()
    case .delete, .control("d"): _ = after.popFirst()
    case .control("u"): before = ""
    case .control("k"): after = ""
    case .control("w"): removeWord()
    default: return false
    }
    return true
  }

  /// Inserts text at the cursor; line breaks and other control characters become blanks.
  private mutating func insert(_ text: String) {
    let room = max(0, Self.limit - before.count - after.count)
    for character in text.prefix(room) {
      before.append(character.unicodeScalars.contains(where: isControl) ? " " : character)
    }
  }

  /// Removes the word before the cursor and the blanks behind it.
  private mutating func removeWord() {
    while before.last == " " { before.removeLast() }
    while let last = before.last, last != " " { before.removeLast() }
  }

  /// The part of the text that is seen through a window of some columns, and the cursor's column in it.
  package func visible(columns: Int) -> (text: String, cursor: Int) {
    let room = max(1, columns)
    let head = Columns.printable(before)
    // The last column belongs to the cursor.
    var used = 0
    var start = head.endIndex
    while start > head.startIndex {
      let previous = head.index(before: start)
      let width = Columns.width(of: head[previous])
      if used + width > room - 1 { break }
      used += width
      start = previous
    }
    var text = String(head[start...])
    let cursor = used
    for character in Columns.printable(after) {
      let width = Columns.width(of: character)
      if used + width > room { break }
      text.append(character)
      used += width
    }
    return (text, cursor)
  }
}

extension String {
  /// Takes the first character away, nil when there is none.
  fileprivate mutating func popFirst() -> Character? { isEmpty ? nil : removeFirst() }
}
