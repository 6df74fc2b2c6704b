import Glibc
import TestSupport
import Testing
import TodoTerminal

@Suite("The full-screen programs in a terminal", .ownThread)
struct FullScreenTests {
  /// The program that a test drives.
  enum Subject: String, CaseIterable, Sendable {
    case phone, watch, both

    /// The program in the test's hand.
    func start(on directory: String, size: Size = Size(rows: 24, columns: 80)) throws -> ProgramInHand {
      switch self {
      case .phone: try ProgramInHand("todo-phone", on: directory, size: size)
      case .watch: try ProgramInHand("todo-watch", on: directory, size: size)
      case .both: try ProgramInHand("todo-phone", ["--with-watch"], on: directory, size: size)
      }
    }
  }

  @Test("an item is added, toggled, edited, removed and brought back by keys, and what is seen is what is stored")
  func keys() throws {
    let pair = try Pair()
    let phone = try Subject.phone.start(on: pair.directory.path)
    try phone.see("nothing to do yet")
    try phone.type("   \r")
    try phone.see("a title cannot be blank")
    try phone.type("Buy milk\rCall home\r")
    try phone.see("☐ 2 Call home")
    #expect(try pair.phone("list") == ["[ ] 1 Buy milk", "[ ] 2 Call home"])
    try phone.type("\u{1B}[B")
    try phone.see("▸ ☐ 1 Buy milk")
    try phone.type(" ")
    try phone.see("▸ ☑ 1 Buy milk")
    #expect(try pair.phone("list") == ["[x] 1 Buy milk", "[ ] 2 Call home"])
    try phone.type("\u{1B}[B")
    try phone.see("▸ ☐ 2 Call home")
    try phone.type("e")
    try phone.see("keep")
    try phone.type(" again\r")
    try phone.see("▸ ☐ 2 Call home again")
    try phone.type("d")
    try phone.seeNoMore("☐ 2 Call home again")
    #expect(try pair.phone("list") == ["[x] 1 Buy milk"])
    try phone.type("u")
    try phone.see("☐ 2 Call home again")
    try phone.type("\u{1B}[3~")
    try phone.seeNoMore("☐ 2 Call home again")
    #expect(try pair.phone("list") == ["[x] 1 Buy milk"])
    #expect(phone.image.unknown == [])
  }

  @Test("keys that one write brings all count, in their order, each about what the one before it left")
  func together() throws {
    let pair = try Pair()
    let phone = try Subject.phone.start(on: pair.directory.path)
    try phone.see("nothing to do yet")
    try phone.type(" quiche\rBuy milk\rCall home\rSleep\r\u{1B}[Bddj e!\r")
    try phone.see("▸ ☑ 4 Sleep!")
    #expect(try pair.phone("list") == ["[ ] 3 Call home", "[x] 4 Sleep!"])
    try phone.type("due?\rddxylophone\r")
    try phone.see("☐ 5 xylophone")
    #expect(try pair.phone("list") == ["[ ] 5 xylophone"])
  }

  @Test("? explains the keys, and any key leads back", arguments: Subject.allCases)
  func help(subject: Subject) throws {
    let pair = try Pair()
    let program = try subject.start(on: pair.directory.path)
    try program.see("To do")
    try program.type("?")
    try program.see(subject == .watch ? "choose" : "adds an item")
    try program.type("?")
    try program.seeNoMore(subject == .watch ? "choose" : "adds an item")
  }

  @Test("a change made elsewhere is seen at once, and so is the coming and going of the other program")
  func changesElsewhere() throws {
    let pair = try Pair()
    let phone = try Subject.phone.start(on: pair.directory.path)
    try phone.see("○ watch not reachable")
    try pair.phone("add", "Buy milk")
    try phone.see("☐ 1 Buy milk")
    let watch = try Subject.watch.start(on: pair.directory.path)
    try phone.see("● watch reachable")
    try watch.see("● phone")
    // The phone is seen before its answer has come: a key pressed now might find nothing to toggle.
    try watch.see("Buy milk")
    try watch.type(" ")
    try phone.see("☑ 1 Buy milk")
    try watch.see("nothing left to do")
    watch.process.send(SIGKILL)
    try phone.see("○ watch not reachable")
    let second = try Subject.watch.start(on: pair.directory.path)
    try phone.see("● watch reachable")
    phone.process.send(SIGKILL)
    try second.see("○ no phone")
  }

