/// Text brought into the shape that titles and chat messages have: one line, no blanks around it.
public enum Line {
  /// Returns the text as one line: control characters and line breaks become blanks, blanks at both ends go.
  ///
  /// Throws `TodoError.blank` naming `what` when nothing is left.
  public static func cleaned(_ text: String, what: String) throws(TodoError) -> String {
    var line = ""
    for character in text {
      let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
      line.append(isControl || character.isNewline ? " " : character)
    }
    let start = line.firstIndex { !isBlank($0) } ?? line.endIndex
    let end = line.lastIndex { !isBlank($0) }.map(line.index(after:)) ?? line.endIndex
    guard start < end else { throw .blank(what: what) }
    return String(line[start..<end])
  }

  /// Whether a character shows nothing: white space, or one made only of scalars that have no shape.
  private static func isBlank(_ character: Character) -> Bool {
    character.isWhitespace
      || character.unicodeScalars.allSatisfy {
        $0.properties.isDefaultIgnorableCodePoint || $0.properties.isWhitespace
      }
  }
}
