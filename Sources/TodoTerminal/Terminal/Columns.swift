import CSystem
import Glibc

/// How many columns text takes on a terminal, and text made to take a given number of them.
package enum Columns {
  /// The most scalars of one character that reach the terminal; no writing system needs as many.
  private static let scalarLimit = 16

  /// Whether wcwidth(3) has been given a character set in which it knows all characters.
  private static let knowsUnicode = setlocale(LC_CTYPE, "C.UTF-8") != nil || setlocale(LC_CTYPE, "") != nil

  /// The columns of one scalar: 0 for combining marks, 2 for wide ones.
  package static func width(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x7F { return scalar.value < 0x20 ? 0 : 1 }
    _ = knowsUnicode
    if isControl(scalar) { return 0 }
    let width = Int(csystem_wcwidth(scalar.value))
    // What the C library does not know yet, a newer terminal may: emoji are wide, all else is narrow.
    return width >= 0 ? width : scalar.properties.isEmojiPresentation ? 2 : 1
  }

  /// The columns of one character as a person sees it.
  package static func width(of character: Character) -> Int {
    if let ascii = character.asciiValue { return ascii < 0x20 || ascii == 0x7F ? 0 : 1 }
    var width = 0
    var previous: Unicode.Scalar?
    for scalar in character.unicodeScalars {
      switch scalar.value {
      // A variation selector asks for the emoji, which is wide.
      case 0xFE0F: width = max(width, 2)
      // A skin tone colours what it follows.
      case 0x1F3FB...0x1F3FF where previous != nil: break
      // What is joined to something is drawn over it.
      case _ where previous == "\u{200D}": break
      default: width += Self.width(of: scalar)
      }
      previous = scalar
    }
    return width
  }

  /// The columns of text that is printable.
  package static func width(of text: String) -> Int { text.reduce(0) { $0 + width(of: $1) } }

  /// Whether terminals agree on the width of a character: one scalar, perhaps with combining marks.
  package static func isCertain(_ character: Character) -> Bool {
    if character.isASCII { return true }
    return character.unicodeScalars.dropFirst().allSatisfy {
      $0.value != 0xFE0F && $0.value != 0x200D && width(of: $0) == 0
    }
  }

  /// Returns the text without anything that would move a cursor or change a direction of writing.
  ///
  /// Control characters become a replacement character, formatting ones and marks with nothing to stand on go.
  package static func printable(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    var result = ""
    for character in text {
      let scalars = character.unicodeScalars.prefix(scalarLimit)
      if scalars.contains(where: movesCursor) {
        result.append("\u{FFFD}")
        continue
      }
      let kept = String(String.UnicodeScalarView(scalars.filter(isShown)))
      // What takes no column by itself would be drawn over what stands before it.
      if width(of: kept) > 0 { result += kept }
    }
    return result
  }

  /// Whether a scalar would do something else than show a shape.
  private static func movesCursor(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Whether a scalar is part of a shape: of those for formatting, only joiners and the tags of flags are.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory != .format || scalar == "\u{200D}" || (0xE0020...0xE007F).contains(scalar.value)
  }

  /// Returns the text cut to at most `columns`, the last of which is then an ellipsis.
  package static func truncated(_ text: String, to columns: Int) -> String {
    guard width(of: text) > columns else { return text }
    guard columns > 0 else { return "" }
    var result = ""
    var used = 0
    for character in text {
      let width = width(of: character)
      if used + width > columns - 1 { break }
      result.append(character)
      used += width
    }
    return result + "…"
  }

  /// Returns the lines that the text takes at a width, broken between words where it can be.
  package static func wrapped(_ text: String, to columns: Int) -> [String] {
    guard columns > 0 else { return [] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      let separator = line.isEmpty ? "" : " "
      if width(of: line) + separator.count + width(of: String(word)) <= columns {
        line += separator + word
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = ""
      for character in word {
        if width(of: line) + width(of: character) > columns, !line.isEmpty {
          lines.append(line)
          line = ""
        }
        line.append(character)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
