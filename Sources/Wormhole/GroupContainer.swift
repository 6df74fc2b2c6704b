/// Where the wormholes of an application group lie.
package enum GroupContainer {
  /// The directory of a wormhole by its group and its place within the group's directory.
  ///
  /// - Throws: `.invalidGroup` when a name is no directory's or no home directory is known.
  package static func directory(group: String, optionalDirectory: String?) throws(WormholeError) -> String {
    try check(group, what: "application group identifier")
    var path = try root() + "/" + group
    for part in (optionalDirectory ?? "").split(separator: "/") {
      try check(String(part), what: "optional directory")
      path += "/" + part
    }
    return path
  }

  /// The directory that holds the groups.
  static func root() throws(WormholeError) -> String {
    if let home = Program.environment("WORMHOLE_HOME") { return home }
    if let state = Program.environment("XDG_STATE_HOME") { return state + "/wormhole" }
    if let home = Program.homeDirectory { return home + "/.local/state/wormhole" }
    throw WormholeError(
      .invalidGroup, reason: "no home directory is known; set HOME or WORMHOLE_HOME to a directory for the wormholes")
  }

  private static func check(_ name: String, what: String) throws(WormholeError) {
    // A leading point would hide the directory, and `.` and `..` would lead out of it.
    guard !name.isEmpty, !name.hasPrefix("."), !name.utf8.contains(0), !name.utf8.contains(UInt8(ascii: "/")),
      name.utf8.count <= 255
    else {
      throw WormholeError(
        .invalidGroup,
        reason:
          "\(what) \"\(name)\" is no name of a directory; use one such as group.com.example.todo, without / and not starting with a point"
      )
    }
  }
}
