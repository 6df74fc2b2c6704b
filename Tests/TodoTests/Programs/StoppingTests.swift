import Glibc
import TestSupport
import Testing

@Suite("Programs that are stopped", .ownThread)
struct StoppingTests {
  @Test("Control-Z where no shell could let the program go on leaves it at work", arguments: ["\u{1A}", "SIGTSTP"])
  func withoutShell(way: String) throws {
    let pair = try Pair()
    let phone = try ProgramInHand("todo-phone", on: pair.directory.path)
    try phone.see("nothing to do yet")
    if way == "SIGTSTP" { phone.process.send(SIGTSTP) } else { try phone.type(way) }
    try phone.see("the terminal given back and taken again") { image in
      image.timesLeft == 1 && image.isSecondScreen && image.lines.contains { $0.contains("nothing to do yet") }
    }
    try phone.type("Buy milk\r")
    try phone.see("☐ 1 Buy milk")
    let watch = try pair.follow("todo-watch")
    try watch.see("phone reachable", "[ ] 1 Buy milk")
  }

  @Test("a program stopped by Control-Z in a shell is not reachable, and is again when it goes on")
  func inShell() throws {
    let pair = try Pair()
    let watch = try pair.follow("todo-watch")
    let phone = try HelperProcess.path(of: "todo-phone")
    let shell = try ProgramInHand(shell: "set -m; '\(phone)' -d '\(pair.directory.path)'; read line; fg; echo left")
    try watch.see { $0.first == "phone reachable" }
    try shell.see("nothing to do yet")
    try shell.type("\u{1A}")
    try watch.see { $0.first == "phone not reachable" }
    try shell.see("the terminal given back") { !$0.isSecondScreen && $0.isCursorShown }
    try pair.phone("add", "Buy milk")
    try shell.type("\n")
    try watch.see("phone reachable", "[ ] 1 Buy milk")
    try shell.see("☐ 1 Buy milk")
    try shell.type("q")
    #expect(try shell.process.waitUntilExit() == .code(0))
    #expect(!shell.image.isSecondScreen)
  }
}
