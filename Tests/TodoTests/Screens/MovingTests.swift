import Testing
import TodoTerminal

@Suite("Moving about the screens")
struct MovingTests {
  /// A phone whose list is far longer than its screen, with the keys in the list.
  private func longPhone() throws -> PhoneInHand {
    let phone = try PhoneInHand((1...50).map { "thing \($0)" })
    _ = phone.frame
    try phone.press(.down)
    return phone
  }

  @Test("in the phone's list j and k move like the arrows, g and G to its ends")
  func letters() throws {
    let phone = try longPhone()
    try phone.press(.text("j"), .text("j"), .text("k"))
    #expect(phone.screen.selection == 2)
    try phone.press(.text("G"))
    #expect(phone.screen.selection == 50)
    try phone.press(.text("j"))
    #expect(phone.screen.selection == 50)
    try phone.press(.text("g"), .text("k"))
    #expect(phone.screen.selection == 1)
    #expect(phone.screen.titleField.isEmpty)
  }

  @Test("a page is what is seen of the list, but for one row")
  func pages() throws {
    let phone = try longPhone()
    let rows = phone.text.filter { $0.contains("☐") }.count
    try phone.press(.pageDown)
    #expect(phone.screen.selection == rows)
    try phone.press(.pageDown, .pageUp)
    #expect(phone.screen.selection == rows)
    try phone.press(.end)
    #expect(phone.screen.selection == 50)
    try phone.press(.home)
    #expect(phone.screen.selection == 1)
  }

  @Test("in a small window the explanation of the keys can be moved through, to its last line", arguments: [20, 40])
  func explanation(columns: Int) throws {
    let phone = try longPhone()
    phone.size = Size(rows: 8, columns: columns)
    try phone.press(.text("?"))
    var seen = phone.text
    #expect(columns < 30 || seen[1].contains("↑ ↓ for more"))
    for _ in 0..<40 {
      try phone.press(.down)
      seen += phone.text
    }
    #expect(phone.screen.showsKeys)
    #expect(seen.contains { $0.hasSuffix("adds an item") })
    #expect(seen.contains { $0.hasSuffix("goes back") } || seen.contains { $0.hasSuffix("back") })
    #expect(!seen.contains { $0.contains("…") })
    try phone.press(.escape)
    #expect(!phone.screen.showsKeys)
  }

  @Test("where there is little room, ? is the last key to be left out of the bottom line")
  func hints() throws {
    let phone = try longPhone()
    phone.size = Size(rows: 24, columns: 80)
    #expect(phone.status.hasSuffix("space toggle  d remove  e edit  u undo  ? keys  q quit"))
    phone.size = Size(rows: 24, columns: 45)
    #expect(phone.status.hasSuffix("space toggle  ? keys  q quit"))
    phone.size = Size(rows: 24, columns: 26)
    #expect(phone.status.hasSuffix("? keys"))
  }

  @Test("on the watch j and k move like the arrows, and a page is what is seen")
  func watch() throws {
    let watch = WatchInHand("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")
    watch.size = Size(rows: 8, columns: 20)
    #expect(watch.face.filter { $0.contains("☐") }.count == 4)
    watch.press(.text("jj"), .text("k"), .text(" "))
    #expect(watch.asked == [.toggle(2)])
    watch.press(.pageDown, .text(" "))
    #expect(watch.asked == [.toggle(2), .toggle(5)])
  }

  @Test("no line of the watch's keys is cut, however narrow it is; they can be moved through")
  func watchExplanation() throws {
    let watch = WatchInHand("a")
    watch.size = Size(rows: 6, columns: 20)
    watch.press(.text("?"))
    var seen = watch.face
    for _ in 0..<30 {
      watch.press(.text("j"))
      seen += watch.face
    }
    #expect(seen.contains { $0.hasSuffix("this") })
    #expect(!seen.contains { $0.contains("…") })
  }
}
