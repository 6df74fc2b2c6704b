/// Makes keys of the bytes that a terminal sends; what is cut off in the middle waits for the rest.
package struct KeyDecoder {
  /// The most bytes of one paste that are kept.
  package static let pasteLimit = 64 << 10
  /// The most bytes an escape sequence may have before it is taken for garbage.
  private static let sequenceLimit = 64
  /// What ends a bracketed paste.
  private static let pasteEnd: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

  private var pending: [UInt8] = []
  private var pasted: [UInt8]?

  /// Makes a decoder that has seen nothing.
  package init() {}

  /// Whether bytes wait that may be a key by themselves: a lone escape, told from a sequence only by time.
  package var isWaiting: Bool { !pending.isEmpty && pasted == nil }

  /// Takes bytes and returns the keys that they complete.
  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    while let key = next() {
      // Characters that arrived together are one text, so that a title can be told from a command.
      if case .text(let more) = key, case .text(let text)? = keys.last {
        keys[keys.count - 1] = .text(text + more)
      } else {
        keys.append(key)
      }
    }
    return keys.filter { $0 != .text("") }
  }

  /// Returns the keys in what waits, since nothing has followed it for a while.
  package mutating func flush() -> [Key] {
    guard isWaiting else { return [] }
    let isEscape = pending[0] == 0x1B
    let rest = pending.dropFirst()
    pending = []
    // A cut off character or sequence says nothing; an escape is a key.
    return isEscape && rest.isEmpty ? [.escape] : []
  }

  /// Takes the next key from what waits, `.text("")` for bytes that mean nothing, nil when more are needed.
  private mutating func next() -> Key? {
    if pasted != nil { return nextOfPaste() }
    guard let first = pending.first else { return nil }
    switch first {
    case 0x1B: return nextOfSequence()
    case 0x0D, 0x0A: return take(1, .return)
    case 0x09: return take(1, .tab)
    case 0x7F, 0x08: return take(1, .backspace)
    case 0x01...0x1A: return take(1, .control(Character(UnicodeScalar(first + 0x60))))
    case 0x00..<0x20: return take(1, .text(""))
    case 0x20..<0x7F: return take(1, .text(String(UnicodeScalar(first))))
    default: return nextOfCharacter()
    }
  }

  /// Drops `count` bytes and returns the key that they stand for.
  private mutating func take(_ count: Int, _ key: Key) -> Key {
    pending.removeFirst(min(count, pending.count))
    return key
  }

  /// Takes one character of more than one byte of UTF-8.
  private mutating func nextOfCharacter() -> Key? {
    let length =
      switch pending[0] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    let bytes = pending.prefix(length)
    // Bytes that cannot become a character are dropped one by one, until something begins again.
    guard length > 1, bytes.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) else { return take(1, .text("")) }
    guard bytes.count == length else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains(where: isControl) else {
      return take(1, .text(""))
    }
    return take(length, .text(text))
  }

  /// Takes an escape sequence, or the escape key when what follows is none.
  private mutating func nextOfSequence() -> Key? {
    guard pending.count > 1 else { return nil }
    switch pending[1] {
    case UInt8(ascii: "O"):
      guard pending.count > 2 else { return nil }
      return take(3, Self.key(final: pending[2], parameter: "") ?? .text(""))
    case UInt8(ascii: "["):
      // The function keys of the Linux console: ESC [ [ A.
      if pending.count > 2, pending[2] == UInt8(ascii: "[") {
        return pending.count > 3 ? take(4, .text("")) : nil
      }
      guard let end = pending.dropFirst(2).firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
        return pending.count > Self.sequenceLimit ? take(pending.count, .text("")) : nil
      }
      // What is no final byte begins something else.
      guard (0x40...0x7E).contains(pending[end]) else { return take(end, .text("")) }
      let parameters = String(decoding: pending[2..<end], as: UTF8.self)
      let parameter = String(parameters.prefix { $0 != ";" })
      let final = pending[end]
      if final == UInt8(ascii: "~"), parameter == "200" {
        pasted = []
        return take(end + 1, .text(""))
      }
      return take(end + 1, Self.key(final: final, parameter: parameter) ?? .text(""))
    default:
      return take(1, .escape)
    }
  }

  /// The key that a sequence stands for, nil when it is none of those used here.
  private static func key(final: UInt8, parameter: String) -> Key? {
    switch (UnicodeScalar(final), parameter) {
    case ("A", _): .up
    case ("B", _): .down
    case ("C", _): .right
    case ("D", _): .left
    case ("H", _), ("~", "1"), ("~", "7"): .home
    case ("F", _), ("~", "4"), ("~", "8"): .end
    case ("Z", _): .backTab
    case ("M", ""): .return
    case ("~", "3"): .delete
    case ("~", "5"): .pageUp
    case ("~", "6"): .pageDown
    default: nil
    }
  }

  /// Takes pasted bytes up to the end of the paste; beyond the limit they are dropped.
  private mutating func nextOfPaste() -> Key? {
    guard var paste = pasted else { return nil }
    let end = pending.firstRange(of: Self.pasteEnd)
    // Without the end, the last bytes may be its beginning.
    let upTo = end?.lowerBound ?? max(0, pending.count - (Self.pasteEnd.count - 1))
    paste += pending.prefix(upTo).prefix(max(0, Self.pasteLimit - paste.count))
    pending.removeFirst(end?.upperBound ?? upTo)
    pasted = end == nil ? paste : nil
    return end == nil ? nil : .paste(String(decoding: paste, as: UTF8.self))
  }
}

/// Whether a scalar is a control character, which never reaches a text or a screen.
package func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }
