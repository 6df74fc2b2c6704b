/// Where and why bytes are not a JSON text.
package struct JSONError: Error, Hashable, CustomStringConvertible {
  /// How many bytes stand before the place.
  package let offset: Int
  /// What is wrong there, in a few words.
  package let reason: Reason

  /// The error `reason` behind `offset` bytes.
  package init(offset: Int, reason: Reason) {
    self.offset = offset
    self.reason = reason
  }

  /// What can be wrong with a JSON text.
  package enum Reason: String, Sendable {
    case empty = "there is no value"
    case byteOrderMark = "a byte order mark is not JSON"
    case valueExpected = "a value is expected"
    case nameExpected = "a member name in quotes is expected"
    case nameOrEndExpected = "a member name in quotes or } is expected"
    case valueOrEndExpected = "a value or ] is expected"
    case colonExpected = "a colon is expected"
    case commaOrBraceExpected = "a comma or } is expected"
    case commaOrBracketExpected = "a comma or ] is expected"
    case endExpected = "something follows the value"
    case endsEarly = "the text ends too early"
    case unknownWord = "only true, false and null are words"
    case leadingZero = "a number has no leading zero"
    case digitExpected = "a digit is expected"
    case controlCharacter = "a control character in a string must be escaped"
    case unknownEscape = "no such escape"
    case hexadecimalDigitExpected = "four hexadecimal digits are expected"
    case invalidUTF8 = "the bytes are not UTF-8"
  }

  /// The place and the reason, as part of a line.
  package var description: String { "byte \(offset): \(reason.rawValue)" }

  /// The place as an editor of `text` names it, and the reason: by the column alone where the text is one line.
  ///
  /// A column is a character, not a byte; one that is no UTF-8 counts by what could begin a character.
  package func description(in text: [UInt8]) -> String {
    let before = text.prefix(offset)
    let lineEnd = UInt8(ascii: "\n")
    let start = before.lastIndex(of: lineEnd).map { $0 + 1 } ?? 0
    let column = before[start...].count { !UTF8.isContinuation($0) } + 1
    // A line end at the end of the text begins no second line.
    guard text.dropLast().contains(lineEnd) else { return "column \(column): \(reason.rawValue)" }
    return "line \(before.count { $0 == lineEnd } + 1), column \(column): \(reason.rawValue)"
  }
}
