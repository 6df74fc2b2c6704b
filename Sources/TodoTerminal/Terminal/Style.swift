/// How text looks, as far as a terminal can show it.
package struct Style: Codable, Hashable, Sendable {
  /// The colours used: those that every terminal with colours has, in the shades that its user chose.
  package enum Color: Int, Codable, Hashable, Sendable {
    case red = 31
    case green, yellow, blue, magenta, cyan
  }

  /// What a terminal can do to text besides colouring it; the number is the one that switches it on.
  package enum Attribute: Int, Codable, Hashable, Sendable {
    case bold = 1
    case dim = 2
    case underlined = 4
    case reversed = 7
    case struck = 9
  }

  /// The colour, nil for the terminal's own.
  package var color: Color?
  /// The attributes.
  package var attributes: Set<Attribute>

  /// A style.
  package init(_ color: Color? = nil, _ attributes: Set<Attribute> = []) {
    self.color = color
    self.attributes = attributes
  }

  package static let plain = Style()
  package static let bold = Style(nil, [.bold])
  package static let dim = Style(nil, [.dim])
  package static let reversed = Style(nil, [.reversed])

  /// This style with another attribute.
  package func with(_ attribute: Attribute) -> Style { Style(color, attributes.union([attribute])) }

  /// The sequence that makes a terminal write in this style, whatever it wrote in before; see ECMA-48, SGR.
  package func sequence(withColor: Bool) -> String {
    var numbers = [0] + attributes.map(\.rawValue).sorted()
    if withColor, let color { numbers.append(color.rawValue) }
    return "\u{1B}[" + numbers.map(String.init).joined(separator: ";") + "m"
  }
}

/// A line of text in parts that each have a style.
package struct StyledLine: Codable, Hashable, Sendable {
  /// Text in one style.
  package struct Span: Codable, Hashable, Sendable {
    /// The text, printable.
    package var text: String
    /// How it looks.
    package var style: Style
  }

  /// The parts, from the left.
  package private(set) var spans: [Span] = []

  /// A line of text in one style; what is not printable in it is made so.
  package init(_ text: String = "", _ style: Style = .plain) { append(text, style) }

  /// The columns that the line takes.
  package var width: Int { spans.reduce(0) { $0 + Columns.width(of: $1.text) } }

  /// The text without styles, without blanks at the end.
  package var text: String {
    let text = spans.map(\.text).joined()
    return String(text.prefix(text.count - text.reversed().prefix { $0 == " " }.count))
  }

  /// Adds text at the right end.
  package mutating func append(_ text: String, _ style: Style = .plain) {
    let text = Columns.printable(text)
    if !text.isEmpty { spans.append(Span(text: text, style: style)) }
  }

  /// Two lines, one after the other.
  package static func + (a: StyledLine, b: StyledLine) -> StyledLine {
    var line = a
    line.spans += b.spans
    return line
  }

  /// The line cut and filled with blanks to exactly `columns`; the blanks look like its last part if `extended`.
  package func fitted(to columns: Int, extended: Bool = false) -> StyledLine {
    var line = StyledLine()
    var left = columns
    for span in spans {
      let width = Columns.width(of: span.text)
      let isLast = width > left
      let text = isLast ? Columns.truncated(span.text, to: left) : span.text
      line.append(text, span.style)
      left -= Columns.width(of: text)
      if isLast { break }
    }
    if left > 0 {
      line.append(String(repeating: " ", count: left), extended ? line.spans.last?.style ?? .plain : .plain)
    }
    return line
  }

  /// A line of exactly `columns` with `right` at its right end, which goes first when there is no room for both.
  package static func justified(_ left: StyledLine, _ right: StyledLine, to columns: Int) -> StyledLine {
    let room = columns - right.width
    guard room > left.width else { return left.fitted(to: columns) }
    return left.fitted(to: room) + right
  }

  /// The line with an attribute added to all its parts.
  package func with(_ attribute: Style.Attribute) -> StyledLine {
    var line = StyledLine()
    for span in spans { line.append(span.text, span.style.with(attribute)) }
    return line
  }
}
