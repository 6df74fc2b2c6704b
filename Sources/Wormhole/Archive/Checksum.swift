/// XXH64, the checksum of headers, commit blocks and records; fed part by part, so that parts need not lie together.
package struct Checksum {
  private let seed: UInt64
  private var lanes: Lanes
  /// The bytes that did not fill a stripe yet.
  private var rest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  private var restCount = 0
  private var total: UInt64 = 0

  /// Begins a checksum.
  package init(seed: UInt64) {
    self.seed = seed
    lanes = Lanes(seed: seed)
  }

  /// The checksum of bytes that lie together, which need not be collected in stripes.
  package static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    guard var next = bytes.baseAddress else { return Checksum(seed: seed).value }
    var lanes = Lanes(seed: seed)
    var left = bytes.count
    while left >= Lanes.stripe {
      lanes.take(next)
      next += Lanes.stripe
      left &-= Lanes.stripe
    }
    let hash = bytes.count >= Lanes.stripe ? lanes.merged : seed &+ Lanes.prime5
    return Lanes.finished(hash &+ UInt64(bytes.count), next, left)
  }

  /// The checksum of numbers, each as eight bytes.
  package static func of(_ numbers: UInt64...) -> UInt64 { numbers.withUnsafeBytes { of($0, seed: 0) } }

  /// Takes the next part.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard var next = bytes.baseAddress, !bytes.isEmpty else { return }
    var left = bytes.count
    total &+= UInt64(left)
    if restCount > 0 {
      let count = min(Lanes.stripe - restCount, left)
      keep(next, count)
      guard restCount == Lanes.stripe else { return }
      withUnsafeBytes(of: rest) { if let start = $0.baseAddress { lanes.take(start) } }
      restCount = 0
      next += count
      left -= count
    }
    while left >= Lanes.stripe {
      lanes.take(next)
      next += Lanes.stripe
      left &-= Lanes.stripe
    }
    if left > 0 { keep(next, left) }
  }

  /// Keeps bytes until they fill a stripe.
  private mutating func keep(_ bytes: UnsafeRawPointer, _ count: Int) {
    let offset = restCount
    withUnsafeMutableBytes(of: &rest) { $0.baseAddress?.advanced(by: offset).copyMemory(from: bytes, byteCount: count) }
    restCount += count
  }

  /// The checksum of all parts so far.
  package var value: UInt64 {
    let hash = total >= UInt64(Lanes.stripe) ? lanes.merged : seed &+ Lanes.prime5
    return withUnsafeBytes(of: rest) { buffer in
      buffer.baseAddress.map { Lanes.finished(hash &+ total, $0, restCount) } ?? 0
    }
  }
}

/// The four sums that XXH64 keeps, each of every fourth word, and its arithmetic.
private struct Lanes {
  static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5
  /// The bytes that one round takes.
  static let stripe = 32

  private var first: UInt64
  private var second: UInt64
  private var third: UInt64
  private var fourth: UInt64

  /// The sums before the first stripe.
  @inline(__always)
  init(seed: UInt64) {
    (first, second) = (seed &+ Self.prime1 &+ Self.prime2, seed &+ Self.prime2)
    (third, fourth) = (seed, seed &- Self.prime1)
  }

  /// Takes a stripe.
  @inline(__always)
  mutating func take(_ start: UnsafeRawPointer) {
    first = Self.mixed(first, Self.word(start))
    second = Self.mixed(second, Self.word(start + 8))
    third = Self.mixed(third, Self.word(start + 16))
    fourth = Self.mixed(fourth, Self.word(start + 24))
  }

  /// The sums as one.
  @inline(__always)
  var merged: UInt64 {
    var hash = Self.rotated(first, 1) &+ Self.rotated(second, 7) &+ Self.rotated(third, 12) &+ Self.rotated(fourth, 18)
    hash = Self.joined(hash, first)
    hash = Self.joined(hash, second)
    hash = Self.joined(hash, third)
    return Self.joined(hash, fourth)
  }

  /// Takes the bytes that fill no stripe, and spreads every bit over the whole.
  @inline(__always)
  static func finished(_ hash: UInt64, _ tail: UnsafeRawPointer, _ count: Int) -> UInt64 {
    var (hash, next, left) = (hash, tail, count)
    while left >= 8 {
      hash = rotated(hash ^ mixed(0, word(next)), 27) &* prime1 &+ prime4
      next += 8
      left &-= 8
    }
    if left >= 4 {
      let word = UInt32(littleEndian: next.loadUnaligned(as: UInt32.self))
      hash = rotated(hash ^ (UInt64(word) &* prime1), 23) &* prime2 &+ prime3
      next += 4
      left &-= 4
    }
    while left > 0 {
      hash = rotated(hash ^ (UInt64(next.load(as: UInt8.self)) &* prime5), 11) &* prime1
      next += 1
      left &-= 1
    }
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
  }

  @inline(__always)
  private static func joined(_ hash: UInt64, _ lane: UInt64) -> UInt64 { (hash ^ mixed(0, lane)) &* prime1 &+ prime4 }

  @inline(__always)
  private static func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 { rotated(lane &+ word &* prime2, 31) &* prime1 }

  @inline(__always)
  private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 { value &<< count | value &>> (64 - count) }

  @inline(__always)
  private static func word(_ pointer: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: pointer.loadUnaligned(as: UInt64.self))
  }
}
