/// RFC 8259 read as plainly as can be, to compare the scanner with: recursive, on characters, without ranges or reasons.
struct PlainReading {
  private var rest: Substring.UnicodeScalarView

  /// Whether `bytes` are one JSON text.
  static func accepts(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    var reading = PlainReading(rest: Substring(text).unicodeScalars)
    return reading.blanks() && reading.value() && reading.blanks() && reading.rest.isEmpty
  }

  /// Skips blanks.
  private mutating func blanks() -> Bool {
    while let first = rest.first, " \t\r\n".unicodeScalars.contains(first) { rest.removeFirst() }
    return true
  }

  /// Takes `text` when it stands next.
  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.unicodeScalars) else { return false }
    rest.removeFirst(text.unicodeScalars.count)
    return true
  }

  /// Takes one of `letters` when it stands next.
  private mutating func take(oneOf letters: String) -> Bool {
    guard let first = rest.first, letters.unicodeScalars.contains(first) else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes a value.
  private mutating func value() -> Bool {
    if take("null") || take("true") || take("false") { return true }
    if rest.first == "\"" { return string() }
    if take("[") { return list(end: "]") { reading in reading.value() } }
    if take("{") {
      return list(end: "}") { reading in
        reading.string() && reading.blanks() && reading.take(":") && reading.blanks() && reading.value()
      }
    }
    return number()
  }

  /// Takes elements with commas between them, up to `end`.
  private mutating func list(end: String, element: (inout PlainReading) -> Bool) -> Bool {
    guard blanks(), !take(end) else { return true }
    while element(&self), blanks() {
      if take(end) { return true }
      guard take(","), blanks() else { return false }
    }
    return false
  }

  /// Takes a string.
  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    while !take("\"") {
      if take("\\") {
        if take(oneOf: "\"\\/bfnrt") { continue }
        guard take("u") else { return false }
        for _ in 0..<4 where !take(oneOf: "0123456789abcdefABCDEF") { return false }
      } else {
        guard let first = rest.first, first.value >= 0x20 else { return false }
        rest.removeFirst()
      }
    }
    return true
  }

  /// Takes a number.
  private mutating func number() -> Bool {
    _ = take("-")
    guard take("0") || digits() else { return false }
    if take("."), !digits() { return false }
    if take(oneOf: "eE") {
      _ = take(oneOf: "+-")
      return digits()
    }
    return true
  }

  /// Takes one or more digits.
  private mutating func digits() -> Bool {
    guard take(oneOf: "0123456789") else { return false }
    while take(oneOf: "0123456789") {}
    return true
  }
}
