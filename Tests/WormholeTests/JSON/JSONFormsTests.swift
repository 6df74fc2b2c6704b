import Testing
import Wormhole

/// The forms and parts of texts: compaction, members, strings.
@Suite("JSON forms")
struct JSONFormsTests {
  @Test(
    "Compaction drops the blanks between tokens and keeps each token",
    arguments: [
      (" 1 ", "1"), ("[ ]", "[]"), ("\r\n{ \"a b\" :\t[ 1 , 2 ] } ", #"{"a b":[1,2]}"#),
      ("[ 1.0e+05 , -0 ]", "[1.0e+05,-0]"), ("\" \\u0020\\/ \"", "\" \\u0020\\/ \""),
    ])
  func compaction(text: String, compact: String) throws {
    #expect(String(decoding: try JSON.compacted(Array(text.utf8)), as: UTF8.self) == compact)
  }

  @Test("A number of a hundred digits stays as it is")
  func longNumber() throws {
    let number = "-" + String(repeating: "1234567890", count: 10) + ".00e-0001"
    #expect(try JSON.compacted(Array(" \(number)\n".utf8)) == Array(number.utf8))
  }

  @Test("The members of an object are given with the bytes of their values")
  func members() throws {
    let text = #" { "identifier" : "a\nb", "message":{ "x" :[1, {"y":2}] } ,"n": 1.50 ,"z":null, "n" : [ ] } "#
    let bytes = Array(text.utf8)
    let members = try #require(try JSON.members(of: bytes))
    #expect(members.map { String(decoding: $0.name, as: UTF8.self) } == ["identifier", "message", "n", "z", "n"])
    #expect(members.map(\.kind) == [.string, .beginObject, .number, .null, .beginArray])
    #expect(
      members.map { String(decoding: bytes[$0.value], as: UTF8.self) }
        == [#""a\nb""#, #"{ "x" :[1, {"y":2}] }"#, "1.50", "null", "[ ]"])
  }

  @Test("A member's name is compared as text, whatever is escaped in it")
  func escapedName() throws {
    let members = try JSON.members(of: Array(#"{"\u006dessage":1}"#.utf8))
    #expect(members?.first?.name == Array("message".utf8))
  }

  @Test("What is no object has no members", arguments: ["[]", #"[{"a":1}]"#, "1", #""{}""#])
  func noMembers(text: String) throws {
    #expect(try JSON.members(of: Array(text.utf8)) == nil)
  }

  @Test("An object is checked to its end before its members are given")
  func membersOfBadText() {
    #expect(throws: JSONError.self) { try JSON.members(of: Array(#"{"a":1,"b":[}"#.utf8)) }
    #expect(throws: JSONError.self) { try JSON.members(of: Array(#"{"a":1} x"#.utf8)) }
    #expect(throws: JSONError.self) { try JSON.members(of: []) }
  }

  @Test("The value of a text is found between its blanks")
  func value() throws {
    #expect(try JSON.value(in: Array("\n [1, 2] ".utf8)) == JSONToken(kind: .beginArray, range: 2..<8))
    #expect(try JSON.value(in: Array(" \"a\"".utf8)) == JSONToken(kind: .string, range: 1..<4))
  }

  @Test(
    "A string is decoded to its text",
    arguments: [
      (#""""#, ""), (#""plain é 😀""#, "plain é 😀"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
      (#""\u0041\u00e9\u6F22""#, "Aé漢"), (#""\ud83d\ude00!""#, "😀!"), (#""\uD834\uDD1E""#, "𝄞"),
      (#""a\u0000b""#, "a\0b"),
    ])
  func decoding(token: String, text: String) {
    let decoded = JSON.decodedString(Array(token.utf8), 0..<token.utf8.count)
    #expect(decoded == JSON.Text(text: Array(text.utf8), isExact: true))
  }

  @Test(
    "Half a surrogate pair is decoded to the replacement character and reported",
    arguments: [
      (#""\ud83d""#, "\u{FFFD}"), (#""\ude00x""#, "\u{FFFD}x"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
      (#""\ud83dA""#, "\u{FFFD}A"), (#""\ud83d\n""#, "\u{FFFD}\n"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
    ])
  func loneSurrogates(token: String, text: String) {
    let decoded = JSON.decodedString(Array(token.utf8), 0..<token.utf8.count)
    #expect(decoded == JSON.Text(text: Array(text.utf8), isExact: false))
  }

  @Test(
    "Text is encoded with as few escapes as the grammar allows",
    arguments: [
      ("", #""""#), ("a/é😀\u{7F}\u{2028}", "\"a/é😀\u{7F}\u{2028}\""), ("\"\\", #""\"\\""#),
      ("\0\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}", #""\u0000\u0001\u0008\t\n\u000b\u000c\r\u001f""#),
    ])
  func encoding(text: String, token: String) throws {
    let encoded = try #require(JSON.encodedString(Array(text.utf8)))
    #expect(String(decoding: encoded, as: UTF8.self) == token)
    #expect(JSON.decodedString(encoded, 0..<encoded.count).text == Array(text.utf8))
  }

  @Test("Bytes that are not text are not encoded")
  func encodingBytes() {
    #expect(JSON.encodedString([0x61, 0xFF]) == nil)
    #expect(JSON.encodedString([0xE2, 0x82]) == nil)
    #expect(JSON.encodedString([0xED, 0xA0, 0x80]) == nil)
  }
}
