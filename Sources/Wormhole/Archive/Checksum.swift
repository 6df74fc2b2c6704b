/// XXH64, the checksum of headers, commit blocks and records; fed part by part, so that parts need not lie together.
package struct Checksum {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5
  /// The bytes that one round takes.
  private static let stripe = 32

  private let seed: UInt64
  private var lanes: (UInt64, UInt64, UInt64, UInt64)
  /// The bytes that did not fill a stripe yet.
  private var rest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  private var restCount = 0
  private var total: UInt64 = 0

  /// Begins a checksum.
  package init(seed: UInt64) {
    self.seed = seed
    lanes = (seed &+ Self.prime1 &+ Self.prime2, seed &+ Self.prime2, seed, seed &- Self.prime1)
  }

  /// The checksum of bytes that lie together.
  package static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var checksum = Checksum(seed: seed)
    checksum.update(bytes)
    return checksum.value
  }

  /// The checksum of numbers, each as eight bytes.
  package static func of(_ numbers: UInt64...) -> UInt64 { numbers.withUnsafeBytes { of($0, seed: 0) } }

  /// Takes the next part.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    total &+= UInt64(bytes.count)
    var position = 0
    if restCount > 0 {
      position = min(Self.stripe - restCount, bytes.count)
      let offset = restCount
      withUnsafeMutableBytes(of: &rest) { buffer in
        buffer.baseAddress?.advanced(by: offset).copyMemory(from: base, byteCount: position)
      }
      restCount += position
      guard restCount == Self.stripe else { return }
      round(rest.0.littleEndian, rest.1.littleEndian, rest.2.littleEndian, rest.3.littleEndian)
      restCount = 0
    }
    while bytes.count - position >= Self.stripe {
      let start = base + position
      round(Self.word(start), Self.word(start + 8), Self.word(start + 16), Self.word(start + 24))
      position += Self.stripe
    }
    restCount = bytes.count - position
    if restCount > 0 {
      let count = restCount
      withUnsafeMutableBytes(of: &rest) { $0.baseAddress?.copyMemory(from: base + position, byteCount: count) }
    }
  }

  /// The checksum of all parts so far.
  package var value: UInt64 {
    var hash: UInt64
    if total >= UInt64(Self.stripe) {
      hash =
        Self.rotated(lanes.0, 1) &+ Self.rotated(lanes.1, 7) &+ Self.rotated(lanes.2, 12) &+ Self.rotated(lanes.3, 18)
      hash = Self.merged(Self.merged(Self.merged(Self.merged(hash, lanes.0), lanes.1), lanes.2), lanes.3)
    } else {
      hash = seed &+ Self.prime5
    }
    hash &+= total
    withUnsafeBytes(of: rest) { buffer in
      var position = 0
      while restCount - position >= 8 {
        let word = UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        hash = Self.rotated(hash ^ Self.mixed(0, word), 27) &* Self.prime1 &+ Self.prime4
        position += 8
      }
      if restCount - position >= 4 {
        let word = UInt32(littleEndian: buffer.loadUnaligned(fromByteOffset: position, as: UInt32.self))
        hash = Self.rotated(hash ^ (UInt64(word) &* Self.prime1), 23) &* Self.prime2 &+ Self.prime3
        position += 4
      }
      while position < restCount {
        hash = Self.rotated(hash ^ (UInt64(buffer[position]) &* Self.prime5), 11) &* Self.prime1
        position += 1
      }
    }
    hash = (hash ^ hash >> 33) &* Self.prime2
    hash = (hash ^ hash >> 29) &* Self.prime3
    return hash ^ hash >> 32
  }

  @inline(__always)
  private mutating func round(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) {
    lanes = (Self.mixed(lanes.0, a), Self.mixed(lanes.1, b), Self.mixed(lanes.2, c), Self.mixed(lanes.3, d))
  }

  @inline(__always)
  private static func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotated(lane &+ word &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func merged(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
    (hash ^ mixed(0, lane)) &* prime1 &+ prime4
  }

  @inline(__always)
  private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value &<< count | value &>> (64 - count)
  }

  @inline(__always)
  private static func word(_ pointer: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: pointer.loadUnaligned(as: UInt64.self))
  }
}
