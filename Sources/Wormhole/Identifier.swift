/// The name of a mailbox together with the type of its messages, said once and used at every call.
///
/// ```swift
/// extension MessageIdentifier<[String]> { static let toDoListItems = Self("toDoListItems") }
/// ```
public struct MessageIdentifier<Message>: Hashable, Sendable {
  /// The identifier: any non-empty text without NUL whose file name fits 255 bytes.
  public let name: String

  /// Names a mailbox; whether the name is valid shows at the first call that uses it.
  public init(_ name: String) { self.name = name }

  /// Identifiers are equal when their UTF-8 bytes are: composed and decomposed letters differ, as in file names.
  public static func == (a: Self, b: Self) -> Bool { a.name.utf8.elementsEqual(b.name.utf8) }

  /// Hashes the UTF-8 bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in name.utf8 { hasher.combine(byte) }
  }
}

/// Which identifiers a listener hears: some by name, or all that are or will be there.
public enum Identifiers: Sendable, ExpressibleByArrayLiteral {
  /// Every identifier, also those that come later.
  case all
  /// These.
  case only([String])

  /// These identifiers.
  public init(arrayLiteral elements: String...) { self = .only(elements) }
}

/// The reversible mapping between identifiers and file names.
package enum ArchiveName {
  /// The ending of a mailbox.
  package static let archive: StaticString = ".archive"
  /// The ending of a FIFO.
  package static let queue: StaticString = ".queue"
  /// The most bytes that a file name has, NAME_MAX of limits.h.
  private static let longest = 255

  /// The file name of an identifier: `/`, `%`, control characters and a leading `.` percent-encoded, all else as it is.
  ///
  /// - Throws: `.invalidIdentifier` when it is empty, holds NUL or its name is longer than 255 bytes.
  package static func fileName(
    for identifier: String, ending: StaticString = archive
  ) throws(WormholeError) -> FileName {
    let suffix = UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(identifier.utf8.count + suffix.count)
    encode(identifier.utf8, into: &bytes)
    bytes += suffix
    if identifier.isEmpty {
      throw WormholeError(.invalidIdentifier, reason: "the identifier is empty; give it at least one character")
    }
    if identifier.utf8.contains(0) {
      throw WormholeError(.invalidIdentifier, reason: "identifier \(identifier) holds a NUL byte; leave it out")
    }
    // The longer of the two endings decides, so that an identifier is good for all ways of passing or for none.
    if bytes.count - suffix.count + archive.utf8CodeUnitCount > longest {
      throw WormholeError(
        .invalidIdentifier,
        reason:
          "identifier \(identifier.prefix(20))… is too long: its file name has more than \(longest) bytes; use a shorter one"
      )
    }
    return FileName(bytes)
  }

  /// The path of an identifier's file in a directory; as `fileName`, but for nearly every identifier in one copy.
  static func path(
    in directory: Path, for identifier: String, ending: StaticString = archive
  ) throws(WormholeError) -> Path {
    let path = identifier.utf8.withContiguousStorageIfAvailable { utf8 -> Path? in
      guard !utf8.isEmpty, utf8.count <= longest - archive.utf8CodeUnitCount, utf8[0] != UInt8(ascii: "."),
        utf8.allSatisfy(isPlainASCII)
      else { return nil }
      return directory.appending(
        utf8, UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount))
    }
    if let path = path ?? nil { return path }
    return directory.appending(try fileName(for: identifier, ending: ending))
  }

  /// The identifier of a file name, nil when the name is no archive's: it must encode back to itself.
  package static func identifier(of name: FileName, ending: StaticString = archive) -> String? {
    let suffix = UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount)
    guard name.bytes.count > suffix.count, name.bytes.suffix(suffix.count).elementsEqual(suffix) else { return nil }
    let encoded = name.bytes.dropLast(suffix.count)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(encoded.count)
    var index = encoded.startIndex
    while index < encoded.endIndex {
      if encoded[index] == UInt8(ascii: "%") {
        guard index + 2 < encoded.endIndex, let high = hexValue(encoded[index + 1]),
          let low = hexValue(encoded[index + 2])
        else { return nil }
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(encoded[index])
        index += 1
      }
    }
    guard let identifier = String(validating: decoded, as: UTF8.self), !decoded.contains(0) else { return nil }
    var again: [UInt8] = []
    encode(identifier.utf8, into: &again)
    return again.elementsEqual(encoded) ? identifier : nil
  }

  /// Whether a file of the hidden folder is a queue of requests or of replies.
  static func isOfRequests(_ name: FileName) -> Bool {
    name.bytes.starts(with: "r-".utf8) || name.bytes.starts(with: "p-".utf8)
  }

  /// The encoded form of an identifier as people see it: its file name without the ending.
  package static func readable(_ identifier: String) -> String {
    var bytes: [UInt8] = []
    encode(identifier.utf8, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func encode(_ utf8: String.UTF8View, into bytes: inout [UInt8]) {
    var previous: UInt8 = 0
    for (position, byte) in utf8.enumerated() {
      // The control characters U+0080 to U+009F are C2 followed by 80 to 9F.
      let isLaterControl = previous == 0xC2 && byte < 0xA0
      if isLaterControl { bytes.removeLast() }
      if isLaterControl { appendEscape(previous, to: &bytes) }
      let isPlain =
        byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "%")
        && !(position == 0 && byte == UInt8(ascii: ".")) && !isLaterControl
      if isPlain { bytes.append(byte) } else { appendEscape(byte, to: &bytes) }
      previous = byte
    }
  }

  /// Whether a byte stands for itself, whatever comes before it.
  private static func isPlainASCII(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "%")
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    let digits: StaticString = "0123456789ABCDEF"
    bytes.append(UInt8(ascii: "%"))
    bytes.append(digits.utf8Start[Int(byte >> 4)])
    bytes.append(digits.utf8Start[Int(byte & 15)])
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
