package import Wormhole

extension CommandLineArguments {
  /// Opens the wormhole that the command line names.
  package func openWormhole(origin: String? = nil) throws(ToolError) -> Wormhole {
    let options = WormholeOptions(origin: origin ?? program)
    let directory = try wormholeDirectory()
    return try calling { () throws(WormholeError) in try Wormhole(directory: directory, options: options) }
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
