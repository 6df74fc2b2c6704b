/// What is asked of JSON texts whose bytes count: checks, parts and other forms, without ever decoding a number.
///
/// Foundation's decoder answers none of it: it accepts texts that are not JSON where a type skips values, refuses some
/// that are, and does not tell which bytes a value has.
package enum JSON {
  /// Throws unless `bytes` are one JSON value with nothing but blanks around it.
  package static func check(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
    var scanner = JSONScanner(bytes)
    while try scanner.next() != nil {}
  }

  /// Throws unless `bytes` are one JSON value with nothing but blanks around it.
  package static func check(_ bytes: [UInt8]) throws(JSONError) {
    try withBytes(of: bytes) { (buffer) throws(JSONError) in try check(buffer) }
  }

  /// The text without blanks and line breaks between its tokens, each token as it was.
  package static func compacted(_ bytes: [UInt8]) throws(JSONError) -> [UInt8] {
    var compact: [UInt8] = []
    compact.reserveCapacity(bytes.count)
    try withBytes(of: bytes) { (buffer) throws(JSONError) in
      var scanner = JSONScanner(buffer)
      while let token = try scanner.next() { compact.append(contentsOf: buffer[token.range]) }
    }
    return compact
  }

  /// The range of the value, without the blanks around it, and what it begins with.
  package static func value(in bytes: [UInt8]) throws(JSONError) -> JSONToken {
    try withBytes(of: bytes) { (buffer) throws(JSONError) in
      var scanner = JSONScanner(buffer)
      guard let first = try scanner.next() else { throw JSONError(offset: 0, reason: .empty) }
      var end = first.range.upperBound
      while let token = try scanner.next() { end = token.range.upperBound }
      return JSONToken(kind: first.kind, range: first.range.lowerBound..<end)
    }
  }

  /// Runs `body` on the bytes where they lie; `withUnsafeBytes` does not pass the type of an error on.
  static func withBytes<R>(
    of bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(JSONError) -> R
  ) throws(JSONError) -> R {
    try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in try body(UnsafeRawBufferPointer(buffer)) }
  }
}
