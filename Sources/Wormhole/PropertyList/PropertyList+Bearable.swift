/// What is asked of property lists before Foundation's decoder sees them.
///
/// The decoder ends the program on a list that holds itself, and on one that is nested some thousands deep, since it
/// follows references and elements by recursion. Both are bytes that anybody may put at an archive's name.
extension PropertyList {
  /// The deepest nesting that is let through; the JSON decoder draws its line there too.
  private static let deepest = 512

  /// Whether the decoder can be given these bytes: a binary or a UTF-8 XML property list of bearable shape.
  ///
  /// It says nothing about whether the rest of it is in order: that is the decoder's to find. The old text form is not
  /// let through, since any word would be one.
  ///
  /// - Complexity: Linear in the number of bytes.
  package static func isBearable(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      if buffer.starts(with: "bplist0".utf8) {
        return BinaryPropertyList(buffer)?.isBearable(deepest: deepest) ?? false
      }
      return isBearableXML(buffer)
    }
  }

  /// Whether no more than `deepest` elements are open at any place.
  private static func isBearableXML(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard ["<?xml", "<!DOCTYPE plist", "<plist"].contains(where: { rest.starts(with: $0.utf8) }) else { return false }
    var depth = 0
    var previous: UInt8 = 0
    for byte in rest {
      // Other encodings, in which a tag could hide, have zeros.
      if byte == 0 { return false }
      // What looks like a tag in a comment counts as well: such a list is refused too early rather than too late. Only
      // closing is believed less: it never goes below the ground.
      if previous == UInt8(ascii: "<") {
        if byte == UInt8(ascii: "/") { depth = max(0, depth - 1) } else if isLetter(byte) { depth += 1 }
        if depth > deepest { return false }
      } else if previous == UInt8(ascii: "/"), byte == UInt8(ascii: ">") {
        depth = max(0, depth - 1)
      }
      previous = byte
    }
    return true
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }
}
