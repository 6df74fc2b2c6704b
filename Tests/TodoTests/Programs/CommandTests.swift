import TestSupport
import Testing
import TodoModel
import TodoTerminal
import Wormhole

@Suite("Commands of phone and watch", .ownThread)
struct CommandTests {
  @Test("what the phone's commands change is there for the next one, and on the watch")
  func list() throws {
    let pair = try Pair()
    #expect(try pair.phone("list") == [])
    #expect(try pair.phone("add", "Buy milk", "  Call home ") == ["[ ] 1 Buy milk", "[ ] 2 Call home"])
    #expect(try pair.phone("edit", "2", "Call", "mother") == ["[ ] 2 Call mother"])
    #expect(try pair.phone("toggle", "1") == ["[x] 1 Buy milk"])
    #expect(try pair.phone("add", "Feed the cat") == ["[ ] 3 Feed the cat"])
    #expect(try pair.phone("remove", "3") == ["[ ] 3 Feed the cat"])
    #expect(try pair.phone("add", "Sleep") == ["[ ] 4 Sleep"], "no number is given twice")
    #expect(try pair.phone("undo") == ["[ ] 3 Feed the cat"])
    #expect(try pair.phone("list").map { $0.prefix(5) } == ["[x] 1", "[ ] 2", "[ ] 3", "[ ] 4"])
    #expect(
      try pair.phone("list", "--json").first?.hasPrefix(#"[{"done":true,"id":1,"title":"Buy milk"},{"done":false,"#)
        == true)
    #expect(try pair.watch("list") == ["[ ] 2 Call mother", "[ ] 3 Feed the cat", "[ ] 4 Sleep"])
  }

  @Test(
    "what cannot be done is told in one line that names it, with an exit code of sysexits",
    arguments: [
      ("todo-phone", ["add", "  "], 65, "a title cannot be blank"),
      ("todo-phone", ["add", "fine", ""], 65, "a title cannot be blank"),
      ("todo-phone", ["edit", "1", " \t "], 65, "a title cannot be blank"),
      ("todo-phone", ["say", " "], 65, "a message cannot be blank"),
      ("todo-phone", ["pick", ""], 65, "what to pick cannot be blank"),
      ("todo-phone", ["pick", "🍎", "spanner"], 65, "spanner is no food or drink emoji; pick one such as 🍎 🍌"),
      ("todo-phone", ["pick", "🍎🍎"], 65, "🍎🍎 is no food or drink emoji"),
      ("todo-phone", ["pick"], 64, "what to pick is missing"),
      ("todo-phone", ["pick", "🍎", "--json"], 64, "--json does not go with pick"),
      ("todo-phone", ["say", "x", "--json"], 64, "--json does not go with say"),
      ("todo-phone", ["follow", "--json"], 64, "--json does not go with follow"),
      ("todo-phone", ["add"], 64, "a title is missing"),
      ("todo-phone", ["say"], 64, "what to say is missing"),
      ("todo-phone", ["edit"], 64, "the number of an item is missing"),
      ("todo-phone", ["edit", "1"], 64, "the title is missing"),
      ("todo-phone", ["remove"], 64, "the number of an item is missing"),
      ("todo-phone", ["remove", "one"], 64, "one is no number of an item; list shows the numbers"),
      ("todo-phone", ["undo", "1"], 64, "1 is one word too many"),
      ("todo-phone", [""], 64, "no command"),
      ("todo-phone", ["toggle", "9"], 66, "no item has the number 9; list shows the numbers"),
      ("todo-phone", ["toggle", "1", "9"], 66, "no item has the number 9"),
      ("todo-phone", ["edit", "9", "title"], 66, "no item has the number 9"),
      ("todo-phone", ["--", "remove", "-9"], 66, "no item has the number -9"),
      ("todo-phone", ["remove", "99999999999999999999"], 64, "99999999999999999999"),
      ("todo-phone", ["undo"], 66, "there is no removal to undo"),
      ("todo-phone", ["say", "Hello"], 69, "the watch is not reachable"),
      ("todo-phone", ["dance"], 64, "dance"),
      ("todo-phone", ["list", "more"], 64, "more"),
      ("todo-phone", ["--json"], 64, "--json"),
      ("todo-phone", [], 64, "no terminal"),
      ("todo-watch", ["toggle", "9"], 66, "no item has the number 9"),
      ("todo-watch", ["toggle", "1", "9"], 66, "no item has the number 9"),
      ("todo-watch", ["toggle"], 64, "number"),
      ("todo-watch", ["reply", "1"], 69, "the phone is not reachable"),
      ("todo-watch", ["reply", "5"], 64, "5"),
      ("todo-watch", ["reply", "Hello"], 64, "Hello"),
      ("todo-watch", ["dance"], 64, "dance"),
      ("todo-watch", ["reply"], 64, "the number of a reply is missing"),
      ("todo-watch", ["reply", "1", "2"], 64, "2 is one word too many"),
      ("todo-watch", ["groceries", "🍎"], 64, "🍎 is one word too many"),
      ("todo-watch", ["list", "--clear"], 64, "--clear does not go with list"),
      ("todo-watch", ["toggle", "1", "--json"], 64, "--json does not go with toggle"),
      ("todo-watch", ["reply", "1", "--json"], 64, "--json does not go with reply"),
      ("todo-watch", ["follow", "--clear"], 64, "--clear does not go with follow"),
      ("todo-watch", ["face", "--json"], 64, "--json does not go with face"),
      ("todo-watch", ["--clear"], 64, "--clear does not go with the screen"),
      ("todo-watch", [], 64, "no terminal"),
    ])
  func refusals(program: String, words: [String], code: Int32, line: String) throws {
    let pair = try Pair()
    try pair.phone("add", "Buy milk")
    let outcome = try pair.run(program, words)
    #expect(outcome.exit == .code(code))
    #expect(outcome.errorText.contains(line))
    #expect(outcome.text == "")
    #expect(outcome.errorText.hasPrefix("\(program): "))
    #expect(outcome.errors.filter { $0 == 0x0A }.count == 1)
    #expect(try pair.phone("list") == ["[ ] 1 Buy milk"], "nothing of it has been done")
    #expect(try pair.wormhole().outstandingTransfers().isEmpty)
  }

