import Glibc
import TestSupport
import Testing
import TodoModel
import TodoTerminal
import Wormhole

@Suite("Phone and watch, each a process", .ownThread)
struct SessionTests {
  @Test("phone off, three toggles on the watch, phone on: they are applied in order, and the watch follows")
  func phoneOff() throws {
    let pair = try Pair()
    try pair.phone("add", "Buy milk", "Call home", "Sleep")
    let watch = try pair.follow("todo-watch")
    try watch.see("phone not reachable", "[ ] 1 Buy milk", "[ ] 2 Call home", "[ ] 3 Sleep")
    for id in ["1", "3", "1"] { try pair.watch("toggle", id) }
    try watch.see(
      "phone not reachable", "[ ] 1 Buy milk (waiting for the phone)", "[ ] 2 Call home",
      "[x] 3 Sleep (waiting for the phone)")
    let phone = try pair.follow("todo-phone")
    try phone.see { $0.prefix(4) == ["watch reachable", "[ ] 1 Buy milk", "[ ] 2 Call home", "[x] 3 Sleep"] }
    try watch.see("phone reachable", "[ ] 1 Buy milk", "[ ] 2 Call home")
  }

  @Test("watch off, twelve picks and five additions, watch on: all are there, the newest first")
  func watchOff() throws {
    let pair = try Pair()
    let phone = try pair.follow("todo-phone")
    let picks = Grocery.row.prefix(12)
    for emoji in picks { try pair.phone("pick", emoji) }
    for number in 1...5 { try pair.phone("add", "thing \(number)") }
    try phone.see(line: "12 groceries waiting for the watch")
    let watch = try pair.follow("todo-watch")
    try watch.see(
      ["phone reachable"] + (1...5).map { "[ ] \($0) thing \($0)" } + [
        "groceries: " + picks.reversed().joined(separator: " ")
      ])
    try phone.see(["watch reachable"] + (1...5).map { "[ ] \($0) thing \($0)" })
  }

  @Test("both edit at the same moment: the lists agree in the end, and no change is lost")
  func bothAtOnce() throws {
    let pair = try Pair()
    let count = 120
    let ids = Array(1...count)
    try pair.phone(["add"] + ids.map { "thing \($0)" })
    let phone = try pair.follow("todo-phone")
    let watch = try pair.follow("todo-watch")
    try phone.see { $0.first == "watch reachable" }
    // Each item is turned once by a watch and edited once by a phone; each is added to and removed from besides.
    let toggling = try pair.start("todo-watch", ["toggle"] + ids.map(String.init))
    let store = PhoneStore(try pair.wormhole())
    for id in ids {
      try store.change { list in
        try list.edit(id, title: "edited \(id)")
        try list.add("added beside \(id)")
        if id.isMultiple(of: 2) { try list.remove(id + count) }
      }
    }
    #expect(try toggling.waitUntilExit().exit == .code(0))
    let added = ids.map { $0 + count }.filter { !$0.isMultiple(of: 2) }
    let expected =
      ids.map { "[x] \($0) edited \($0)" } + added.map { "[ ] \($0) added beside \($0 - count)" }
    #expect(try pair.phone("list") == expected)
    #expect(try pair.watch("list") == expected.filter { $0.hasPrefix("[ ]") })
    try phone.see { $0.filter { $0.hasPrefix("[") } == expected }
    try watch.see { $0 == ["phone reachable"] + expected.filter { $0.hasPrefix("[ ]") } }
  }

  @Test("a phone that is killed is not reachable at once; another goes on, with nothing lost")
  func killedPhone() throws {
    let pair = try Pair()
    let watch = try pair.follow("todo-watch")
    for round in 1...5 {
      let phone = try pair.follow("todo-phone")
      try watch.see { $0.first == "phone reachable" }
      try pair.phone("add", "thing \(round)")
      try phone.see(line: "[ ] \(round) thing \(round)")
      // The toggle may be applied or not at the moment of the kill; it is neither lost nor applied twice.
      try pair.wormhole().transfer(WatchToggle(id: round), identifier: "toDoToggles")
      try phone.process.kill()
      try watch.see { $0.first == "phone not reachable" }
      #expect(try pair.phone("list").last == "[x] \(round) thing \(round)")
    }
  }

  @Test("a watch that is killed is not reachable at once; another goes on, with nothing lost")
  func killedWatch() throws {
    let pair = try Pair()
    let phone = try pair.follow("todo-phone")
    var picked: [String] = []
    for round in 0..<5 {
      let watch = try pair.follow("todo-watch")
      try phone.see { $0.first == "watch reachable" }
      let emoji = Grocery.row[round]
      try pair.wormhole().transfer(emoji, identifier: "toDoPicks")
      try watch.process.kill()
      try phone.see { $0.first == "watch not reachable" }
      picked.insert(emoji, at: 0)
      #expect(try pair.watch("groceries") == picked)
    }
  }

