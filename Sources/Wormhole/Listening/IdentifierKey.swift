/// An identifier as a key: equal when the UTF-8 bytes are, as file names are.
struct IdentifierKey: Hashable, Sendable {
  /// The identifier.
  let text: String

  /// Wraps an identifier.
  init(_ text: String) { self.text = text }

  static func == (a: Self, b: Self) -> Bool {
    // Compared several times for each event: as bytes at once, not one after the other.
    let isEqual = a.text.utf8.withContiguousStorageIfAvailable { first in
      b.text.utf8.withContiguousStorageIfAvailable { second in
        UnsafeRawBufferPointer(first).isEqual(to: UnsafeRawBufferPointer(second))
      }
    }
    return (isEqual ?? nil) ?? a.text.utf8.elementsEqual(b.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isHashed == nil { for byte in text.utf8 { hasher.combine(byte) } }
    hasher.combine(0xFF as UInt8)
  }
}
