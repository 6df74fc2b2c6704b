extension JSON {
  /// The text of a JSON string.
  package struct Text: Hashable, Sendable {
    /// Its UTF-8 bytes.
    package var text: [UInt8]
    /// Whether the string was text: false when it has half a surrogate pair, for which U+FFFD stands.
    package var isExact: Bool

    /// A text of these bytes.
    package init(text: [UInt8] = [], isExact: Bool = true) {
      self.text = text
      self.isExact = isExact
    }
  }

  /// The text of a string token, quotes included, that the scanner has accepted.
  package static func decodedString(_ token: UnsafeRawBufferPointer) -> Text {
    var result = Text()
    result.text.reserveCapacity(token.count)
    var position = 1
    let end = token.count - 1
    while position < end {
      let plain = position
      while position < end, token[position] != UInt8(ascii: "\\") { position += 1 }
      result.text.append(contentsOf: token[plain..<position])
      guard position + 1 < end else { break }
      let letter = token[position + 1]
      if letter != UInt8(ascii: "u") {
        result.text.append(meaning(ofEscape: letter))
        position += 2
        continue
      }
      let unit = codeUnit(token, position + 2)
      position += 6
      if unit & 0xF800 != 0xD800 {
        append(unit, to: &result.text)
      } else if unit < 0xDC00, position + 6 <= end, token[position] == UInt8(ascii: "\\"),
        token[position + 1] == UInt8(ascii: "u"), codeUnit(token, position + 2) & 0xFC00 == 0xDC00
      {
        append(0x10000 + (unit & 0x3FF) << 10 + (codeUnit(token, position + 2) & 0x3FF), to: &result.text)
        position += 6
      } else {
        append(0xFFFD, to: &result.text)
        result.isExact = false
      }
    }
    return result
  }

  /// The text of a value of `bytes` that is a string.
  package static func decodedString(_ bytes: [UInt8], _ range: Range<Int>) -> Text {
    bytes.withUnsafeBytes { decodedString(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  /// `text` as a JSON string in quotes, nil when it is not UTF-8.
  ///
  /// Only what must be is escaped: quotes, backslashes and control characters.
  package static func encodedString(_ text: some Collection<UInt8>) -> [UInt8]? {
    var string: [UInt8] = []
    string.reserveCapacity(text.count + 2)
    string.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): string += [UInt8(ascii: "\\"), byte]
      case 0x0A: string += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case 0x0D: string += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
      case 0x09: string += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
      case 0x00...0x1F:
        string += Array("\\u00".utf8)
        string += [hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 0xF)]
      default: string.append(byte)
      }
    }
    string.append(UInt8(ascii: "\""))
    // What was text is a valid string now; bytes that are not UTF-8 are found by the same rules as everywhere.
    guard (try? check(string)) != nil else { return nil }
    return string
  }

  /// The value of a hexadecimal digit, nil when it is none.
  static func hexadecimalValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// The digit of a value below 16.
  private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// The UTF-16 code unit of four digits.
  private static func codeUnit(_ token: UnsafeRawBufferPointer, _ position: Int) -> UInt32 {
    var unit: UInt32 = 0
    for index in position..<position + 4 { unit = unit << 4 | (hexadecimalValue(token[index]) ?? 0) }
    return unit
  }

  /// What a letter after a backslash stands for.
  private static func meaning(ofEscape letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }

  /// Appends the UTF-8 bytes of a scalar that is no surrogate.
  private static func append(_ value: UInt32, to text: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(value) else { return }
    text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }
}
