extension JSONScanner {
  /// Skips a number of any length.
  mutating func skipNumber() throws(JSONError) {
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    if position < bytes.count, bytes[position] == UInt8(ascii: "0") {
      position += 1
      if position < bytes.count, isDigit(bytes[position]) { throw error(.leadingZero) }
    } else {
      try skipDigits()
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      try skipDigits()
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
        position += 1
      }
      try skipDigits()
    }
  }

  /// Skips one or more digits.
  private mutating func skipDigits() throws(JSONError) {
    guard position < bytes.count else { throw error(.endsEarly) }
    guard isDigit(bytes[position]) else { throw error(.digitExpected) }
    while position < bytes.count, isDigit(bytes[position]) { position += 1 }
  }

  /// Whether a byte is one of 0 to 9.
  private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
