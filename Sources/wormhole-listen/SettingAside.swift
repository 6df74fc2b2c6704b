import CommandLineTool
import Wormhole

/// `wormhole-listen --set-aside`, `--put-back` and `--forget`: transfers that stand in the way, their return, and
/// subscribers that never come again.
struct SettingAside {
  private let wormhole: Wormhole
  private let identifier: String
  private let subscriber: String?
  private let output: StandardOutput

  /// Reads what is meant from these arguments, prints to `output`.
  init(_ arguments: CommandLineArguments, _ output: StandardOutput) throws(ToolError) {
    self.output = output
    identifier = try arguments.identifier(0)
    subscriber = try arguments.text(.subscriber)
    guard let wormhole = try arguments.openExistingWormhole() else { throw try arguments.missingWormhole() }
    self.wormhole = wormhole
  }

  /// Sets the transfer in front aside, and says so; 66 when there is none.
  func setAside() throws(ToolError) -> ExitCode {
    let isDone = try calling { () throws(WormholeError) in
      try wormhole.setAsideTransfer(identifier: identifier, subscriber: subscriber)
    }
    guard isDone else {
      throw ToolError(.noInput, "\(identifier) has no outstanding transfer in \(wormhole.directory)")
    }
    try output.print("1 set aside\n".utf8)
    return .success
  }

  /// Puts back what was set aside, and says how many; 66 when there is nothing.
  func putBack() throws(ToolError) -> ExitCode {
    let count = try calling { () throws(WormholeError) in
      try wormhole.putBackTransfers(identifier: identifier, subscriber: subscriber)
    }
    guard count > 0 else {
      throw ToolError(.noInput, "\(identifier) has no transfer that was set aside in \(wormhole.directory)")
    }
    try output.print("\(count) put back\n".utf8)
    return .success
  }

  /// Gives up the subscriber's place; 66 when it has none, 75 while it is receiving.
  func forget() throws(ToolError) -> ExitCode {
    let name = subscriber ?? ""
    let removal = try calling { () throws(WormholeError) in
      try wormhole.forgetSubscriber(name, identifier: identifier)
    }
    switch removal {
    case .removed: break
    case .absent: throw ToolError(.noInput, "\(identifier) has no subscriber \(name) in \(wormhole.directory)")
    case .receiving:
      throw ToolError(.timedOut, "subscriber \(name) of \(identifier) is receiving; end it first")
    }
    try output.print("1 forgotten\n".utf8)
    return .success
  }
}
