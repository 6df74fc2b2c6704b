import Testing
import TodoTerminal

@Suite("Columns of text")
struct ColumnsTests {
  @Test(
    "characters take the columns that terminals give them",
    arguments: [
      ("a", 1), ("漢", 2), ("ｱ", 1), ("가", 2), ("e\u{301}", 1), ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇫🇷", 2),
      ("❤\u{FE0F}", 2), ("❤", 1), ("☐", 1), ("🫠", 2), ("☕", 2), ("…", 1), ("\u{1F1E6}", 1), ("क", 1),
    ])
  func widths(text: String, columns: Int) {
    #expect(Columns.width(of: text) == columns)
  }

  @Test("truncated text ends in an ellipsis and never takes more than its columns")
  func truncation() {
    #expect(Columns.truncated("Buy milk", to: 8) == "Buy milk")
    #expect(Columns.truncated("Buy milk", to: 7) == "Buy mi…")
    #expect(Columns.truncated("漢字漢字", to: 6) == "漢字…")
    #expect(Columns.truncated("漢字漢字", to: 7) == "漢字漢…")
    #expect(Columns.truncated("abc", to: 1) == "…")
    #expect(Columns.truncated("abc", to: 0) == "")
    for columns in 0...20 {
      #expect(Columns.width(of: Columns.truncated("a漢👩‍👩‍👧e\u{301}🇫🇷 and more text", to: columns)) <= columns)
    }
  }

  @Test("what would move the cursor or turn the writing is made harmless")
  func printable() {
    #expect(Columns.printable("a\u{1B}[2Jb\u{7}c") == "a\u{FFFD}[2Jb\u{FFFD}c")
    #expect(Columns.printable("a\r\nb\u{9B}c\u{2028}d") == "a\u{FFFD}b\u{FFFD}c\u{FFFD}d")
    #expect(Columns.printable("a\u{202E}b\u{200B}\u{301}") == "ab")
    #expect(Columns.printable("\u{301}") == "")
    #expect(Columns.printable("👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️") == "👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️")
  }

  @Test("marks heaped on one character are bounded")
  func heapedMarks() {
    let heap = "e" + String(repeating: "\u{301}", count: 10_000)
    #expect(Columns.printable(heap).unicodeScalars.count == 16)
  }

  @Test("text is wrapped between words, and within those that are too long")
  func wrapping() {
    #expect(Columns.wrapped("one two three", to: 7) == ["one two", "three"])
    #expect(Columns.wrapped("abcdefgh ij", to: 3) == ["abc", "def", "gh", "ij"])
    #expect(Columns.wrapped("漢字漢字", to: 5) == ["漢字", "漢字"])
    #expect(Columns.wrapped("", to: 5) == [])
  }

  @Test("a fitted line takes exactly its columns")
  func fitted() {
    for columns in 0...30 {
      let line = StyledLine("漢字 ", .bold) + StyledLine("and more", .dim)
      #expect(line.fitted(to: columns).width == columns)
    }
    let both = StyledLine.justified(StyledLine("left"), StyledLine("right"), to: 12)
    #expect(both.text == "left   right")
    #expect(StyledLine.justified(StyledLine("left"), StyledLine("right"), to: 8).text == "left")
  }

  @Test("a field shows the part around its cursor")
  func fields() {
    var field = TextField("漢字 and more")
    #expect(field.visible(columns: 6).text == " more")
    #expect(field.visible(columns: 6).cursor == 5)
    _ = field.handle(.home)
    #expect(field.visible(columns: 6).text == "漢字 a")
    #expect(field.visible(columns: 6).cursor == 0)
    #expect(field.visible(columns: 5).text == "漢字 ")
    for columns in 1...20 {
      let (text, cursor) = field.visible(columns: columns)
      #expect(Columns.width(of: text) <= columns)
      #expect(cursor < columns)
    }
  }

  @Test("a field is edited like any line at a prompt")
  func editing() {
    var field = TextField()
    let typed = [Key.text("Buy milks"), .backspace, .home, .text("x "), .delete, .text("B"), .end, .text("!")]
    let allDone = typed.map { field.handle($0) }
    #expect(!allDone.contains(false))
    #expect(field.text == "x Buy milk!")
    for key in [Key.left, .left, .right, .control("w"), .paste("te\na")] { _ = field.handle(key) }
    #expect(field.text == "x Buy te a!")
    _ = field.handle(.control("u"))
    #expect(field.text == "!")
    let isDone = field.handle(.up)
    #expect(!isDone)
  }
}