  @Test("several watches on one phone all show the same, whichever of them did something")
  func severalWatches() throws {
    let pair = try Pair()
    let phone = try pair.follow("todo-phone")
    let watches = try (1...3).map { _ in try pair.follow("todo-watch") }
    try pair.phone("add", "Buy milk", "Call home")
    for watch in watches { try watch.see("phone reachable", "[ ] 1 Buy milk", "[ ] 2 Call home") }
    try pair.watch("toggle", "1")
    for emoji in ["🍎", "🍷"] { try pair.phone("pick", emoji) }
    try pair.phone("say", "Dinner at eight?")
    try pair.watch("reply", "2")
    for watch in watches {
      try watch.see(
        "phone reachable", "[ ] 2 Call home", "groceries: 🍷 🍎", "phone: Dinner at eight?", "watch: Thank you")
    }
    try phone.see {
      $0.prefix(5) == [
        "watch reachable", "[x] 1 Buy milk", "[ ] 2 Call home", "phone: Dinner at eight?", "watch: Thank you",
      ]
    }
    // The watch that takes the picks is one of them; the others go on in its place.
    try watches[0].process.kill()
    try pair.phone("pick", "🥕")
    for watch in watches.dropFirst() { try watch.see(line: "groceries: 🥕 🍷 🍎") }
    #expect(phone.shown.first == "watch reachable", "as long as one is there")
  }

  @Test("a second phone says that another is on; both keep the one list, and either may go")
  func twoPhones() throws {
    let pair = try Pair()
    let first = try pair.follow("todo-phone")
    try first.see("watch not reachable")
    let second = try pair.follow("todo-phone")
    try second.see("watch not reachable", "! another phone is on too: both keep this one list")
    let watch = try pair.follow("todo-watch")
    try pair.phone("add", "Buy milk", "Call home")
    for phone in [first, second] { try phone.see(line: "[ ] 2 Call home") }
    try first.process.kill()
    try pair.watch("toggle", "1")
    try second.see(line: "[x] 1 Buy milk")
    try watch.see("phone reachable", "[ ] 2 Call home")
  }

  @Test("toggles that wait are shown by every watch, also by those that did not make them")
  func waiting() throws {
    let pair = try Pair()
    try pair.phone("add", "Buy milk")
    let watches = try (1...2).map { _ in try pair.follow("todo-watch") }
    for watch in watches { try watch.see(line: "[ ] 1 Buy milk") }
    try pair.watch("toggle", "1")
    for watch in watches { try watch.see(line: "[x] 1 Buy milk (waiting for the phone)") }
  }

  @Test("the chat goes both ways while both are there; what is no reply is shown as an invalid message")
  func chat() throws {
    let pair = try Pair()
    let phone = try pair.follow("todo-phone")
    #expect(try pair.run("todo-phone", ["say", "Hello"]).exit == .code(69))
    let watch = try pair.follow("todo-watch")
    try phone.see { $0.first == "watch reachable" }
    #expect(try pair.phone("say", "Dinner", "at eight?") == ["delivered"])
    #expect(try pair.watch("reply", "4") == ["I hear you: delivered"])
    for reply in ["7", "-1", #""no number""#] {
      let words = ["--directory", pair.directory.path, "--request", "--json", "--", "toDoReplies", reply]
      #expect(try HelperProcess.run("wormhole-send", words).text == "true\n")
    }
    let lines = [
      "phone: Dinner at eight?", "watch: I hear you", "watch: invalid message (7)", "watch: invalid message (-1)",
      "watch: invalid message",
    ]
    try phone.see { $0 == ["watch reachable"] + lines.suffix(4) }
    try watch.see { $0 == ["phone reachable"] + lines.suffix(4) }
  }

  @Test("without a terminal, the newcomer's command plays an exchange as text and ends with 0")
  func exchange() throws {
    let outcome = try HelperProcess.run("todo-phone", ["--with-watch"])
    #expect(outcome.exit == .code(0))
    #expect(outcome.errorText == "")
    for part in ["☐ Buy milk", "the phone has it done", "Thank you", "SIGKILL", "newest first", "That was all"] {
      #expect(outcome.text.contains(part))
    }
  }

  @Test(
    "a program that follows ends with 0 by a signal, and quietly when nobody reads it", arguments: [SIGINT, SIGTERM])
  func followEnds(signal: Int32) throws {
    let pair = try Pair()
    for program in ["todo-phone", "todo-watch"] {
      let follower = try pair.follow(program)
      try follower.see { !$0.isEmpty }
      follower.process.send(signal)
      #expect(try follower.process.waitUntilExit().exit == .code(0))
    }
  }
}
