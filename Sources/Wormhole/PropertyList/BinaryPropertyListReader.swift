import FoundationEssentials

/// Reads a binary property list, version 00.
///
/// A header, objects, a table of their offsets, and a trailer of 32 bytes: size of an offset, size of a reference,
/// number of objects, the top object, and where the table is. Numbers are big-endian. Every number is believed only
/// as far as it stays within the bytes.
struct BinaryPropertyListReader {
  /// What every such list begins with.
  static let magic = Array("bplist00".utf8)

  /// An array or dictionary whose elements are being read.
  private struct Frame {
    let object: Int
    let references: Int
    let count: Int
    /// The order of a dictionary's keys, nil in an array.
    let order: [(key: [UInt8], index: Int)]?
    var next = 0
  }

  private let bytes: [UInt8]
  private let limit: Int
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let top: Int
  private let table: Int
  private var json: [UInt8] = []
  private var frames: [Frame] = []
  private var openObjects: Set<Int> = []
  private var openElements = 0
  private var keyBytes = 0

  /// A reader of `bytes`, which begin with the magic.
  init(_ bytes: [UInt8], limit: Int) {
    self.bytes = bytes
    self.limit = limit
    let trailer = max(0, bytes.count - 32)
    offsetSize = Int(bytes[min(trailer + 6, bytes.count - 1)])
    referenceSize = Int(bytes[min(trailer + 7, bytes.count - 1)])
    objectCount = Self.number(bytes, at: trailer + 8, size: 8) ?? 0
    top = Self.number(bytes, at: trailer + 16, size: 8) ?? 0
    table = Self.number(bytes, at: trailer + 24, size: 8) ?? 0
  }

  /// The JSON of the list, nil when it is none.
  mutating func read() -> [UInt8]? {
    guard bytes.count >= 8 + 32, (1...8).contains(offsetSize), (1...8).contains(referenceSize), objectCount > 0,
      objectCount <= bytes.count, table >= 8, table <= bytes.count - 32,
      objectCount * offsetSize <= bytes.count - 32 - table
    else { return nil }
    guard let root = rootObject(), append(root) else { return nil }
    while var frame = frames.popLast() {
      guard json.count <= limit else { return nil }
      if frame.next == frame.count {
        json.append(frame.order == nil ? UInt8(ascii: "]") : UInt8(ascii: "}"))
        openObjects.remove(frame.object)
        openElements -= frame.count
        continue
      }
      if frame.next > 0 { json.append(UInt8(ascii: ",")) }
      var index = frame.next
      if let order = frame.order {
        json += order[index].key
        json.append(UInt8(ascii: ":"))
        index = frame.count + order[index].index
      }
      frame.next += 1
      frames.append(frame)
      guard let reference = reference(at: frame.references, index), append(reference) else { return nil }
    }
    return json.count <= limit ? json : nil
  }

  /// The top object, or the only element of an array that it is.
  private func rootObject() -> Int? {
    guard let start = offset(of: top) else { return nil }
    if bytes[start] == 0xA1 { return reference(at: start + 1, 0) }
    return top
  }

  /// Appends an object, or opens it when it is an array or dictionary; false when it is none.
  private mutating func append(_ object: Int) -> Bool {
    guard let start = offset(of: object) else { return false }
    let marker = bytes[start]
    switch marker >> 4 {
    case 0x0:
      guard let word = [0x00: "null", 0x08: "false", 0x09: "true"][marker] else { return false }
      json += Array(word.utf8)
    case 0x1:
      guard let integer = integer(at: start + 1, exponent: marker & 0xF) else { return false }
      json += Array(integer.utf8)
    case 0x2:
      guard let real = real(at: start + 1, exponent: marker & 0xF) else { return false }
      json += Array((real.isFinite ? "\(real)" : "null").utf8)
    case 0x3:
      guard marker == 0x33, let seconds = real(at: start + 1, exponent: 3) else { return false }
      json += Array("\"\(Timestamp.text(of: Date(timeIntervalSinceReferenceDate: seconds)))\"".utf8)
    case 0x4:
      guard let (first, count) = extent(at: start), let data = slice(first, count) else { return false }
      json += Array("\"\(Data(data).base64EncodedString())\"".utf8)
    case 0x5, 0x6:
      guard let string = string(at: start) else { return false }
      json += string
    case 0x8:
      guard let number = Self.number(bytes, at: start + 1, size: Int(marker & 0xF) + 1) else { return false }
      json += Array("{\"CF$UID\":\(number)}".utf8)
    case 0xA, 0xC: return open(object, start, isDictionary: false)
    case 0xD: return open(object, start, isDictionary: true)
    default: return false
    }
    return true
  }

