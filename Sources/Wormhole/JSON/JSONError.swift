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

  /// The place as an editor counts it, and the reason, as part of a line.
  ///
  /// Lines and columns count from 1; a column is a character of UTF-8, or a byte that is part of none.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - isLine: Whether the text is one line of a longer one, so that the column says it all.
  package func description(in bytes: [UInt8], isLine: Bool = false) -> String {
    let before = bytes.prefix(offset)
    let line = before.split(separator: 0x0A, omittingEmptySubsequences: false)
    let column = String(decoding: line.last ?? [], as: UTF8.self).unicodeScalars.count + 1
    return (isLine ? "" : "line \(line.count), ") + "column \(column): \(reason.rawValue)"
  }
}
