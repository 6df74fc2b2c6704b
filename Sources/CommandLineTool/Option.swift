/// An option of a tool: how it is written and what it does, for the parser and the help alike.
package struct Option: Hashable, Sendable {
  /// The letter after one hyphen, if it has one.
  package let letter: Character?
  /// The name after two hyphens.
  package let name: String
  /// What stands for its argument in the help, nil when it takes none.
  package let argument: String?
  /// What it does.
  package let help: String

  /// An option with a letter, unless it is nil, and a name.
  package init(_ letter: Character?, _ name: String, argument: String? = nil, help: String) {
    self.letter = letter
    self.name = name
    self.argument = argument
    self.help = help
  }

  /// An option with a name alone.
  package init(_ name: String, argument: String? = nil, help: String) {
    self.init(nil, name, argument: argument, help: help)
  }

  /// How the option is called in errors: its name with hyphens.
  package var spelling: String { "--\(name)" }

  /// Options are equal when their names are.
  package static func == (a: Option, b: Option) -> Bool { a.name == b.name }

  /// Hashes the name.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Option {
  /// `-g, --group GROUP`
  package static let group = Option(
    "g", "group", argument: "GROUP",
    help: "the application group: programs that name the same one meet (default: group.wormhole)")
  /// `--optional-directory NAME`
  package static let optionalDirectory = Option(
    "optional-directory", argument: "NAME", help: "the wormhole's directory in that of the group (default: wormhole)")
  /// `-d, --directory PATH`
  package static let directory = Option(
    "d", "directory", argument: "PATH", help: "the wormhole is exactly this directory, whatever the group")
  /// `-h, --help`
  package static let help = Option("h", "help", help: "print this help and end")
  /// `--version`
  package static let version = Option("version", help: "print the version and end")
}