  /// Opens an array, set or dictionary; false when it holds itself or claims more than the bytes have.
  private mutating func open(_ object: Int, _ start: Int, isDictionary: Bool) -> Bool {
    guard let (first, count) = extent(at: start), frames.count < PropertyList.depthLimit,
      openObjects.insert(object).inserted, slice(first, count * referenceSize * (isDictionary ? 2 : 1)) != nil
    else { return false }
    // Objects of a true list do not overlap, so those that are open together have no more elements than there are bytes.
    openElements += count
    guard openElements <= bytes.count else { return false }
    var order: [(key: [UInt8], index: Int)]?
    if isDictionary {
      var keys: [(key: [UInt8], index: Int)] = []
      for index in 0..<count {
        guard let reference = reference(at: first, index), let start = offset(of: reference),
          bytes[start] >> 4 == 5 || bytes[start] >> 4 == 6, let key = string(at: start)
        else { return false }
        keyBytes += key.count
        guard keyBytes <= limit else { return false }
        keys.append((key, index))
      }
      // The encoder writes keys in an order by chance; the same list shall give the same JSON.
      order = keys.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }
    json.append(isDictionary ? UInt8(ascii: "{") : UInt8(ascii: "["))
    frames.append(Frame(object: object, references: first, count: count, order: order))
    return true
  }

  /// A string object as JSON: ASCII, or UTF-16.
  private func string(at start: Int) -> [UInt8]? {
    guard let (first, count) = extent(at: start) else { return nil }
    if bytes[start] >> 4 == 5 { return slice(first, count).flatMap { JSON.encodedString($0) } }
    guard count <= bytes.count, let pairs = slice(first, count * 2) else { return nil }
    let units = stride(from: pairs.startIndex, to: pairs.endIndex, by: 2).map {
      UInt16(pairs[$0]) << 8 | UInt16(pairs[$0 + 1])
    }
    return JSON.encodedString(Array(String(decoding: units, as: UTF16.self).utf8))
  }

  /// An integer of 2^exponent bytes; those of 8 are signed, shorter ones are not, and 16 hold what 8 cannot.
  private func integer(at start: Int, exponent: UInt8) -> String? {
    switch exponent {
    case 0...2: return Self.number(bytes, at: start, size: 1 << Int(exponent)).map { "\($0)" }
    case 3: return bits(at: start).map { "\(Int64(bitPattern: $0))" }
    case 4:
      guard let high = bits(at: start), let low = bits(at: start + 8) else { return nil }
      return high == 0 ? "\(low)" : high == .max ? "\(Int64(bitPattern: low))" : nil
    default: return nil
    }
  }

  /// A real of 4 or 8 bytes.
  private func real(at start: Int, exponent: UInt8) -> Double? {
    switch exponent {
    case 2: Self.number(bytes, at: start, size: 4).map { Double(Float(bitPattern: UInt32($0))) }
    case 3: bits(at: start).map { Double(bitPattern: $0) }
    default: nil
    }
  }

  /// Where the content of an object begins and how many elements it has.
  private func extent(at start: Int) -> (first: Int, count: Int)? {
    let low = Int(bytes[start] & 0xF)
    guard low == 0xF else { return (start + 1, low) }
    guard start + 1 < bytes.count, bytes[start + 1] >> 4 == 1, bytes[start + 1] & 0xF <= 3 else { return nil }
    let size = 1 << Int(bytes[start + 1] & 0xF)
    guard let count = Self.number(bytes, at: start + 2, size: size), count <= bytes.count else { return nil }
    return (start + 2 + size, count)
  }

  /// The offset of an object, before the table.
  private func offset(of object: Int) -> Int? {
    guard object >= 0, object < objectCount,
      let offset = Self.number(bytes, at: table + object * offsetSize, size: offsetSize),
      offset >= 8, offset < table
    else { return nil }
    return offset
  }

  /// The object that a reference leads to.
  private func reference(at first: Int, _ index: Int) -> Int? {
    Self.number(bytes, at: first + index * referenceSize, size: referenceSize)
  }

  /// Bytes before the table.
  private func slice(_ first: Int, _ count: Int) -> ArraySlice<UInt8>? {
    first >= 0 && first <= table && count <= table - first ? bytes[first..<first + count] : nil
  }

  /// The 8 bytes at an offset.
  private func bits(at start: Int) -> UInt64? {
    guard start >= 0, start <= bytes.count - 8 else { return nil }
    return bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The number of `size` bytes at an offset, nil when it is outside or larger than any count.
  private static func number(_ bytes: [UInt8], at start: Int, size: Int) -> Int? {
    guard start >= 0, size > 0, start <= bytes.count - size else { return nil }
    var number: UInt64 = 0
    for byte in bytes[start..<start + size] {
      guard number >> 55 == 0 else { return nil }
      number = number << 8 | UInt64(byte)
    }
    return Int(exactly: number)
  }
}
