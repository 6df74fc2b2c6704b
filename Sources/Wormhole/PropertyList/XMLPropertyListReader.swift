import FoundationEssentials

/// Reads a property list in XML, in UTF-8.
///
/// It knows what such lists consist of: the elements of the format, comments, CDATA, the predefined entities and
/// character references. A document type that declares entities is refused.
struct XMLPropertyListReader {
  /// An array or dictionary that is open.
  private struct Frame {
    let isDictionary: Bool
    var isEmpty = true
    var hasKey = false
  }

  private let bytes: [UInt8]
  private let limit: Int
  private var position = 0
  private var json: [UInt8] = []
  private var frames: [Frame] = []

  /// A reader of `bytes`.
  init(_ bytes: [UInt8], limit: Int) {
    self.bytes = bytes
    self.limit = limit
  }

  /// The JSON of the list, nil when it is none.
  mutating func read() -> [UInt8]? {
    _ = take("\u{FEFF}")
    guard skipMisc(), let root = tag(), root.name == "plist", !root.isEnd, !root.isEmpty else { return nil }
    repeat {
      guard skipMisc(), let tag = tag(), element(tag), json.count <= limit else { return nil }
    } while !frames.isEmpty
    guard skipMisc(), let end = tag(), end.name == "plist", end.isEnd, skipMisc(), position == bytes.count else {
      return nil
    }
    return json
  }

  /// A tag: its name, and whether it ends an element or is an empty one.
  private struct Tag {
    var name: String
    var isEnd: Bool
    var isEmpty: Bool
  }

  /// Reads what belongs to a tag inside the list; false when it cannot be there.
  private mutating func element(_ tag: Tag) -> Bool {
    if tag.isEnd {
      guard let frame = frames.popLast(), tag.name == (frame.isDictionary ? "dict" : "array"), !frame.hasKey else {
        return false
      }
      json.append(frame.isDictionary ? UInt8(ascii: "}") : UInt8(ascii: "]"))
      return true
    }
    if tag.name == "key" { return key(tag) }
    guard separate() else { return false }
    switch tag.name {
    case "dict", "array":
      let isDictionary = tag.name == "dict"
      json.append(isDictionary ? UInt8(ascii: "{") : UInt8(ascii: "["))
      frames.append(Frame(isDictionary: isDictionary))
      guard frames.count <= PropertyList.depthLimit else { return false }
      return tag.isEmpty ? element(Tag(name: tag.name, isEnd: true, isEmpty: false)) : true
    case "true", "false":
      guard let text = content(tag), text.isEmpty else { return false }
      json += Array(tag.name.utf8)
      return true
    default:
      guard let text = content(tag), let value = XMLPropertyListValue.json(of: text, element: tag.name) else {
        return false
      }
      json += value
      return true
    }
  }

  /// Reads a key of the innermost dictionary.
  private mutating func key(_ tag: Tag) -> Bool {
    guard let frame = frames.last, frame.isDictionary, !frame.hasKey, let text = content(tag),
      let string = JSON.encodedString(text)
    else { return false }
    if !frame.isEmpty { json.append(UInt8(ascii: ",")) }
    json += string
    json.append(UInt8(ascii: ":"))
    frames[frames.count - 1].hasKey = true
    frames[frames.count - 1].isEmpty = false
    return true
  }

  /// Puts a comma before a value where one belongs; false where no value can be.
  private mutating func separate() -> Bool {
    guard let frame = frames.last else { return true }
    if frame.isDictionary {
      guard frame.hasKey else { return false }
    } else if !frame.isEmpty {
      json.append(UInt8(ascii: ","))
    }
    frames[frames.count - 1].hasKey = false
    frames[frames.count - 1].isEmpty = false
    return true
  }

  /// Reads the text up to the end tag of an element.
  private mutating func content(_ tag: Tag) -> [UInt8]? {
    var text: [UInt8] = []
    if tag.isEmpty { return text }
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "<"):
        if take("<![CDATA[") {
          guard let end = find("]]>") else { return nil }
          text += bytes[position..<end]
          position = end + 3
        } else if take("<!--") {
          guard let end = find("-->") else { return nil }
          position = end + 3
        } else {
          guard let end = self.tag(), end.isEnd, end.name == tag.name else { return nil }
          return text
        }
      case UInt8(ascii: "&"):
        guard let character = reference() else { return nil }
        text += character
      default:
        text.append(bytes[position])
        position += 1
      }
    }
    return nil
  }

  /// Reads an entity or character reference.
  private mutating func reference() -> [UInt8]? {
    guard let end = find(";"), end - position <= 10 else { return nil }
    let name = String(decoding: bytes[position + 1..<end], as: UTF8.self)
    position = end + 1
    if let character = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"][name] {
      return Array(character.utf8)
    }
    guard name.hasPrefix("#") else { return nil }
    let value = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(1))
    return value.flatMap { Unicode.Scalar($0) }.map { Array(String($0).utf8) }
  }

  /// Reads a tag, attributes and all.
  private mutating func tag() -> Tag? {
    guard take("<") else { return nil }
    let isEnd = take("/")
    let start = position
    while position < bytes.count, (0x61...0x7A).contains(bytes[position]) { position += 1 }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    guard !name.isEmpty, let end = find(">") else { return nil }
    let rest = bytes[position..<end]
    // What follows the name is blanks, a slash, or attributes behind a blank; a quoted > is in no list.
    guard rest.first.map({ isBlank($0) || (rest.count == 1 && $0 == UInt8(ascii: "/")) }) ?? true,
      !rest.contains(UInt8(ascii: "<"))
    else { return nil }
    position = end + 1
    return Tag(name: name, isEnd: isEnd, isEmpty: !isEnd && rest.last == UInt8(ascii: "/"))
  }

  /// Skips blanks, comments, the declaration and the document type; false when one of them does not end.
  private mutating func skipMisc() -> Bool {
    while position < bytes.count {
      if isBlank(bytes[position]) {
        position += 1
      } else if take("<!--") {
        guard let end = find("-->") else { return false }
        position = end + 3
      } else if take("<?") {
        guard let end = find("?>") else { return false }
        position = end + 2
      } else if take("<!DOCTYPE") {
        guard let end = find(">"), !bytes[position..<end].contains(UInt8(ascii: "[")) else { return false }
        position = end + 1
      } else {
        return true
      }
    }
    return true
  }

  /// Takes `text` when it stands next.
  private mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  /// Where `text` stands next.
  private func find(_ text: String) -> Int? {
    let pattern = Array(text.utf8)
    var index = position
    while index + pattern.count <= bytes.count {
      if bytes[index] == pattern[0], bytes[index...].starts(with: pattern) { return index }
      index += 1
    }
    return nil
  }

  /// Whether a byte is a blank of XML.
  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
