import FoundationEssentials
import Testing
import TodoModel

@Suite("The list of things to do")
struct TodoListTests {
  /// A list with items under 1, 2, 3.
  private func threeItems() throws -> TodoList {
    var list = TodoList()
    for title in ["Buy milk", "Call home", "Eggs"] { try list.add(title) }
    return list
  }

  @Test("an item gets the number after the highest so far, also when that one was removed")
  func numbers() throws {
    var list = try threeItems()
    try list.remove(3)
    #expect(try list.add("Bread").id == 4)
    try list.remove(1)
    #expect(try list.add("Salt").id == 5)
    #expect(list.items.map(\.id) == [2, 4, 5])
  }

  @Test("an emptied list goes on counting")
  func emptied() throws {
    var list = try threeItems()
    for id in 1...3 { try list.remove(id) }
    #expect(try list.add("Bread").id == 4)
  }

  @Test(
    "a blank title is refused and changes nothing", arguments: ["", " ", "\t\n ", "\u{200B}", "\u{FE0F}", "\u{3000}"])
  func blank(title: String) throws {
    var list = try threeItems()
    let before = list
    #expect(throws: TodoError.blank(what: "a title")) { try list.add(title) }
    #expect(throws: TodoError.blank(what: "a title")) { try list.edit(1, title: title) }
    #expect(list == before)
  }

  @Test("a title is one line without blanks around it")
  func cleaned() throws {
    var list = TodoList()
    #expect(try list.add("  Buy\nmilk\u{1B}[2J\r\n").title == "Buy milk [2J")
    #expect(try list.add(" 👩‍👩‍👧 e\u{301} ").title == "👩‍👩‍👧 e\u{301}")
  }

  @Test("a toggle turns an item, a second one turns it back")
  func toggles() throws {
    var list = try threeItems()
    #expect(try list.toggle(2).isDone)
    #expect(list.open.map(\.id) == [1, 3])
    #expect(try !list.toggle(2).isDone)
    #expect(list.open.map(\.id) == [1, 2, 3])
  }

  @Test("an edit changes the title alone")
  func edits() throws {
    var list = try threeItems()
    try list.toggle(2)
    #expect(try list.edit(2, title: "Call mum") == TodoItem(id: 2, title: "Call mum", isDone: true))
  }

  @Test("a removed item comes back under its number, at its place, as it was")
  func undo() throws {
    var list = try threeItems()
    try list.toggle(2)
    let before = list.items
    try list.remove(2)
    try list.remove(1)
    try list.add("Bread")
    #expect(try list.undoRemoval().id == 1)
    #expect(try list.undoRemoval().id == 2)
    #expect(Array(list.items.prefix(3)) == before)
    #expect(throws: TodoError.nothingToUndo) { try list.undoRemoval() }
  }

  @Test("the newest removals can be undone, the oldest are forgotten")
  func undoLimit() throws {
    var list = TodoList()
    for number in 1...TodoList.undoLimit + 5 { try list.add("Item \(number)") }
    for id in 1...TodoList.undoLimit + 5 { try list.remove(id) }
    for id in (6...TodoList.undoLimit + 5).reversed() { #expect(try list.undoRemoval().id == id) }
    #expect(throws: TodoError.nothingToUndo) { try list.undoRemoval() }
  }

  @Test("a number that no item has is named", arguments: [0, 4, -1, Int.max])
  func unknown(id: Int) throws {
    var list = try threeItems()
    #expect(throws: TodoError.unknownItem(id: id)) { try list.toggle(id) }
    #expect(throws: TodoError.unknownItem(id: id)) { try list.remove(id) }
    #expect(throws: TodoError.unknownItem(id: id)) { try list.edit(id, title: "x") }
    #expect(list.item(id) == nil)
  }

  @Test("a list reads back from JSON as it was written")
  func coding() throws {
    var list = try threeItems()
    try list.toggle(2)
    try list.remove(3)
    _ = list.apply(WatchToggle(id: 1), sequence: 7, redelivered: false)
    let data = try JSONEncoder().encode(list)
    #expect(try JSONDecoder().decode(TodoList.self, from: data) == list)
  }

  @Test("items in JSON are an id, a title and whether they are done")
  func itemJSON() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(TodoItem(id: 3, title: "Eggs")), as: UTF8.self)
    #expect(text == #"{"done":false,"id":3,"title":"Eggs"}"#)
  }

  @Test("a list written by hand is put in order")
  func foreign() throws {
    let text = """
      {"items": [{"id": 9, "title": "b", "done": true}, {"id": 2, "title": "a", "done": false},
      {"id": 2, "title": "again", "done": false}]}
      """
    var list = try JSONDecoder().decode(TodoList.self, from: Data(text.utf8))
    #expect(list.items.map(\.title) == ["a", "b"])
    #expect(try list.add("next").id == 10)
  }

  @Test("the highest possible number ends the adding, not the program")
  func numbersEnd() throws {
    let text = #"{"items": [{"id": 9223372036854775807, "title": "last", "done": false}]}"#
    var list = try JSONDecoder().decode(TodoList.self, from: Data(text.utf8))
    #expect(throws: TodoError.noNumberLeft) { try list.add("one more") }
  }
}
