package import CommandLineTool
import FoundationEssentials
import TodoModel
import Wormhole

/// The commands of a program: each changes or sends something at one end of the wormhole, prints what became of it, and
/// ends.
package struct Commands<Store: Sendable> {
  /// The end of the wormhole.
  let store: Store
  /// The command line.
  let arguments: CommandLineArguments
  /// Where to print.
  let output: StandardOutput

  /// The commands at one end of a wormhole.
  package init(_ store: Store, _ arguments: CommandLineArguments, _ output: StandardOutput) {
    self.store = store
    self.arguments = arguments
    self.output = output
  }

  /// The refusal of a command that there is not.
  func noCommand(_ name: String) -> ToolError { .usage("no command is called \(name); see --help") }

  /// Sends what the other program must be there for, and returns once that has taken it.
  func deliver(
    to other: String, again: String, _ body: @escaping @Sendable () async throws(WormholeError) -> Void
  ) throws(ToolError) {
    let isDelivered: Bool?
    do throws(WormholeError) {
      isDelivered = try Awaiting.value { () throws(WormholeError) in
        try await body()
        return true
      }
    } catch {
      let remedy = error.code == .notReachable ? ": start todo-\(other), then \(again) again" : ""
      throw ToolError(ExitCode(error.code), error.inChat(other: other) + remedy)
    }
    guard isDelivered == true else { throw ToolError(.timedOut, "the \(other) did not answer in time") }
  }

  /// Takes what waits for this program, and remarks on what is left.
  func take(
    _ what: String, of syntax: Syntax, _ body: () throws(WormholeError) -> Int
  ) throws(ToolError) {
    let left = try calling(body)
    if left == 0 { return }
    let remark = "\(left) \(what)\(left == 1 ? " is" : "s are") left: the "
    let name = syntax.program.split(separator: "-").last ?? ""
    StandardError.report(syntax.program, remark + "\(name) that is on takes nothing; was it stopped?")
  }

  /// Prints items, a line each, or one array of JSON.
  func print<Item: Encodable>(_ items: [Item], line: (Item) -> String) throws(ToolError) {
    guard arguments.has(.json) else { return try output.print(items.map { line($0) + "\n" }.joined().utf8) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try attempting { try encoder.encode(items) }
    try output.print(Array(data) + [0x0A])
  }
}

extension TodoError {
  /// How a program ends over this.
  var exitCode: ExitCode {
    switch self {
    case .blank: .badData
    case .unknownItem, .nothingToUndo: .noInput
    case .noNumberLeft: .failed
    }
  }
}
