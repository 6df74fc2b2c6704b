import CommandLineTool
import Wormhole

/// `wormhole-listen --read`: the stored message of one identifier.
struct Reading {
  private let arguments: CommandLineArguments
  private let output: StandardOutput
  private let formatter: MessageFormatter

  /// Reads for these arguments, prints to `output`.
  init(_ arguments: CommandLineArguments, _ output: StandardOutput) throws(ToolError) {
    self.arguments = arguments
    self.output = output
    formatter = try arguments.formatter()
  }

  /// Prints the message; 66 when there is none.
  func run() throws(ToolError) -> ExitCode {
    let identifier = try arguments.identifier(0)
    let wormhole = try arguments.inspectedWormhole()
    let message = try calling { () throws(WormholeError) in
      try wormhole.storedMessage(Payload.self, identifier: identifier)
    }
    guard let message else {
      throw ToolError(
        .noInput, "\(identifier) has no stored message in \(wormhole.directory); send one with wormhole-send")
    }
    try output.print(try formatter.line(of: .message(message)) ?? [])
    return .success
  }
}
