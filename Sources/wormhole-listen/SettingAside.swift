import CommandLineTool
import Wormhole

/// `wormhole-listen --set-aside` and `--put-back`: transfers that stand in the way, and their return.
struct SettingAside {
  private let wormhole: Wormhole
  private let identifier: String
  private let subscriber: String?

  /// Reads what is meant from these arguments.
  init(_ arguments: CommandLineArguments) throws(ToolError) {
    identifier = try arguments.identifier(0)
    subscriber = try arguments.text(.subscriber)
    guard let wormhole = try arguments.openExistingWormhole() else { throw try arguments.missingWormhole() }
    self.wormhole = wormhole
  }

  /// Sets the transfer in front aside; 66 when there is none.
  func setAside() throws(ToolError) -> ExitCode {
    let isDone = try calling { () throws(WormholeError) in
      try wormhole.setAsideTransfer(identifier: identifier, subscriber: subscriber)
    }
    guard isDone else {
      throw ToolError(.noInput, "\(identifier) has no outstanding transfer in \(wormhole.directory)")
    }
    return .success
  }

  /// Puts back what was set aside; 66 when there is nothing.
  func putBack() throws(ToolError) -> ExitCode {
    let count = try calling { () throws(WormholeError) in
      try wormhole.putBackTransfers(identifier: identifier, subscriber: subscriber)
    }
    guard count > 0 else {
      throw ToolError(.noInput, "\(identifier) has no transfer that was set aside in \(wormhole.directory)")
    }
    return .success
  }
}
