import FoundationEssentials
import Testing
import Wormhole

/// What is let through to the decoder, which would end the program on some lists.
@Suite("Property lists")
struct PropertyListBearableTests {
  private struct Item: Codable, Equatable {
    var title: String
    var tags: [String]
    var nested: [[Int]]
  }

  @Test("What the encoder writes is let through", arguments: [PropertyListDecoder.PropertyListFormat.binary, .xml])
  func encoded(format: PropertyListDecoder.PropertyListFormat) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    let items = (0..<500).map { Item(title: "item \($0)", tags: ["a", "b < c", "(("], nested: [[1, 2], [], [$0]]) }
    #expect(PropertyList.isBearable([UInt8](try encoder.encode(items))))
    #expect(PropertyList.isBearable([UInt8](try encoder.encode([Int]()))))
  }

  @Test("A binary list that holds itself is refused", arguments: [1, 2, 3, 200])
  func cycle(length: Int) {
    #expect(!PropertyList.isBearable(Self.chain(length: length, last: 0)))
  }

  @Test("Binary lists are let through up to a depth")
  func binaryDepth() {
    #expect(PropertyList.isBearable(Self.chain(length: 512, last: nil)))
    #expect(!PropertyList.isBearable(Self.chain(length: 513, last: nil)))
    #expect(!PropertyList.isBearable(Self.chain(length: 60_000, last: nil)))
  }

  @Test("A binary list whose shared parts would multiply is refused")
  func sharing() {
    #expect(!PropertyList.isBearable(Self.list(objects: (0..<60).map { $0 == 59 ? [] : [$0 + 1, $0 + 1] })))
  }

  @Test("XML lists are let through up to a depth")
  func xmlDepth() {
    func nested(_ depth: Int) -> [UInt8] {
      Array("<?xml version=\"1.0\"?>\n<plist>".utf8) + Array(String(repeating: "<array>", count: depth).utf8)
        + Array(String(repeating: "</array>", count: depth).utf8) + Array("</plist>".utf8)
    }
    #expect(PropertyList.isBearable(nested(511)) && !PropertyList.isBearable(nested(512)))
    #expect(!PropertyList.isBearable(nested(100_000)))
  }

  @Test("Other texts and cut-off lists are refused", arguments: ["", "word", "((((", "{a=b;}", "bplist00", "<html>"])
  func others(text: String) { #expect(!PropertyList.isBearable(Array(text.utf8))) }

  @Test("No mutation of a list that is let through ends the program")
  func mutations() throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let original = [UInt8](try encoder.encode([Item(title: "t", tags: ["x", "y"], nested: [[1], [2, 3]])]))
    var generator = FixedRandom(seed: 11)
    var passed = 0
    for _ in 0..<4000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] = UInt8.random(in: 0...255, using: &generator)
      }
      guard PropertyList.isBearable(bytes) else { continue }
      passed += 1
      _ = try? PropertyListDecoder().decode([Item].self, from: Data(bytes))
    }
    #expect(passed > 100)
  }

  /// Arrays of one element each, the last one holding object `last` or nothing.
  private static func chain(length: Int, last: Int?) -> [UInt8] {
    list(objects: (0..<length).map { $0 == length - 1 ? (last.map { [$0] } ?? []) : [$0 + 1] })
  }

  /// A binary list of arrays, each given by the numbers of its elements.
  private static func list(objects: [[Int]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes.append(0xA0 | UInt8(object.count))
      for element in object { bytes += [UInt8(element >> 16), UInt8(element >> 8 & 255), UInt8(element & 255)] }
    }
    let table = bytes.count
    for offset in offsets { bytes += withUnsafeBytes(of: UInt32(offset).bigEndian, Array.init) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 3]
    for number in [objects.count, 0, table] { bytes += withUnsafeBytes(of: UInt64(number).bigEndian, Array.init) }
    return bytes
  }
}
