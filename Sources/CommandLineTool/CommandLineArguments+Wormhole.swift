package import Wormhole

extension CommandLineArguments {
  /// Opens the wormhole that the command line names.
  package func openWormhole(origin: String? = nil) throws(ToolError) -> Wormhole {
    let options = WormholeOptions(origin: origin ?? program)
    let directory = try wormholeDirectory()
    return try calling { () throws(WormholeError) in try Wormhole(directory: directory, options: options) }
  }

  /// The wormhole that the command line names, to be looked at alone: nothing is made there, nor the directory itself.
  ///
  /// - Throws: 66 when there is no such directory.
  package func inspectedWormhole() throws(ToolError) -> Wormhole {
    guard let wormhole = try inspectWormhole() else { throw try missingWormhole() }
    return wormhole
  }

  /// Opens the wormhole that the command line names, nil when its directory is not there.
  package func openExistingWormhole() throws(ToolError) -> Wormhole? {
    try inspectWormhole() == nil ? nil : openWormhole()
  }

  /// The error of a wormhole whose directory is not there.
  package func missingWormhole() throws(ToolError) -> ToolError {
    ToolError(
      .noInput,
      "\(try wormholeDirectory()) is not there; the first program that sends or listens there makes it; check that all "
        + "name the same group and directory")
  }

  private func inspectWormhole() throws(ToolError) -> Wormhole? {
    let directory = try wormholeDirectory()
    return try calling { () throws(WormholeError) in try Wormhole(inspecting: directory) }
  }

  /// The directory of the wormhole that the command line names, be it there or not.
  package func wormholeDirectory() throws(ToolError) -> String {
    if let directory = try text(.directory) {
      try refuse([.group, .optionalDirectory], with: .directory)
      return directory
    }
    let group = try text(.group) ?? "group.wormhole"
    let optionalDirectory = try text(.optionalDirectory) ?? "wormhole"
    return try calling { () throws(WormholeError) in
      try GroupContainer.directory(group: group, optionalDirectory: optionalDirectory)
    }
  }
}
