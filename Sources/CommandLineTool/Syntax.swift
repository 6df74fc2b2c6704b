/// The command line of a tool: one table that both the parser and the help are made from.
package struct Syntax: Sendable {
  /// Options that belong together, under a title.
  package struct Section: Sendable {
    /// The title.
    let title: String
    /// The options.
    let options: [Option]

    /// A section of the help.
    package init(_ title: String, _ options: [Option]) {
      self.title = title
      self.options = options
    }
  }

  /// The name of the tool.
  package let program: String
  /// What may follow the name, a line for each way of use.
  let synopsis: [String]
  /// What the tool does.
  let summary: String
  /// Its options; those that all tools have are added.
  let sections: [Section]
  /// What else is to be known, a paragraph each.
  let notes: [String]

  /// The command line of the tool `program`; one that opens a wormhole gets the options that say which, `group` being
  /// how it describes the one for the group.
  package init(
    _ program: String, synopsis: [String], summary: String, sections: [Section], notes: [String],
    opensWormhole: Bool = true, group: Option = .group
  ) {
    self.program = program
    self.synopsis = synopsis
    self.summary = summary
    let wormhole = opensWormhole ? [Section("The wormhole:", [group, .optionalDirectory, .directory])] : []
    self.sections = sections + wormhole + [Section("The tool itself:", [.help, .version])]
    self.notes = notes
  }

  /// Every option.
  var options: [Option] { sections.flatMap(\.options) }

  /// The text of `--help`: no line is longer than 80 columns, all descriptions begin in the same one.
  package var help: String {
    var lines: [String] = []
    for (index, line) in synopsis.enumerated() {
      lines.append((index == 0 ? "Usage: " : "       ") + "\(program) \(line)")
    }
    lines += Self.wrap(summary, to: 80)
    for section in sections {
      lines += ["", section.title]
      let width = 80 - Self.column
      for option in section.options {
        let described = Self.wrap(option.help, to: width)
        let form = Self.form(of: option)
        var rest = described[...]
        // A form that leaves no room for two blanks stands alone on its line.
        if form.count + 2 <= Self.column, let first = rest.popFirst() {
          lines.append(form + String(repeating: " ", count: Self.column - form.count) + first)
        } else {
          lines.append(form)
        }
        lines += rest.map { String(repeating: " ", count: Self.column) + $0 }
      }
    }
    for note in notes { lines += [""] + Self.wrap(note, to: 80) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The column where descriptions begin.
  private static let column = 28

  /// An option as it is written.
  private static func form(of option: Option) -> String {
    (option.letter.map { "  -\($0), " } ?? "      ") + option.spelling + (option.argument.map { " \($0)" } ?? "")
  }

  /// The words of `text` in lines of at most `width` columns.
  private static func wrap(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
