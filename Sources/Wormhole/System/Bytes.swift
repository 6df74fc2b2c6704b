import Glibc

extension [UInt8] {
  /// Bytes that `body` fills: it is given room for exactly `room` and says in `count` how many it has filled.
  init(
    room: Int, _ body: (_ buffer: UnsafeMutableRawBufferPointer, _ count: inout Int) throws(Errno) -> Void
  ) throws(Errno) {
    // Never without any room: the standard library writes the count of such an array into the storage that all empty
    // arrays of the process share, from whatever thread.
    try self.init(unsafeUninitializedCapacity: Swift.max(1, room)) { (buffer, count) throws(Errno) in
      try body(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<room]), &count)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether both hold the same bytes, memcmp(3).
  func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let first = baseAddress, let second = other.baseAddress else { return true }
    return memcmp(first, second, count) == 0
  }
}
