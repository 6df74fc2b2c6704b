import TestSupport
import Testing
import TodoModel
import TodoTerminal

@Suite("The phone's screen, drawn", .ownThread)
struct PhoneDrawingTests {
  @Test("a list longer than the screen scrolls with the selection and says where it is")
  func scrolling() throws {
    let phone = try PhoneInHand()
    try phone.change { list in for number in 1...40 { try list.add("Item \(number)") } }
    let rule = { phone.text[2] }
    #expect(rule().contains(" 1–11 of 40 "))
    try phone.press(.up)
    #expect(rule().contains(" 30–40 of 40 "))
    #expect(phone.text.contains(" ▸ ☐ 40 Item 40"))
    try phone.press(.home)
    #expect(rule().contains(" 1–11 of 40 "))
    #expect(phone.text.contains(" ▸ ☐  1 Item 1"))
  }

  @Test("no line is wider than the screen and none is beyond it, whatever the size", arguments: 1...40)
  func sizes(columns: Int) throws {
    let phone = try PhoneInHand(
      "漢字漢字漢字漢字漢字漢字漢字", "👩‍👩‍👧 a long title with an emoji and e\u{301} marks", String(repeating: "x", count: 500))
    phone.tell(.watchIsReachable(true))
    var chat = Conversation()
    chat.append(ChatLine(text: String(repeating: "long ", count: 50)))
    phone.tell(.conversation(chat))
    let states: [[Key]] = [
      [], [.down], [.text("e")], [.escape, .tab], [.tab, .text("hello")], [.text("\u{0}")], [.tab, .text("?")],
    ]
    for keys in states {
      for key in keys { try phone.press(key) }
      for rows in [1, 2, 3, 5, 8, 11, 14, 18, 24, 50] {
        phone.size = Size(rows: rows, columns: columns * 3)
        let frame = phone.frame
        #expect(frame.lines.count <= rows)
        #expect(frame.lines.allSatisfy { $0.width <= columns * 3 })
      }
    }
  }

  @Test("the watch's being there is said, in fewer words where there is little room")
  func reachability() throws {
    let phone = try PhoneInHand()
    #expect(phone.text[0].hasSuffix("○ watch not reachable"))
    phone.tell(.watchIsReachable(true))
    #expect(phone.text[0].hasSuffix("● watch reachable"))
    phone.size.columns = 20
    #expect(phone.text[0].hasSuffix("● watch"))
    phone.size.columns = 10
    #expect(phone.text[0].hasSuffix("●"))
  }

  @Test("groceries are picked from a row, each press one")
  func groceries() throws {
    let phone = try PhoneInHand()
    try phone.press(.tab, .right, .text("  "), .return, .left, .left, .text(" "))
    #expect(phone.asked == [.pick("🍌"), .pick("🍌"), .pick("🍌"), .pick("🍎")])
    #expect(phone.text.contains { $0.hasPrefix(" [🍎] 🍌 ") })
    phone.tell(.waitingPicks(4))
    #expect(phone.text.contains { $0.contains("4 waiting for the watch") })
  }

  @Test("a line of chat is on its way, then delivered, or says why not")
  func chat() throws {
    let phone = try PhoneInHand()
    phone.tell(.watchIsReachable(true))
    try phone.press(.backTab, .text("quite late today"), .return)
    #expect(phone.asked == [.say("quite late today")])
    #expect(phone.text.contains("   you quite late today sending…"))
    phone.tell(.said(problem: "the watch has gone"))
    #expect(phone.text.contains("   you quite late today not delivered: the watch has gone"))
    try phone.press(.text("again"), .return)
    var chat = Conversation()
    chat.append(ChatLine(text: "again"))
    chat.append(ChatLine(reply: 2))
    chat.append(ChatLine(reply: 7))
    phone.tell(.conversation(chat))
    phone.tell(.said(problem: nil))
    #expect(phone.text.contains { $0.hasPrefix("   you again  ") && $0.hasSuffix(" delivered") })
    #expect(phone.text.contains(" watch Thank you"))
    #expect(phone.text.contains(" watch invalid message (7)"))
  }

  @Test("nothing is said while the watch is not there")
  func disabled() throws {
    let phone = try PhoneInHand()
    try phone.press(.backTab, .text("hello"), .return)
    #expect(phone.asked == [])
    #expect(phone.text.contains(" Say › the watch is not reachable"))
    #expect(phone.status.hasPrefix(" the watch is not reachable: nothing can be said"))
  }

  @Test("escape sequences in a title that another program stored reach no terminal")
  func harmless() throws {
    let phone = try PhoneInHand()
    let item = TodoItem(id: 1, title: "a\u{1B}]0;x\u{7}\u{9B}2Jb")
    phone.tell(.notice(Notice(item.title)))
    #expect(phone.frame.lines.allSatisfy { !$0.spans.contains { $0.text.unicodeScalars.contains(where: isControl) } })
  }
}
