package import CommandLineTool
import TodoModel
import Wormhole

/// The phone's commands.
extension Commands<PhoneStore> {
  /// Runs the command that the arguments name.
  package func run() throws(ToolError) -> ExitCode {
    let name = try arguments.operand(0)
    if ["say", "pick"].contains(name) { try arguments.refuse(.json, name) }
    switch name {
    case "list":
      try arguments.refuseMore(than: 1)
      try takeToggles()
      try show(try attempting { try store.list().items })
    case "add":
      let titles = try arguments.operands(from: 1, what: "a title")
      try change { list in try titles.map { try list.add($0) } }
    case "toggle":
      let ids = try arguments.numbers(from: 1)
      try change { list in try ids.map { try list.toggle($0) } }
    case "edit":
      let words = try arguments.operands(from: 1, what: "the number of an item")
      let id = try CommandLineArguments.number(words[0])
      guard words.count > 1 else { throw .usage("the title is missing; see --help") }
      try change { list in [try list.edit(id, title: words.dropFirst().joined(separator: " "))] }
    case "remove":
      let ids = try arguments.numbers(from: 1)
      try change { list in try ids.map { try list.remove($0) } }
    case "undo":
      try arguments.refuseMore(than: 1)
      try change { list in [try list.undoRemoval()] }
    case "say": try say(try arguments.operands(from: 1, what: "what to say").joined(separator: " "))
    case "pick": try pick(try arguments.operands(from: 1, what: "what to pick"))
    default: throw noCommand(name)
    }
    return .success
  }

  /// Changes the list and prints the items that were changed.
  private func change(_ body: @escaping (inout TodoList) throws -> [TodoItem]) throws(ToolError) {
    try takeToggles()
    try show(try attempting { try store.change(body) })
  }

  /// Sees to it that the toggles that wait for a phone are applied.
  ///
  /// A command is a phone that is on for a moment: what watches sent before it was started counts before what it does.
  private func takeToggles() throws(ToolError) {
    try take("toggle", of: .todoPhone) { () throws(WormholeError) in try store.takeToggles() }
  }

  /// Sends a line of chat.
  private func say(_ text: String) throws(ToolError) {
    let line = try attempting { try Line.cleaned(text, what: "a message") }
    try deliver(to: "watch", again: "say it") { [store] () throws(WormholeError) in try await store.say(line) }
    try output.print("delivered\n".utf8)
  }

  /// Picks groceries, unless one of them is none: a watch would show it as something that it does not understand.
  private func pick(_ entries: [String]) throws(ToolError) {
    try attempting {
      let entries = try entries.map { try Line.cleaned($0, what: "what to pick") }
      if let entry = entries.first(where: { !Grocery.isUnderstood($0) }) {
        throw ToolError(
          .badData, "\(entry) is no food or drink emoji; pick one such as \(Grocery.row.joined(separator: " "))")
      }
      for entry in entries { try store.pick(entry) }
      let remark = try store.watchIsReachable() ? "" : " (waiting for the watch)"
      for entry in entries { try output.write("\(entry)\(remark)\n".utf8) }
    }
  }

  /// Prints items.
  private func show(_ items: [TodoItem]) throws(ToolError) { try print(items) { $0.line } }
}
