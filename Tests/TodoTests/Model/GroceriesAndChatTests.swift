import FoundationEssentials
import Testing
import TodoModel

@Suite("Groceries and chat")
struct GroceriesAndChatTests {
  @Test("picks are shown newest first")
  func newestFirst() {
    var list = GroceryList()
    for (index, entry) in ["🍎", "🍌", "🧀"].enumerated() {
      list.take(entry, sequence: UInt64(index + 1), redelivered: false)
    }
    #expect(list.shown == ["🧀", "🍌", "🍎"])
  }

  @Test("a pick that comes again marked is taken once")
  func repeated() {
    var list = GroceryList()
    list.take("🍎", sequence: 1, redelivered: false)
    list.take("🍎", sequence: 1, redelivered: true)
    list.take("🍎", sequence: 2, redelivered: true)
    #expect(list.shown == ["🍎", "🍎"])
  }

  @Test("an entry that is no food shows as a shrug", arguments: ["🚀", "", "apple", "🍎🍎", "🇫🇷", "1", "🍎x", "\u{301}"])
  func shrug(entry: String) {
    var list = GroceryList()
    list.take(entry, sequence: 1, redelivered: false)
    #expect(list.shown == [#"¯\_(ツ)_/¯"#])
  }

  @Test("an entry that is no text shows as a shrug")
  func noText() {
    var list = GroceryList()
    list.take(nil, sequence: 1, redelivered: false)
    #expect(list.shown == [#"¯\_(ツ)_/¯"#])
  }

  @Test("food is understood, from the row or not, with a variation selector or not")
  func food() {
    for entry in Grocery.row + ["🥨", "☕\u{FE0F}", "🍺", "🧃"] { #expect(Grocery.shown(entry) == entry) }
  }

  @Test("an endless entry is kept short, and the oldest entries give way at the limit")
  func bounded() {
    var list = GroceryList()
    for sequence in 1...UInt64(GroceryList.limit + 3) {
      list.take("e" + String(repeating: "\u{301}", count: 40), sequence: sequence, redelivered: false)
    }
    #expect(list.entries.count == GroceryList.limit)
    #expect(list.entries.allSatisfy { $0.unicodeScalars.count <= 16 })
  }

  @Test("the four replies travel as 1 to 4")
  func replies() {
    let texts = ["Hello", "Thank you", "How are you?", "I hear you"]
    #expect(QuickReply.allCases.map(\.rawValue) == [1, 2, 3, 4])
    #expect(QuickReply.allCases.map(\.text) == texts)
    #expect((1...4).map { ChatLine(reply: $0).shown } == texts)
  }

  @Test("an unknown number shows as an invalid message", arguments: [0, 5, -1, Int.max])
  func unknownReply(number: Int) {
    let line = ChatLine(reply: number)
    #expect(!line.isValid)
    #expect(line.shown == "invalid message (\(number))")
  }

  @Test("what is no number shows as an invalid message")
  func noNumber() {
    #expect(!ChatLine(reply: nil).isValid)
    #expect(ChatLine(reply: nil).shown == "invalid message")
  }

  @Test("a chat keeps its newest lines and reads back as it was written")
  func conversation() throws {
    var chat = Conversation()
    for number in 1...60 { chat.append(number.isMultiple(of: 2) ? ChatLine(reply: 1) : ChatLine(text: "\(number)")) }
    #expect(chat.lines.count == Conversation.limit)
    #expect(chat.lines.first?.shown == "11")
    #expect(try JSONDecoder().decode(Conversation.self, from: JSONEncoder().encode(chat)) == chat)
  }
}
