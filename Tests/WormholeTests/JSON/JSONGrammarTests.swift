import TestSupport
import Testing
import Wormhole

/// What the scanner accepts and refuses.
@Suite("JSON grammar", .ownThread)
struct JSONGrammarTests {
  @Test(
    "Every value of the grammar is accepted",
    arguments: [
      "null", "true", "false", "0", "-0", "1", "-1", "10", "123456789", "0.0", "-0.5", "1.25e10", "1E+2", "1e-2", "0e0",
      "0E+1", "1e99999", String(repeating: "9", count: 1000), "0." + String(repeating: "0", count: 1000) + "1",
      #""""#, #""a""#, #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\uabCD""#, #""\ud83d\ude00""#, #""\ud800""#,
      #""\udc00x""#,
      #""\uDEAD\uBEEF""#, "\"\u{7F}\"", "\"\u{2028}\u{FEFF}\u{10FFFF}\u{FFFE}\"", "\"é漢😀\"",
      "[]", "[ ]", "[1]", "[1,2]", "[[],[[]]]", "{}", "{ }", #"{"a":1}"#, #"{"":0,"":1}"#, #"{"a":{"b":[]},"c":null}"#,
      " 1 ", "\t\n\r [\t1\n,\r2 ] \n", "\n{ \"a\" :\t1 }\n", "[1,\"a\",null,true,false,{\"b\":[]}]",
    ])
  func accepted(text: String) throws {
    try JSON.check(Array(text.utf8))
  }

