import FoundationEssentials
import TestSupport
import Testing
import TodoModel
import TodoTerminal

/// A watch whose keys are pressed by the test.
final class WatchInHand {
  /// The screen.
  private var screen = WatchScreen()
  /// What keys asked for.
  private(set) var asked: [WatchScreen.Action] = []
  /// The size of the screen.
  var size = Size(rows: 24, columns: 26)

  /// A watch to which the phone passed these titles, under 1, 2 and so on.
  init(_ titles: String...) {
    tell(.items(titles.enumerated().map { TodoItem(id: $0 + 1, title: $1) }))
    tell(.phoneIsReachable(true))
  }

  /// Tells the screen something.
  func tell(_ news: WatchScreen.News) { screen.take(news) }

  /// Presses keys.
  func press(_ keys: Key...) { for key in keys { asked += screen.handle(key) } }

  /// The lines inside the rim.
  var face: [String] {
    screen.frame(size).text.map { line in
      let inside = line.hasPrefix("│") ? String(line.dropFirst().dropLast()) : line
      return StyledLine(inside).text
    }
  }
  /// The lines of the screen.
  var frame: Frame { screen.frame(size) }
  /// What `follow` prints.
  var transcript: [String] { screen.transcript }
}

@Suite("The watch's face", .ownThread)
struct WatchScreenTests {
  @Test("the items not done are shown, the first one chosen")
  func list() {
    let watch = WatchInHand("Buy milk", "Call home")
    #expect(watch.face[1] == " To do  ● phone reachable" || watch.face[1] == " To do          ● phone")
    #expect(watch.face[3] == "▸☐ Buy milk")
    #expect(watch.face[4] == " ☐ Call home")
  }

  @Test("space and Return toggle the chosen item")
  func toggling() {
    let watch = WatchInHand("a", "b", "c")
    watch.press(.text(" "), .down, .return, .down, .down, .text(" "))
    #expect(watch.asked == [.toggle(1), .toggle(2), .toggle(3)])
    watch.tell(.waiting([1, 2, 3, 3]))
    #expect(watch.face[3] == " ☑ a                   …")
    #expect(watch.face[5] == "▸☐ c                   …")
    #expect(watch.face[22] == " 4 waiting for phone")
  }

  @Test("the choice stays at its item when others go, and moves on when its own goes")
  func choice() {
    let watch = WatchInHand("a", "b", "c")
    watch.press(.down)
    watch.tell(.items([TodoItem(id: 2, title: "b"), TodoItem(id: 3, title: "c")]))
    #expect(watch.face[3] == "▸☐ b")
    watch.tell(.items([TodoItem(id: 3, title: "c")]))
    #expect(watch.face[3] == "▸☐ c")
    watch.tell(.items([]))
    #expect(watch.face[3] == " nothing left to do")
    watch.press(.text(" "))
    #expect(watch.asked == [])
  }

  @Test("the keys 1 to 4 reply while the phone is there, one reply at a time")
  func replies() {
    let watch = WatchInHand()
    watch.press(.text("2"), .text("3"))
    #expect(watch.asked == [.reply(.thankYou)])
    watch.tell(.replied(.thankYou, problem: nil))
    #expect(watch.face[22] == " Thank you: delivered")
    watch.press(.text("4"), .text("5"), .text("0"))
    #expect(watch.asked == [.reply(.thankYou), .reply(.iHearYou)])
    watch.tell(.replied(.iHearYou, problem: "the phone has gone"))
    #expect(watch.face[22].hasPrefix(" not delivered: the"))
    watch.tell(.phoneIsReachable(false))
    watch.press(.text("1"))
    #expect(watch.asked.count == 2)
    #expect(watch.face[22] == " phone not reachable")
    #expect(watch.face[1] == " To do       ○ no phone" || watch.face[1].hasSuffix("not reachable"))
  }

  @Test("groceries are shown newest first, the number of those without room at the end, all of them on g")
  func groceries() {
    let watch = WatchInHand()
    var list = GroceryList()
    for sequence in 1...30 { list.take(sequence == 29 ? "?" : "🍎", sequence: UInt64(sequence), redelivered: false) }
    watch.tell(.groceries(list))
    #expect(watch.face.contains(#" 🍎 ¯\_(ツ)_/¯ 🍎 🍎 🍎"#))
    #expect(watch.face.contains { $0.hasSuffix("+19") })
    watch.press(.text("g"))
    #expect(watch.face.joined().filter { $0 == "🍎" }.count == 29)
    watch.press(.text("c"), .escape)
    #expect(watch.asked == [.clearGroceries])
  }

  @Test("the chat shows its newest line, an invalid one too")
  func chat() {
    let watch = WatchInHand()
    var chat = Conversation()
    chat.append(ChatLine(text: "Dinner at eight?"))
    chat.append(ChatLine(reply: 7))
    watch.tell(.conversation(chat))
    #expect(watch.face.contains(" phone: Dinner at eight?"))
    #expect(watch.face.contains(" me: invalid message (7)"))
  }

  @Test("no line is wider than the screen and none is beyond it, whatever the size", arguments: 1...30)
  func sizes(columns: Int) {
    let watch = WatchInHand("漢字漢字漢字漢字漢字漢字漢字", "👩‍👩‍👧 emoji and e\u{301} marks", String(repeating: "x", count: 500))
    watch.tell(.waiting([1]))
    for key in ["", "g", "x", "?"] {
      watch.press(.text(key))
      for rows in [1, 2, 3, 5, 8, 9, 12, 16, 20, 24, 50] {
        watch.size = Size(rows: rows, columns: columns * 3)
        #expect(watch.frame.lines.count == rows)
        #expect(watch.frame.lines.allSatisfy { $0.width <= columns * 3 })
      }
    }
  }

  @Test("the lines to follow say all that the face shows")
  func transcript() {
    let watch = WatchInHand("Buy milk", "Call home")
    watch.tell(.waiting([2]))
    var list = GroceryList()
    list.take("🍎", sequence: 1, redelivered: false)
    watch.tell(.groceries(list))
    var chat = Conversation()
    chat.append(ChatLine(text: "hello"))
    watch.tell(.conversation(chat))
    #expect(
      watch.transcript == [
        "phone reachable", "[ ] 1 Buy milk", "[x] 2 Call home (waiting for the phone)", "groceries: 🍎", "phone: hello",
      ])
  }
}
