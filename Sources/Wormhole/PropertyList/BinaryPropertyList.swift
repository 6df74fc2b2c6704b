/// The objects of a binary property list and how they refer to each other; no value is read.
struct BinaryPropertyList {
  private static let trailerLength = 32

  private let bytes: UnsafeRawBufferPointer
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let top: Int
  private let table: Int

  /// Reads the trailer; nil when it does not fit the bytes.
  init?(_ bytes: UnsafeRawBufferPointer) {
    let end = bytes.count - Self.trailerLength
    guard end >= 8 else { return nil }
    self.bytes = bytes
    offsetSize = Int(bytes[end + 6])
    referenceSize = Int(bytes[end + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes, end + 8, 8), let top = Self.number(bytes, end + 16, 8),
      let table = Self.number(bytes, end + 24, 8), count > 0, top < count, table < end,
      count <= (end - table) / offsetSize
    else { return nil }
    self.count = count
    self.top = top
    self.table = table
  }

  /// Whether no object holds itself, none is nested deeper, and written out without sharing it stays a small multiple of
  /// its length.
  func isBearable(deepest: Int) -> Bool {
    // For each object how many objects it is when written out: 0 not known yet, -1 being counted.
    var sizes = [Int](repeating: 0, count: count)
    let largest = 4 * bytes.count
    var path: [(object: Int, next: Int, references: Range<Int>)] = []
    guard let references = references(of: top) else { return false }
    path.append((top, references.lowerBound, references))
    sizes[top] = -1
    var totals = [1]
    while let last = path.last, let total = totals.last {
      guard last.next < last.references.upperBound else {
        sizes[last.object] = total
        path.removeLast()
        totals.removeLast()
        if !totals.isEmpty { totals[totals.count - 1] += total }
        if totals.last ?? 0 > largest { return false }
        continue
      }
      path[path.count - 1].next += referenceSize
      guard let child = Self.number(bytes, last.next, referenceSize), child < count, sizes[child] >= 0 else {
        return false
      }
      if sizes[child] > 0 {
        totals[totals.count - 1] += sizes[child]
        if totals[totals.count - 1] > largest { return false }
        continue
      }
      guard path.count < deepest, let references = self.references(of: child) else { return false }
      sizes[child] = -1
      path.append((child, references.lowerBound, references))
      totals.append(1)
    }
    return true
  }

  /// Where the references of an object lie, empty for one that is no container; nil when they cannot.
  private func references(of object: Int) -> Range<Int>? {
    guard let offset = Self.number(bytes, table + object * offsetSize, offsetSize), offset < table else { return nil }
    let marker = bytes[offset]
    let perElement: Int
    switch marker >> 4 {
    case 0xA, 0xB, 0xC: perElement = 1
    case 0xD: perElement = 2
    default: return offset..<offset
    }
    var start = offset + 1
    var elements = Int(marker & 15)
    if elements == 15 {
      guard start < table, bytes[start] >> 4 == 1, bytes[start] & 15 <= 3 else { return nil }
      let width = 1 << Int(bytes[start] & 15)
      guard let number = Self.number(bytes, start + 1, width) else { return nil }
      elements = number
      start += 1 + width
    }
    guard start <= table, elements <= (table - start) / referenceSize / perElement else { return nil }
    return start..<(start + elements * perElement * referenceSize)
  }

  /// The big-endian number of `width` bytes at `offset`; nil beyond the end or beyond what any offset can be.
  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ width: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - width else { return nil }
    var value: UInt64 = 0
    for index in 0..<width { value = value << 8 | UInt64(bytes[offset + index]) }
    return value < UInt64(1) << 48 ? Int(value) : nil
  }
}
