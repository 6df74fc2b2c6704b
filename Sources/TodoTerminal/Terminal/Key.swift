/// What a person did at the keyboard.
package enum Key: Codable, Hashable, Sendable {
  /// Typed characters: one, or several that arrived together.
  case text(String)
  /// Pasted text, which is never a command.
  case paste(String)
  /// A letter with the control key held, as its lower case letter.
  case control(Character)
  case up, down, left, right, home, end, pageUp, pageDown
  case `return`, tab, backTab, escape, backspace, delete

  /// The names that the kinds of key have in JSON.
  private enum CodingKeys: String, CodingKey {
    case text, paste, control, key
  }

  /// The keys without text, under their names.
  private static let named: [String: Key] = [
    "up": .up, "down": .down, "left": .left, "right": .right, "home": .home, "end": .end, "pageUp": .pageUp,
    "pageDown": .pageDown, "return": .return, "tab": .tab, "backTab": .backTab, "escape": .escape,
    "backspace": .backspace, "delete": .delete,
  ]

  /// Reads a key as `encode(to:)` writes it.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let text = try container.decodeIfPresent(String.self, forKey: .text) {
      self = .text(text)
    } else if let text = try container.decodeIfPresent(String.self, forKey: .paste) {
      self = .paste(text)
    } else if let letter = try container.decodeIfPresent(String.self, forKey: .control)?.first {
      self = .control(letter)
    } else if let key = Self.named[try container.decode(String.self, forKey: .key)] {
      self = key
    } else {
      throw DecodingError.dataCorruptedError(forKey: .key, in: container, debugDescription: "no key has this name")
    }
  }

  /// Writes an object with one member that names the kind: `{"text": "a"}`, `{"key": "up"}`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .text(let text): try container.encode(text, forKey: .text)
    case .paste(let text): try container.encode(text, forKey: .paste)
    case .control(let letter): try container.encode(String(letter), forKey: .control)
    default: try container.encode(Self.named.first { $0.value == self }?.key, forKey: .key)
    }
  }
}
