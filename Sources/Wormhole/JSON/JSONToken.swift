/// One token of a JSON text, RFC 8259 section 2.
package struct JSONToken: Hashable, Sendable {
  /// What a token is; a member name is a string of its own kind.
  package enum Kind: Sendable {
    case beginArray, endArray, beginObject, endObject, comma, colon
    case name, string, number, `true`, `false`, null
  }

  /// What it is.
  package let kind: Kind
  /// Which bytes it is, quotes included.
  package let range: Range<Int>

  /// A token of this kind at these bytes.
  package init(kind: Kind, range: Range<Int>) {
    self.kind = kind
    self.range = range
  }
}
