package import CommandLineTool
import TodoModel
import Wormhole

/// The watch's commands.
extension Commands<WatchStore> {
  /// Runs the command that the arguments name.
  package func run() throws(ToolError) -> ExitCode {
    let name = try arguments.operand(0)
    if name != "groceries" { try arguments.refuse(.clear, name) }
    if ["toggle", "reply"].contains(name) { try arguments.refuse(.json, name) }
    switch name {
    case "list":
      try arguments.refuseMore(than: 1)
      try list()
    case "toggle": try toggle(try arguments.numbers(from: 1))
    case "reply":
      let text = try arguments.operands(from: 1, what: "the number of a reply")[0]
      try arguments.refuseMore(than: 2)
      guard let reply = Int(text).flatMap(QuickReply.init(rawValue:)) else {
        throw .usage("\(text) is no reply: 1 Hello, 2 Thank you, 3 How are you?, 4 I hear you")
      }
      try self.reply(reply)
    case "groceries":
      try arguments.refuseMore(than: 1)
      try groceries()
    default: throw noCommand(name)
    }
    return .success
  }

  /// Prints what is not done, with the toggles that wait for the phone.
  private func list() throws(ToolError) {
    let rows = try attempting {
      try Awaiting.value { [store] () throws(WormholeError) in try await store.list() }?.rows ?? []
    }
    try print(rows) { $0.line }
  }

  /// Sends toggles, and waits for a phone that is on to apply them.
  private func toggle(_ ids: [Int]) throws(ToolError) {
    try attempting {
      for id in ids where try !store.knows(id) { throw TodoError.unknownItem(id: id) }
      let toggles = try ids.map { try store.toggle($0) }
      let left = try store.phoneIsReachable() ? try Taking.left(of: toggles) : toggles.count
      for (place, id) in ids.enumerated() {
        let remark = place < ids.count - left ? "" : " (waiting for the phone)"
        try output.write("\(id) toggled\(remark)\n".utf8)
      }
    }
  }

  /// Sends a reply.
  private func reply(_ reply: QuickReply) throws(ToolError) {
    try deliver(to: "phone", again: "reply") { [store] () throws(WormholeError) in try await store.reply(reply) }
    try output.print("\(reply.text): delivered\n".utf8)
  }

  /// Prints the groceries, the newest first, after taking those that wait for a watch.
  private func groceries() throws(ToolError) {
    try take("pick", of: .todoWatch) { () throws(WormholeError) in try store.takePicks() }
    let shown = try attempting {
      if arguments.has(.clear) { try store.clearGroceries() }
      return try store.groceries().shown
    }
    try print(shown) { $0 }
  }
}
