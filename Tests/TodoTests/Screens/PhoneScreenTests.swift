import Testing
import TodoModel
import TodoTerminal

/// A screen whose keys are pressed and whose session is played by the test: what keys ask for is done to a plain list.
final class PhoneInHand {
  /// The screen.
  private(set) var screen = PhoneScreen()
  /// The list, as a session would store it.
  private(set) var list = TodoList()
  /// What keys asked for besides changes of the list.
  private(set) var asked: [PhoneScreen.Action] = []
  /// The size of the screen.
  var size = Size(rows: 24, columns: 80)

  /// A phone with these items.
  convenience init(_ titles: String...) throws { try self.init(titles) }

  /// A phone with these items.
  init(_ titles: [String]) throws {
    for title in titles { try list.add(title) }
    screen.take(.list(list))
  }

  /// Tells the screen something.
  func tell(_ news: PhoneScreen.News) { screen.take(news) }

  /// Presses keys, and does what they ask for.
  func press(_ keys: Key...) throws {
    for key in keys {
      var rest: Key? = key
      while let key = rest {
        let first: Key
        (first, rest) = screen.parts(of: key)
        for action in screen.handle(first) {
          if action == .quit { rest = nil }
          try take(action)
        }
      }
    }
  }

  /// Does what a key asked for, as the session would.
  private func take(_ action: PhoneScreen.Action) throws {
    var item: TodoItem?
    do throws(TodoError) {
      switch action {
      case .add(let title): item = try list.add(title)
      case .toggle(let id): try list.toggle(id)
      case .edit(let id, let title): try list.edit(id, title: title)
      case .remove(let id): try list.remove(id)
      case .undoRemoval: item = try list.undoRemoval()
      case .pick, .say, .quit: asked.append(action)
      }
    } catch {
      guard case .nothingToUndo = error else { throw error }
      screen.take(.notice(Notice("\(error)", isProblem: true)))
    }
    screen.take(.list(list))
    if let item { screen.take(.added(item)) }
  }

  /// Changes the list as another program would.
  func change(_ body: (inout TodoList) throws -> Void) throws {
    try body(&list)
    screen.take(.list(list))
  }

  /// The lines of the screen.
  var text: [String] { screen.frame(size).text }
  /// The frame of the screen.
  var frame: Frame { screen.frame(size) }
  /// The bottom line.
  var status: String { text.last ?? "" }
  /// The titles on the list.
  var titles: [String] { list.items.map(\.title) }
}

@Suite("The phone's screen")
struct PhoneScreenTests {
  @Test("a typed title is added on Return, and the field is empty again")
  func adding() throws {
    let phone = try PhoneInHand()
    for key in ["B", "uy", " milk"] { try phone.press(.text(key)) }
    #expect(phone.text[1] == " New › Buy milk")
    #expect(phone.frame.cursor == Position(row: 1, column: 15))
    try phone.press(.return)
    #expect(phone.titles == ["Buy milk"])
    #expect(phone.text[1] == " New › type a title, then Return")
    #expect(phone.text[3] == "   ☐ 1 Buy milk")
  }

  @Test(
    "titles with the letters of commands are typed like any other",
    arguments: ["dentist", "eggs", "update", "x?", "quark"])
  func letters(title: String) throws {
    let phone = try PhoneInHand("one")
    try phone.press(.text(title), .return)
    #expect(phone.titles == ["one", title])
    #expect(phone.asked == [])
  }

  @Test("a blank title is refused with a remark, and the field is emptied", arguments: ["", "   ", "\u{3000}"])
  func blank(title: String) throws {
    let phone = try PhoneInHand()
    try phone.press(.text(title), .return)
    #expect(phone.titles == [])
    #expect(phone.status.hasPrefix(" a title cannot be blank"))
    #expect(phone.text[1] == " New › type a title, then Return")
    try phone.press(.text("x"))
    #expect(!phone.status.contains("blank"))
  }

  @Test("arrows lead into the list and through it, and space toggles")
  func toggling() throws {
    let phone = try PhoneInHand("a", "b", "c")
    try phone.press(.down, .down, .text(" "))
    #expect(phone.list.items.map(\.isDone) == [false, true, false])
    #expect(phone.text[4] == " ▸ ☑ 2 b")
    try phone.press(.down, .down, .down, .text("  "), .text(" "))
    #expect(phone.list.items.map(\.isDone) == [false, true, true])
    try phone.press(.up, .up, .up, .up, .text("x"))
    #expect(phone.text[1] == " New › x")
    #expect(phone.screen.focus == .list || phone.text[1] == " New › x")
  }

