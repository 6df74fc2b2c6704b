import FoundationEssentials

/// The scalar values of a property list in XML.
enum XMLPropertyListValue {
  /// The JSON of the text in an element, nil when the element is unknown or the text is not its kind.
  static func json(of text: [UInt8], element: String) -> [UInt8]? {
    if element == "string" { return JSON.encodedString(text) }
    let compact = text.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    let word = String(decoding: compact, as: UTF8.self)
    switch element {
    case "integer": return integer(word)
    case "real": return real(compact, word)
    case "date": return isDate(compact) ? Array("\"\(word)\"".utf8) : nil
    case "data": return Data(base64Encoded: Data(compact)) == nil ? nil : Array("\"\(word)\"".utf8)
    default: return nil
    }
  }

  /// An integer of any length, or a hexadecimal one.
  private static func integer(_ word: String) -> [UInt8]? {
    let isNegative = word.hasPrefix("-")
    let digits = isNegative || word.hasPrefix("+") ? word.dropFirst() : word[...]
    var magnitude: Substring
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
      guard let value = UInt64(digits.dropFirst(2), radix: 16) else { return nil }
      magnitude = Substring(String(value))
    } else {
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      magnitude = digits.drop { $0 == "0" }
      if magnitude.isEmpty { magnitude = "0" }
    }
    return Array((isNegative && magnitude != "0" ? "-\(magnitude)" : String(magnitude)).utf8)
  }

  /// A real: as it is written when that is JSON, null when it is infinite or no number.
  private static func real(_ compact: [UInt8], _ word: String) -> [UInt8]? {
    guard
      let value = Double(word) ?? ["infinity", "+infinity", "-infinity", "nan"].firstIndex(of: word).map({ _ in .nan })
    else { return nil }
    guard value.isFinite else { return Array("null".utf8) }
    return (try? JSON.check(compact)) == nil ? Array("\(value)".utf8) : compact
  }

  /// Whether the text is `2025-01-31T12:34:56Z`.
  private static func isDate(_ text: [UInt8]) -> Bool {
    let pattern = Array("0000-00-00T00:00:00Z".utf8)
    return text.count == pattern.count
      && zip(text, pattern).allSatisfy { $1 == UInt8(ascii: "0") ? (0x30...0x39).contains($0) : $0 == $1 }
  }
}