  @Test("a place where no wormhole can be is told in one line that names it", arguments: ["todo-phone", "todo-watch"])
  func badPlace(program: String) throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("a file".utf8, to: "file")
    let outcome = try HelperProcess.run(program, ["--directory", "\(file)/hole", "list"])
    #expect(outcome.exit == .code(73) || outcome.exit == .code(77))
    #expect(outcome.errorText.hasPrefix("\(program): \(file)"))
    #expect(outcome.errors.filter { $0 == 0x0A }.count == 1)
  }

  @Test(
    "with next to no open files a command ends with an error that says what to raise, and by no signal",
    arguments: 4...20)
  func fewOpenFiles(limit: Int) throws {
    let pair = try Pair()
    try pair.phone("add", "Buy milk")
    for (program, words) in [
      ("todo-phone", "add Sleep"), ("todo-phone", "say x"), ("todo-phone", "pick 🍎"), ("todo-watch", "list"),
      ("todo-watch", "toggle 1"), ("todo-watch", "groceries"), ("todo-watch", "face"), ("todo-phone", "--with-watch"),
    ] {
      let script =
        "ulimit -n \(limit); exec '\(try HelperProcess.path(of: program))' -d '\(pair.directory.path)' \(words)"
      let outcome = try HelperProcess.run("/bin/sh", ["-c", script])
      let isTold = outcome.exit == .code(74) && outcome.errorText.contains("ulimit -n")
      // What needs the other program may find room to see that it is not there.
      #expect(isTold || [.code(0), .code(69)].contains(outcome.exit), "\(words): \(outcome.exit) \(outcome.errorText)")
    }
  }

  @Test("a list that is none is told by its name, and left as it is")
  func damaged() throws {
    let pair = try Pair()
    try pair.wormhole().passMessage("no list", identifier: "toDoList")
    for words in [["list"], ["add", "x"], ["toggle", "1"]] {
      let outcome = try pair.run("todo-phone", words)
      #expect(outcome.exit == .code(65))
      #expect(outcome.errorText.contains("toDoList"))
    }
    #expect(try pair.wormhole().message(String.self, identifier: "toDoList") == "no list")
  }

  @Test("a toggle of a watch counts before the phone's next command, whatever that is")
  func toggles() throws {
    let pair = try Pair()
    try pair.phone("add", "Buy milk", "Call home", "Sleep")
    #expect(
      try pair.watch("toggle", "1", "2", "1") == (["1", "2", "1"].map { "\($0) toggled (waiting for the phone)" }))
    #expect(
      try pair.watch("list") == [
        "[ ] 1 Buy milk (waiting for the phone)", "[x] 2 Call home (waiting for the phone)", "[ ] 3 Sleep",
      ])
    #expect(try pair.phone("list") == ["[ ] 1 Buy milk", "[x] 2 Call home", "[ ] 3 Sleep"])
    #expect(try pair.watch("list") == ["[ ] 1 Buy milk", "[ ] 3 Sleep"])
    try pair.watch("toggle", "3")
    #expect(try pair.phone("toggle", "3") == ["[ ] 3 Sleep"])
    try pair.watch("toggle", "3")
    try pair.phone("remove", "3")
    #expect(try pair.phone("undo") == ["[x] 3 Sleep"])
  }

  @Test("a phone that is on applies the toggles before a command of another answers")
  func togglesWithPhone() throws {
    let pair = try Pair()
    try pair.phone("add", "Buy milk", "Call home")
    let phone = try pair.follow("todo-phone")
    try phone.see(line: "[ ] 2 Call home")
    let wormhole = try pair.wormhole()
    for round in 1...20 {
      // Sent without waiting, so that the phone has most of them still before it when the command begins.
      for _ in 0..<9 { try wormhole.transfer(WatchToggle(id: 1), identifier: "toDoToggles") }
      try wormhole.transfer(WatchToggle(id: 2), identifier: "toDoToggles")
      let isDone = !round.isMultiple(of: 2)
      #expect(try pair.phone("list") == ["[\(isDone ? "x" : " ")] 1 Buy milk", "[\(isDone ? "x" : " ")] 2 Call home"])
    }
    #expect(try pair.watch("toggle", "1") == ["1 toggled"])
  }

  @Test("a phone that was stopped with the toggles in its hands is named, and the command does its work all the same")
  func stoppedPhone() throws {
    let pair = try Pair()
    try pair.phone("add", "Buy milk")
    let phone = try pair.follow("todo-phone")
    try phone.see(line: "[ ] 1 Buy milk")
    try phone.process.stop()
    try pair.wormhole().transfer(WatchToggle(id: 1), identifier: "toDoToggles")
    let outcome = try pair.run("todo-phone", ["add", "Call home"])
    #expect(outcome.exit == .code(0))
    #expect(outcome.text == "[ ] 2 Call home\n")
    #expect(outcome.errorText == "todo-phone: 1 toggle is left: the phone that is on takes nothing; was it stopped?\n")
    phone.process.resume()
    #expect(try pair.phone("list") == ["[x] 1 Buy milk", "[ ] 2 Call home"])
  }

  @Test("groceries are printed newest first, what is none as a shrug, and are gone when they have been bought")
  func groceries() throws {
    let pair = try Pair()
    #expect(try pair.watch("groceries") == [])
    #expect(try pair.phone("pick", "🍎", "🍷") == ["🍎", "🍷"].map { "\($0) (waiting for the watch)" })
    #expect(try pair.run("todo-phone", ["pick", "🥕", "spanner"]).exit == .code(65), "and nothing of it is sent")
    try pair.wormhole().transfer("spanner", identifier: "toDoPicks")
    try pair.wormhole().transfer(42, identifier: "toDoPicks")
    #expect(try pair.watch("groceries") == [#"¯\_(ツ)_/¯"#, #"¯\_(ツ)_/¯"#, "🍷", "🍎"])
    let watch = try pair.follow("todo-watch")
    try watch.see { $0.contains { $0.hasPrefix("groceries:") } }
    #expect(try pair.phone("pick", "🥕") == ["🥕"])
    #expect(try pair.watch("groceries").first == "🥕", "also what a watch that is on was given a moment ago")
    #expect(try pair.watch("groceries", "--clear") == [])
    try watch.see { !$0.contains { $0.hasPrefix("groceries:") } }
  }

  @Test("many transfers are waited for as long as some are taken, and those that nobody takes are counted")
  func manyTransfers() throws {
    let pair = try Pair()
    let wormhole = try pair.wormhole()
    var transfers = try (0..<70).map { try wormhole.transfer(WatchToggle(id: $0), identifier: "toDoToggles") }
    var (waits, newest) = (0, Set<UInt64>())
    // Each wait ends because its time is over, as no wait takes the newest; some others are gone by then.
    let left = try Taking.left(of: transfers) { transfer throws(WormholeError) in
      waits += 1
      newest.insert(transfer.sequence)
      for taken in transfers.prefix(waits < 7 ? 10 : 0) { try taken.cancel() }
      transfers.removeFirst(waits < 7 ? 10 : 0)
    }
    #expect((left, waits) == (10, 7))
    #expect(newest == [70])
    for transfer in transfers { try transfer.cancel() }
    #expect(try Taking.left(of: transfers) { _ in } == 0)
  }
}