  @Test(
    "What is not in the grammar is refused where it stands",
    arguments: [
      ("", 0, .empty), (" \n", 2, .empty), ("\u{FEFF}1", 0, .byteOrderMark),
      ("]", 0, .valueExpected), (",", 0, .valueExpected), ("a", 0, .valueExpected), ("'a'", 0, .valueExpected),
      ("+1", 0, .valueExpected), (".5", 0, .valueExpected), ("\u{A0}1", 0, .valueExpected),
      ("/**/1", 0, .valueExpected),
      ("\u{0B}1", 0, .valueExpected), ("\u{0}", 0, .valueExpected), ("NaN", 0, .valueExpected),
      ("[1,]", 3, .valueExpected), ("[,1]", 1, .valueOrEndExpected), ("[,]", 1, .valueOrEndExpected),
      ("[1,,2]", 3, .valueExpected), ("[}", 1, .valueOrEndExpected), ("[1}", 2, .commaOrBracketExpected),
      ("[1 2]", 3, .commaOrBracketExpected), ("[1", 2, .endsEarly), ("[", 1, .endsEarly), ("[1,", 3, .endsEarly),
      ("{", 1, .endsEarly), ("{]", 1, .nameOrEndExpected), ("{a:1}", 1, .nameOrEndExpected),
      ("{1:1}", 1, .nameOrEndExpected),
      (#"{"a"}"#, 4, .colonExpected), (#"{"a",1}"#, 4, .colonExpected), (#"{"a":}"#, 5, .valueExpected),
      (#"{"a":1,}"#, 7, .nameExpected), (#"{"a":1]"#, 6, .commaOrBraceExpected),
      (#"{"a":1 "b":2}"#, 7, .commaOrBraceExpected),
      (#"{"a"::1}"#, 5, .valueExpected), (#"{"a":1"#, 6, .endsEarly), (#"{"a""#, 4, .endsEarly),
      ("1 2", 2, .endExpected), ("[]]", 2, .endExpected), ("{}}", 2, .endExpected), ("nullnull", 4, .endExpected),
      ("1,", 1, .endExpected), ("\"a\"\u{0}", 3, .endExpected), ("[] // no", 3, .endExpected),
      ("nul", 3, .endsEarly), ("nulL", 0, .unknownWord), ("True", 0, .valueExpected), ("falsy", 0, .unknownWord),
      ("truth", 0, .unknownWord), ("01", 1, .leadingZero), ("-01", 2, .leadingZero), ("00", 1, .leadingZero),
      ("-", 1, .endsEarly), ("-a", 1, .digitExpected), ("1.", 2, .endsEarly), ("1.e1", 2, .digitExpected),
      ("1e", 2, .endsEarly), ("1e+", 3, .endsEarly), ("1e+-1", 3, .digitExpected), ("0x1", 1, .endExpected),
      ("1.5.5", 3, .endExpected), ("1e1.5", 3, .endExpected), ("--1", 1, .digitExpected), ("-.5", 1, .digitExpected),
      ("\"", 1, .endsEarly), ("\"a", 2, .endsEarly), ("\"\\", 2, .endsEarly), ("\"\\\"", 3, .endsEarly),
      ("\"\n\"", 1, .controlCharacter), ("\"\t\"", 1, .controlCharacter), ("\"\u{0}\"", 1, .controlCharacter),
      ("\"\u{1F}\"", 1, .controlCharacter), (#""\a""#, 1, .unknownEscape), (#""\x41""#, 1, .unknownEscape),
      (#""\U0041""#, 1, .unknownEscape), (#""\'""#, 1, .unknownEscape), (#""\u12""#, 5, .hexadecimalDigitExpected),
      (#""\u12G4""#, 5, .hexadecimalDigitExpected), (#""\u123"#, 6, .endsEarly),
    ] as [(String, Int, JSONError.Reason)])
  func refused(text: String, offset: Int, reason: JSONError.Reason) {
    #expect(throws: JSONError(offset: offset, reason: reason)) { try JSON.check(Array(text.utf8)) }
  }

  @Test(
    "Bytes that are not UTF-8 are refused in strings",
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
      [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) {
    #expect(throws: JSONError(offset: 2, reason: .invalidUTF8)) {
      try JSON.check([0x22, 0x61] + bytes + [0x22])
    }
    // Also where the text ends within the character, and where no string is open.
    #expect(throws: JSONError.self) { try JSON.check([0x22] + bytes) }
    #expect(throws: JSONError(offset: 0, reason: .valueExpected)) { try JSON.check(bytes) }
  }

  @Test("Every Unicode scalar is accepted as itself")
  func everyScalar() throws {
    var text = "\""
    for value in UInt32(0x20)...0x10FFFF where value != 0x22 && value != 0x5C {
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    }
    try JSON.check(Array(text.utf8) + [0x22])
  }

  @Test("A hundred thousand brackets are accepted when they match and refused when they do not")
  func depth() throws {
    let count = 100_000
    let open = [UInt8](repeating: 0x5B, count: count)
    let close = [UInt8](repeating: 0x5D, count: count)
    try JSON.check(open + close)
    #expect(try JSON.compacted(open + close) == open + close)
    #expect(throws: JSONError(offset: count, reason: .endsEarly)) { try JSON.check(open) }
    #expect(throws: JSONError(offset: count + 1, reason: .commaOrBracketExpected)) {
      try JSON.check(open + [0x31, 0x7D])
    }
    #expect(throws: JSONError(offset: 2 * count, reason: .endExpected)) { try JSON.check(open + close + [0x5D]) }

    let objects = Array(String(repeating: #"{"a":["#, count: count).utf8)
    let ends = Array(String(repeating: "]}", count: count).utf8)
    try JSON.check(objects + ends)
    #expect(throws: JSONError.self) { try JSON.check(objects + ends.reversed()) }
  }

  @Test("An error names its place and reason in one line")
  func description() {
    let error = JSONError(offset: 12, reason: .leadingZero)
    // Characters count as one column each, and so do bytes that are none.
    for (text, place) in [
      ("123456789012", "line 1, column 13"), ("1\n\n\n901234567890", "line 4, column 9"),
      ("1234567890\n\n", "line 3, column 1"),
      ("12345678é€?", "line 1, column 11"),
    ] {
      #expect(error.description(in: Array(text.utf8)) == "\(place): a number has no leading zero")
    }
    #expect(
      error.description(in: Array(repeating: 0xFF, count: 20)) == "line 1, column 13: a number has no leading zero")
    #expect(error.description(in: [], isLine: true) == "column 1: a number has no leading zero")
    #expect("\(error)" == "byte 12: a number has no leading zero")
  }
}