  @Test("groceries and chat go to the watch, and a quick reply comes back")
  func chat() throws {
    let pair = try Pair()
    let phone = try Subject.phone.start(on: pair.directory.path)
    let watch = try Subject.watch.start(on: pair.directory.path)
    try phone.see("● watch reachable")
    try phone.type("\t  \u{1B}[C ")
    try watch.see("🍌 🍎 🍎")
    try phone.type("\tDinner?\r")
    try watch.see("phone: Dinner?")
    try phone.see("delivered")
    // Replies are for a phone that is seen to be there.
    try watch.see("● phone")
    try watch.type("1")
    try watch.see("me: Hello")
    try phone.see("watch Hello")
  }

  @Test("both side by side: Tab moves the keys, and the watch's keys work there")
  func sideBySide() throws {
    let pair = try Pair()
    let both = try Subject.both.start(on: pair.directory.path, size: Size(rows: 24, columns: 100))
    try both.see("● phone")
    try both.type("Buy milk\r")
    try both.see("the watch shows it") { $0.lines.contains { $0.contains("▸☐ Buy milk") } }
    try both.type("\t ")
    try both.see("☑ 1 Buy milk")
    try both.see("nothing left to do")
    try both.type("\tCall home\r")
    try both.see("▸☐ Call home")
  }

  @Test("a window of any size is drawn whole, and drawn anew when it changes", arguments: Subject.allCases)
  func resize(subject: Subject) throws {
    let pair = try Pair()
    try pair.phone(["add"] + (1...30).map { "a rather long title with a number \($0)" })
    let program = try subject.start(on: pair.directory.path)
    try program.see("a rather long title")
    for (rows, columns) in [(40, 120), (5, 20), (1, 1), (12, 30), (24, 80)] {
      let before = program.process.written.count
      program.resize(rows: rows, columns: columns)
      let last = rows > 1 ? "To do" : ""
      try program.see("\(rows) × \(columns)") { image in
        program.process.written.count > before && image.lines.contains { $0.contains(last) }
      }
    }
    try program.see("a rather long title")
    #expect(program.image.unknown == [])
  }

  @Test(
    "the terminal is given back as it was, however the program ends", arguments: Subject.allCases,
    ["q", "\u{3}", "SIGTERM", "SIGINT", "SIGHUP"])
  func givenBack(subject: Subject, way: String) throws {
    let pair = try Pair()
    let program = try subject.start(on: pair.directory.path)
    // The settings of a terminal that was just made are those that the program finds, and must leave.
    let before = try ProgramInHand.freshSettings()
    try program.see(subject == .phone ? "watch not reachable" : subject == .watch ? "○ no phone" : "● phone")
    #expect(try program.process.settings() != before)
    #expect(program.image.isSecondScreen)
    switch way {
    case "SIGTERM": program.process.send(SIGTERM)
    case "SIGINT": program.process.send(SIGINT)
    case "SIGHUP": program.process.send(SIGHUP)
    default: try program.type(way)
    }
    #expect(try program.process.waitUntilExit() == .code(0))
    #expect(try program.process.settings() == before)
    let image = program.image
    #expect(!image.isSecondScreen)
    #expect(image.isCursorShown)
    #expect(image.wraps)
    #expect(!image.marksPastes)
  }

  @Test("no colour is written where NO_COLOR says so; else there is some")
  func colors() throws {
    let pair = try Pair()
    let plain = try ProgramInHand("todo-phone", on: pair.directory.path, environment: ["NO_COLOR": "1"])
    try plain.see("nothing to do yet")
    #expect(!plain.image.hasColor)
    let colored = try ProgramInHand("todo-phone", on: pair.directory.path)
    try colored.see("nothing to do yet")
    #expect(colored.image.hasColor)
  }

  @Test("where nothing can be drawn, the program says so and leaves the terminal alone", arguments: ["dumb", nil])
  func dumb(terminal: String?) throws {
    let pair = try Pair()
    let phone = try ProgramInHand("todo-phone", on: pair.directory.path, environment: ["TERM": terminal])
    #expect(try phone.process.waitUntilExit() == .code(64))
    #expect(phone.image.lines[0].hasPrefix("todo-phone: "))
    #expect(!phone.process.written.contains(0x1B))
  }

  @Test("a pasted text is one title on one line, whatever is in it")
  func paste() throws {
    let pair = try Pair()
    let phone = try Subject.phone.start(on: pair.directory.path)
    try phone.see("nothing to do yet")
    let long = String(repeating: "q?d\r\n\u{1}é漢👩‍👩‍👧 ", count: 500)
    try phone.type("\u{1B}[200~\(long)\u{1B}[201~\r")
    try phone.see("☐ 1 q?d")
    let listed = try pair.phone("list")
    #expect(listed.count == 1)
    let isWhole = listed[0].hasPrefix("[ ] 1 q?d  é漢👩‍👩‍👧 q?d  é漢👩‍👩‍👧 q?d")
    #expect(isWhole)
  }
}
