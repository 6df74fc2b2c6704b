import FoundationEssentials
import TestSupport
import Testing
import Wormhole

/// Property lists as JSON.
@Suite("Property lists", .ownThread)
struct PropertyListTests {
  /// One value of every kind that the encoder writes.
  private struct Every: Encodable {
    var array = [[String]]()
    var data = Data([0, 255, 1])
    var date = Date(timeIntervalSince1970: 1_700_000_000)
    var dictionary = ["b": 2, "a": 1]
    var empty = [String: String]()
    var integer = -300
    var large = UInt64.max
    var long = String(repeating: "ab", count: 20)
    var no = false
    var real = 1.5
    var small = Int64.min
    var text = "é \"😀\"\n<&>"
    var yes = true
  }

  private let json =
    #"{"array":[],"data":"AP8B","date":"2023-11-14T22:13:20DZ","dictionary":{"a":1,"b":2},"empty":{},"#
    + #""integer":-300,"large":18446744073709551615,"long":"abababababababababababababababababababab","#
    + #""no":false,"real":1.5,"small":-9223372036854775808,"text":"é \"😀\"\n<&>","yes":true}"#

  /// The JSON of the list that an encoder makes of `value`.
  private func json(_ value: some Encodable, _ format: PropertyListDecoder.PropertyListFormat) throws -> String? {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    return PropertyList.json(of: Array(try encoder.encode(value))).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("Every kind of value is read from a binary list, whose only element is the value")
  func binary() throws {
    let expected = json.replacing("20DZ", with: "20.000000Z")
    #expect(try json([Every()], .binary) == expected)
    #expect(try json(["text"], .binary) == #""text""#)
    #expect(try json([1, 2], .binary) == "[1,2]")
    #expect(try json(Every(), .binary) == expected)
  }

  @Test("Every kind of value is read from a list in XML, which is given as it is")
  func xml() throws {
    #expect(try json([Every()], .xml) == "[\(json.replacing("20DZ", with: "20Z"))]")
    #expect(try json(["text"], .xml) == #"["text"]"#)
  }

  @Test("A list with more objects than a byte can number is read")
  func largeList() throws {
    let numbers = Array(0..<70_000)
    #expect(try json(numbers, .binary) == "[\(numbers.map(String.init).joined(separator: ","))]")
  }

  @Test(
    "What lists in XML may contain besides is understood",
    arguments: [
      ("<plist><string/></plist>", #""""#), ("<plist version='1.0'><true/></plist>\n", "true"),
      ("<?xml version=\"1.0\"?><!-- c --><plist><!-- </plist> --><false/></plist>", "false"),
      ("<plist><string>a<![CDATA[<&]]>b&#65;&#x1F600;&amp;<!-- c --></string></plist>", #""a<&bA😀&""#),
      ("<plist><integer>+007</integer></plist>", "7"), ("<plist><integer>-0x1F</integer></plist>", "-31"),
      ("<plist><integer>\(String(repeating: "9", count: 30))</integer></plist>", String(repeating: "9", count: 30)),
      ("<plist><real>-inf</real></plist>", "null"), ("<plist><real>+1.50</real></plist>", "1.5"),
      ("<plist><real>1.50</real></plist>", "1.50"), ("<plist><data>\n AAA=\n</data></plist>", #""AAA=""#),
      ("<plist><dict><key>b</key><array/><key>a</key><dict></dict></dict></plist>", #"{"b":[],"a":{}}"#),
    ])
  func markup(xml: String, json: String) {
    #expect(PropertyList.json(of: Array(xml.utf8)).map { String(decoding: $0, as: UTF8.self) } == json)
  }

  @Test(
    "What is no property list has no JSON",
    arguments: [
      "", "text", "{}", "<", "<plist>", "<plist></plist>", "<plist/>", "<true/>", "<plist><true/>",
      "<plist><true/></plist>x",
      "<plist><true/><true/></plist>", "<plist><dict><true/></dict></plist>",
      "<plist><dict><key>a</key></dict></plist>",
      "<plist><dict><key>a</key><key>b</key></dict></plist>", "<plist><array></dict></plist>",
      "<plist><key>a</key></plist>",
      "<plist><integer>1.5</integer></plist>", "<plist><integer></integer></plist>",
      "<plist><date>today</date></plist>",
      "<plist><data>!</data></plist>", "<plist><string>&unknown;</string></plist>", "<plist><string>a</plist>",
      "<plist><true>x</true></plist>", "<html><true/></html>",
      "<!DOCTYPE plist [<!ENTITY a 'b'>]><plist><true/></plist>",
      "<!-- <plist><true/></plist>", "bplist00", "bplist00" + String(repeating: "\u{1}", count: 60),
    ])
  func none(text: String) {
    #expect(PropertyList.json(of: Array(text.utf8)) == nil)
  }

  @Test("Lists that hold themselves or unfold without end are refused at once")
  func bombs() {
    // An array of itself, and forty arrays that each hold the next one twice.
    #expect(PropertyList.json(of: binary(objects: [[0xA1, 0], [0xA1, 0]])) == nil)
    #expect(PropertyList.json(of: binary(objects: [[0xA2, 0, 0]])) == nil)
    let doubling = (1...40).map { [0xA2, UInt8($0), UInt8($0)] } + [[0x08]]
    #expect(PropertyList.json(of: binary(objects: doubling), limit: 1 << 20) == nil)
  }

  @Test("Nesting is no danger: a hundred thousand arrays are read, more are refused")
  func depth() {
    let depth = 100_000
    func nested(_ depth: Int) -> [UInt8] {
      let begin = String(repeating: "<array>", count: depth)
      return Array("<plist>\(begin)\(String(repeating: "</array>", count: depth))</plist>".utf8)
    }
    #expect(PropertyList.json(of: nested(depth))?.count == 2 * depth)
    #expect(PropertyList.json(of: nested(depth + 1)) == nil)
  }

  @Test("Keyed archives, reals, sets and integers of every size are read")
  func otherObjects() {
    let objects: [[UInt8]] = [
      [0xAA, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [0x80, 7], [0x81, 1, 0], [0x10, 255], [0x11, 1, 0], [0x12, 0, 1, 0, 0],
      [0x13] + [UInt8](repeating: 255, count: 8),
      [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 255, count: 8),
      [0x22, 0x3F, 0xC0, 0, 0], [0xC1, 10], [0x00],
    ]
    #expect(
      PropertyList.json(of: binary(objects: objects)).map { String(decoding: $0, as: UTF8.self) }
        == #"[{"CF$UID":7},{"CF$UID":256},255,256,65536,-1,18446744073709551615,1.5,[null],null]"#)
  }

  @Test("Mutated lists end in JSON or in nothing")
  func mutations() throws {
    var random = FixedRandom(seed: 11)
    for format in [PropertyListDecoder.PropertyListFormat.binary, .xml] {
      let encoder = PropertyListEncoder()
      encoder.outputFormat = format
      let list = Array(try encoder.encode([Every()]))
      for _ in 0..<2_000 {
        var mutated = list
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          mutated[Int.random(in: 0..<mutated.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if Bool.random(using: &random) { mutated.removeLast(Int.random(in: 0...40, using: &random)) }
        if let json = PropertyList.json(of: mutated, limit: 1 << 20) { try JSON.check(json) }
      }
    }
  }

  /// A binary list of these objects, the first of them on top.
  private func binary(objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let table = UInt8(bytes.count)
    let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 2, 1]
    let counts = [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)] + [UInt8](repeating: 0, count: 8)
    return bytes + offsets + trailer + counts + [0, 0, 0, 0, 0, 0, 0, table]
  }
}
