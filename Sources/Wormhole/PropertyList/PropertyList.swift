/// Property lists, binary and XML, as JSON: read by their bytes, without recursion, whatever they hold.
///
/// Foundation's decoder needs minutes for a few thousand nested arrays and has no bound for lists that refer to
/// themselves; this reading takes time and memory in proportion to the JSON that comes out, which has a limit.
/// Data becomes base64, a date RFC 3339, an object reference of a keyed archive `{"CF$UID":n}`, a number that JSON
/// does not have null.
package enum PropertyList {
  /// How deeply arrays and dictionaries may be nested.
  static let depthLimit = 100_000

  /// The JSON of a property list without blanks, nil when the bytes are none or the JSON exceeds `limit` bytes.
  ///
  /// The library archives a value as the only element of a binary list, since the format knows no lone strings and
  /// numbers for its encoder; that element is given. A list in XML was written by somebody else and is given as it is.
  package static func json(of bytes: [UInt8], limit: Int = 256 << 20) -> [UInt8]? {
    if bytes.starts(with: BinaryPropertyListReader.magic) {
      var reader = BinaryPropertyListReader(bytes, limit: limit)
      return reader.read()
    }
    var reader = XMLPropertyListReader(bytes, limit: limit)
    return reader.read()
  }
}
