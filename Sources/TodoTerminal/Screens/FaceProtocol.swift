import FoundationEssentials

/// What one program tells another that draws a watch's face for it, a line of JSON each; frames come back likewise.
package enum FaceInput: Codable, Hashable, Sendable {
  /// The face has this many lines and columns.
  case size(Size)
  /// A key for the watch.
  case key(Key)
  /// Whether the keys go to the watch.
  case hasKeys(Bool)

  /// The names that the kinds have in JSON.
  private enum CodingKeys: String, CodingKey {
    case size, key, hasKeys
  }

  /// Reads an object with one member that names the kind.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let size = try container.decodeIfPresent(Size.self, forKey: .size) {
      self = .size(size)
    } else if let hasKeys = try container.decodeIfPresent(Bool.self, forKey: .hasKeys) {
      self = .hasKeys(hasKeys)
    } else {
      self = .key(try container.decode(Key.self, forKey: .key))
    }
  }

  /// Writes an object with one member that names the kind.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .size(let size): try container.encode(size, forKey: .size)
    case .key(let key): try container.encode(key, forKey: .key)
    case .hasKeys(let hasKeys): try container.encode(hasKeys, forKey: .hasKeys)
    }
  }
}

/// Values as lines of JSON, and back.
package enum JSONLine {
  /// The line for a value, its line end included.
  package static func encoded(_ value: some Encodable) -> [UInt8] {
    // Values of this program's own types are always encodable; nothing at all is what is left if not.
    guard let data = try? JSONEncoder().encode(value) else { return [] }
    return Array(data) + [0x0A]
  }

  /// Takes whole lines out of `bytes` and returns the values in them; lines that are none are passed over.
  package static func takeAll<Value: Decodable>(_ type: Value.Type, from bytes: inout [UInt8]) -> [Value] {
    guard let end = bytes.lastIndex(of: 0x0A) else { return [] }
    let lines = bytes[..<end].split(separator: 0x0A)
    let values = lines.compactMap { try? JSONDecoder().decode(type, from: Data($0)) }
    bytes.removeFirst(end + 1)
    return values
  }
}
