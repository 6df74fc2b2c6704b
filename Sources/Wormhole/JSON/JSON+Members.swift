extension JSON {
  /// A member of an object, as ranges of the text that the object stands in.
  package struct Member: Hashable, Sendable {
    /// The name as text.
    package let name: [UInt8]
    /// What its value begins with: the kind of a scalar, or the beginning of an array or object.
    package let kind: JSONToken.Kind
    /// The bytes of the value, without blanks around them.
    package let value: Range<Int>
  }

  /// The members of a text that is an object, in order, nil when it is another value.
  ///
  /// A name that comes twice is given twice.
  package static func members(of bytes: [UInt8]) throws(JSONError) -> [Member]? {
    try withBytes(of: bytes) { (buffer) throws(JSONError) in
      var scanner = JSONScanner(buffer)
      let isObject = try scanner.next()?.kind == .beginObject
      var members: [Member] = []
      var name: Range<Int>?
      var first: JSONToken?
      while let token = try scanner.next() {
        guard isObject else { continue }
        switch token.kind {
        case .name where scanner.depth == 1: name = token.range
        case .colon where scanner.depth == 1: first = nil
        case .comma, .endObject, .endArray, .name, .colon: break
        default: if first == nil { first = token }
        }
        // A scalar ends with its token, an array or object with the one that leads back to the first level.
        guard scanner.depth == 1, let nameRange = name, let value = first else { continue }
        let text = decodedString(UnsafeRawBufferPointer(rebasing: buffer[nameRange])).text
        members.append(
          Member(name: text, kind: value.kind, value: value.range.lowerBound..<token.range.upperBound))
        (name, first) = (nil, nil)
      }
      return isObject ? members : nil
    }
  }
}
