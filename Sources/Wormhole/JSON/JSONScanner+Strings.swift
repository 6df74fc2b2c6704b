extension JSONScanner {
  /// Skips a string, from its quote to behind its end quote.
  mutating func skipString() throws(JSONError) {
    position += 1
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return
      case UInt8(ascii: "\\"): try skipEscape()
      case 0x00...0x1F: throw error(.controlCharacter)
      case 0x20...0x7F: position += 1
      default: position += try lengthOfCharacter()
      }
    }
    throw error(.endsEarly)
  }

  /// Skips a backslash and what belongs to it.
  private mutating func skipEscape() throws(JSONError) {
    guard position + 1 < bytes.count else { throw JSONError(offset: bytes.count, reason: .endsEarly) }
    switch bytes[position + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
    case UInt8(ascii: "u"):
      position += 2
      for _ in 0..<4 {
        guard position < bytes.count else { throw error(.endsEarly) }
        guard JSON.hexadecimalValue(bytes[position]) != nil else { throw error(.hexadecimalDigitExpected) }
        position += 1
      }
    default: throw error(.unknownEscape)
    }
  }

  /// How many bytes the character of several bytes at the position has; Unicode table 3-7 of well-formed sequences.
  private func lengthOfCharacter() throws(JSONError) -> Int {
    let (length, second): (Int, ClosedRange<UInt8>)
    switch bytes[position] {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw error(.invalidUTF8)
    }
    guard position + length <= bytes.count, second.contains(bytes[position + 1]) else { throw error(.invalidUTF8) }
    for index in 2..<max(2, length) where bytes[position + index] & 0xC0 != 0x80 { throw error(.invalidUTF8) }
    return length
  }
}