  @Test("up from the title leads to the last item")
  func upwards() throws {
    let phone = try PhoneInHand("a", "b", "c")
    try phone.press(.up, .text(" "))
    #expect(phone.list.items.map(\.isDone) == [false, false, true])
  }

  @Test("d and Delete remove, u brings the last one back")
  func removing() throws {
    let phone = try PhoneInHand("a", "b", "c")
    try phone.press(.down, .down, .text("d"))
    #expect(phone.titles == ["a", "c"])
    #expect(phone.screen.selection == 3)
    try phone.press(.delete)
    #expect(phone.titles == ["a"])
    try phone.press(.text("u"), .text("u"))
    #expect(phone.titles == ["a", "b", "c"])
  }

  @Test("the removal of the last item can be undone like any other; other letters begin a title")
  func emptied() throws {
    let phone = try PhoneInHand("a")
    try phone.press(.down, .text("d"))
    #expect(phone.titles == [])
    #expect(phone.text[3] == "   nothing to do yet")
    #expect(phone.status.contains("u undo"))
    try phone.press(.text("u"), .text("d"))
    #expect(phone.titles == [])
    try phone.press(.text("milk"))
    #expect(phone.text[1] == " New › milk")
    try phone.press(.return)
    #expect(phone.titles == ["milk"])
  }

  @Test("e edits in place, Return keeps, Escape leaves it, a blank title is refused")
  func editing() throws {
    let phone = try PhoneInHand("Buy milk")
    try phone.press(.down, .text("e"), .text(" now"))
    #expect(phone.text[3] == " ▸ ☐ 1 Buy milk now")
    #expect(phone.frame.cursor == Position(row: 3, column: 19))
    try phone.press(.return)
    #expect(phone.titles == ["Buy milk now"])
    try phone.press(.text("e"), .text("x"), .escape)
    #expect(phone.titles == ["Buy milk now"])
    try phone.press(.text("e"), .control("u"), .return)
    #expect(phone.titles == ["Buy milk now"])
    #expect(phone.status.hasPrefix(" a title cannot be blank"))
  }

  @Test("an item removed elsewhere while it is edited ends the editing")
  func removedMeanwhile() throws {
    let phone = try PhoneInHand("a", "b")
    try phone.press(.down, .text("e"), .text("x"))
    try phone.change { try $0.remove(1) }
    #expect(phone.status.hasPrefix(" item 1 has been removed meanwhile"))
    #expect(phone.screen.selection == 2)
    #expect(phone.titles == ["b"])
  }

  @Test("q leaves where nothing is being typed")
  func leaving() throws {
    for keys in [[], [.down], [.tab, .tab], [.text("?")]] as [[Key]] {
      let phone = try PhoneInHand("a")
      for key in keys { try phone.press(key) }
      try phone.press(.text("q"))
      #expect(phone.asked == [.quit])
    }
    let phone = try PhoneInHand("a")
    try phone.press(.text("x"), .text("q"))
    #expect(phone.asked == [])
    try phone.press(.control("c"))
    #expect(phone.asked == [.quit])
  }

  @Test("a blank first lets a title and a line of chat begin with q or ?, and is dropped", arguments: ["quiche", "?x"])
  func blankFirst(text: String) throws {
    let phone = try PhoneInHand("a")
    phone.tell(.watchIsReachable(true))
    for key in " \(text)" { try phone.press(.text(String(key))) }
    try phone.press(.return)
    #expect(phone.titles == ["a", text])
    try phone.press(.backTab)
    for key in " \(text)" { try phone.press(.text(String(key))) }
    try phone.press(.return)
    #expect(phone.asked == [.say(text)])
  }

  @Test("? explains the keys until the next key")
  func help() throws {
    let phone = try PhoneInHand("a")
    try phone.press(.text("?"))
    for key in ["space", "d, Delete", "e ", "u ", "q, Control-C", "blank, then q", "?"] {
      #expect(phone.text.contains { $0.hasPrefix(" \(key)") }, "\(key)")
    }
    try phone.press(.text("x"))
    #expect(phone.text[3] == "   ☐ 1 a")
    #expect(phone.text[1] == " New › type a title, then Return")
  }

  @Test("pasted text is a title even where letters are commands")
  func pasting() throws {
    let phone = try PhoneInHand("a")
    try phone.press(.down, .paste("quick\ndelete"), .return)
    #expect(phone.titles == ["a", "quick delete"])
    #expect(phone.asked == [])
  }

  @Test("the selection follows its item when others go")
  func selection() throws {
    let phone = try PhoneInHand("a", "b", "c")
    try phone.press(.down, .down)
    try phone.change { try $0.remove(1) }
    #expect(phone.screen.selection == 2)
    try phone.change { try $0.remove(2) }
    #expect(phone.screen.selection == 3)
  }
}
