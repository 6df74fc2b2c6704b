/// A path as the kernel takes it: bytes and a NUL at the end.
package struct Path: Hashable, Sendable {
  /// The bytes with the closing NUL.
  let bytes: [CChar]

  /// The path of a text; what follows a NUL in it is dropped, so callers refuse NULs first.
  package init(_ text: String) {
    var copy = text
    bytes = copy.withUTF8 { utf8 in
      [CChar](unsafeUninitializedCapacity: utf8.count + 1) { buffer, count in
        for byte in utf8 { buffer.initializeElement(at: count, to: CChar(bitPattern: byte)); count += 1 }
        buffer.initializeElement(at: count, to: 0)
        count += 1
      }
    }
  }

  /// The path of some bytes, which need not be UTF-8; what follows a NUL in them is dropped, so callers refuse NULs first.
  package init(_ bytes: [UInt8]) { self.bytes = bytes.map { CChar(bitPattern: $0) } + [0] }

  private init(bytes: [CChar]) { self.bytes = bytes }

  /// The path of a file in this directory.
  package func appending(_ name: FileName) -> Path {
    name.bytes.withUnsafeBufferPointer { appending($0) }
  }

  /// The path of a file in this directory.
  package func appending(_ name: StaticString) -> Path {
    appending(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  /// The path of a file in this directory whose name is in two parts, either of them without NUL and slash.
  func appending(
    _ name: UnsafeBufferPointer<UInt8>, _ ending: UnsafeBufferPointer<UInt8> = UnsafeBufferPointer(start: nil, count: 0)
  ) -> Path {
    // Not an array that is filled later, which the standard library makes by a search for its type.
    var bytes: [CChar] = []
    bytes.reserveCapacity(self.bytes.count + 1 + name.count + ending.count)
    bytes.append(contentsOf: self.bytes.dropLast())
    bytes.append(CChar(bitPattern: UInt8(ascii: "/")))
    name.withMemoryRebound(to: CChar.self) { bytes.append(contentsOf: $0) }
    ending.withMemoryRebound(to: CChar.self) { bytes.append(contentsOf: $0) }
    bytes.append(0)
    return Path(bytes: bytes)
  }

  /// Whether it begins at the root.
  var isAbsolute: Bool { bytes.first == CChar(bitPattern: UInt8(ascii: "/")) }

  /// The path of what `path` leads to from this directory.
  func appending(_ path: Path) -> Path {
    path.bytes.dropLast().withUnsafeBytes { bytes in bytes.withMemoryRebound(to: UInt8.self) { appending($0) } }
  }

  /// The directory that holds this, nil for the root and for a single relative name.
  package var parent: Path? {
    let slash = CChar(bitPattern: UInt8(ascii: "/"))
    var end = bytes.count - 1
    while end > 1, bytes[end - 1] == slash { end -= 1 }
    guard let last = bytes[..<end].lastIndex(of: slash) else { return nil }
    guard end > 1 else { return nil }
    return Path(bytes: Array(bytes[..<max(1, last)]) + [0])
  }

  /// Hashes the bytes as a whole, which element by element would take many times as long.
  package func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

extension Path: CustomStringConvertible {
  /// The path as text, damaged UTF-8 repaired.
  package var description: String {
    String(decoding: bytes.dropLast().lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// The name of a file in its directory: bytes other than NUL and the slash, compared as bytes.
package struct FileName: Hashable, Sendable {
  /// The bytes of the name.
  package let bytes: [UInt8]

  /// Wraps bytes.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Hashes the bytes as a whole.
  package func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

extension FileName: CustomStringConvertible {
  /// The name as text, damaged UTF-8 repaired.
  package var description: String { String(decoding: bytes, as: UTF8.self) }
}
