/// Reads a JSON text token by token and checks it against RFC 8259 on the way.
///
/// - Everything that the grammar allows is accepted, as its section 9 demands: any depth, numbers of any length, any
///   member names, an escaped surrogate without its other half. Nothing else is: no byte order mark, no comments.
/// - There is no recursion, so no text can exhaust the stack.
/// - The bytes must stay valid while the scanner is used.
package struct JSONScanner {
  /// What the grammar wants next.
  private enum Expectation {
    case value, valueOrEndArray, name, nameOrEndObject, colon, commaOrEnd, endOfText
  }

  /// The text.
  let bytes: UnsafeRawBufferPointer
  /// How many bytes have been read.
  var position = 0
  private var nesting = JSONNesting()
  private var expectation = Expectation.value

  /// A scanner at the start of `bytes`.
  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// How many arrays and objects are open after the last token.
  package var depth: Int { nesting.depth }

  /// The next token, nil after the last one, when the whole text has been found to be one JSON value.
  package mutating func next() throws(JSONError) -> JSONToken? {
    skipBlanks()
    guard position < bytes.count else {
      if expectation == .endOfText { return nil }
      throw JSONError(offset: position, reason: hasBegun ? .endsEarly : .empty)
    }
    let start = position
    let kind = try nextKind(bytes[position])
    return JSONToken(kind: kind, range: start..<position)
  }

  /// Whether a token has been read.
  private var hasBegun: Bool { expectation != .value || nesting.depth > 0 }

  /// Reads the token that begins with `first`.
  private mutating func nextKind(_ first: UInt8) throws(JSONError) -> JSONToken.Kind {
    switch expectation {
    case .value:
      return try value(first, else: .valueExpected)
    case .valueOrEndArray:
      if first == UInt8(ascii: "]") { return close(.endArray) }
      return try value(first, else: .valueOrEndExpected)
    case .name, .nameOrEndObject:
      if first == UInt8(ascii: "\"") {
        try skipString()
        expectation = .colon
        return .name
      }
      if expectation == .name { throw error(.nameExpected) }
      if first == UInt8(ascii: "}") { return close(.endObject) }
      throw error(.nameOrEndExpected)
    case .colon:
      guard first == UInt8(ascii: ":") else { throw error(.colonExpected) }
      position += 1
      expectation = .value
      return .colon
    case .commaOrEnd:
      return try commaOrEnd(first)
    case .endOfText:
      throw error(.endExpected)
    }
  }

  /// Reads a value, or the beginning of one.
  private mutating func value(_ first: UInt8, else reason: JSONError.Reason) throws(JSONError) -> JSONToken.Kind {
    let kind: JSONToken.Kind
    switch first {
    case UInt8(ascii: "["):
      nesting.push(isObject: false)
      position += 1
      expectation = .valueOrEndArray
      return .beginArray
    case UInt8(ascii: "{"):
      nesting.push(isObject: true)
      position += 1
      expectation = .nameOrEndObject
      return .beginObject
    case UInt8(ascii: "\""):
      try skipString()
      kind = .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try skipNumber()
      kind = .number
    case UInt8(ascii: "t"): kind = try word("true", .true)
    case UInt8(ascii: "f"): kind = try word("false", .false)
    case UInt8(ascii: "n"): kind = try word("null", .null)
    case 0xEF where position == 0 && bytes.count >= 3 && bytes[1] == 0xBB && bytes[2] == 0xBF:
      throw error(.byteOrderMark)
    default: throw error(reason)
    }
    expectation = nesting.depth == 0 ? .endOfText : .commaOrEnd
    return kind
  }

  /// Reads what follows a value in an array or object.
  private mutating func commaOrEnd(_ first: UInt8) throws(JSONError) -> JSONToken.Kind {
    let isInObject = nesting.isInObject
    switch first {
    case UInt8(ascii: ","):
      position += 1
      expectation = isInObject ? .name : .value
      return .comma
    case UInt8(ascii: "]") where !isInObject: return close(.endArray)
    case UInt8(ascii: "}") where isInObject: return close(.endObject)
    default: throw error(isInObject ? .commaOrBraceExpected : .commaOrBracketExpected)
    }
  }

  /// Reads the bracket or brace that ends the innermost array or object.
  private mutating func close(_ kind: JSONToken.Kind) -> JSONToken.Kind {
    nesting.pop()
    position += 1
    expectation = nesting.depth == 0 ? .endOfText : .commaOrEnd
    return kind
  }

  /// Reads one of the three words.
  private mutating func word(_ word: StaticString, _ kind: JSONToken.Kind) throws(JSONError) -> JSONToken.Kind {
    for index in 0..<word.utf8CodeUnitCount {
      guard position + index < bytes.count else { throw JSONError(offset: bytes.count, reason: .endsEarly) }
      guard bytes[position + index] == word.utf8Start[index] else { throw error(.unknownWord) }
    }
    position += word.utf8CodeUnitCount
    return kind
  }

  /// Skips space, tab, line feed and carriage return.
  private mutating func skipBlanks() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  /// An error at the present position.
  func error(_ reason: JSONError.Reason) -> JSONError { JSONError(offset: position, reason: reason) }
}
