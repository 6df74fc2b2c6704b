import CommandLineTool
import FoundationEssentials
import Testing
import Wormhole

/// What is printed of messages and other events.
@Suite("Message formats")
struct MessageFormatTests {
  /// An event with a message of these bytes.
  private func event(_ bytes: some Sequence<UInt8>, _ codec: Codec, identifier: String = "note") -> Event<Payload> {
    .message(message(Payload(bytes: Array(bytes), codec: codec), identifier: identifier))
  }

  /// A message with a value.
  private func message<Value>(_ value: Value, identifier: String = "note") -> Message<Value> {
    Message(
      identifier: identifier, value: value, sequence: 7, sent: Date(timeIntervalSince1970: 1_700_000_000.5),
      origin: "me \"too\"", skipped: 2, isRedelivered: true)
  }

  /// What a formatter prints, as text.
  private func line(_ formatter: MessageFormatter, _ event: Event<Payload>) throws -> String? {
    try formatter.line(of: event).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The property list that the library archives for `value`.
  private func propertyList(_ value: some Encodable) throws -> [UInt8] {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return Array(try encoder.encode([value]))
  }

  @Test("Text shows strings as text, other JSON compact, bytes as they are")
  func text() throws {
    let formatter = MessageFormatter(.text)
    #expect(try line(formatter, event(#" "a\n\u00e9" "#.utf8, .json)) == "a\né\n")
    #expect(try line(formatter, event(" { \"a\" : [ 1.0e+05 ,\n2 ] } ".utf8, .json)) == "{\"a\":[1.0e+05,2]}\n")
    #expect(try line(formatter, event(#""""#.utf8, .json)) == "\n")
    #expect(try formatter.line(of: event([0, 0xFF, 0x0A], .bytes)) == [0, 0xFF, 0x0A, 0x0A])
    #expect(try line(formatter, event(try propertyList(["a": 1]), .propertyList)) == "{\"a\":1}\n")
    #expect(try line(formatter, event(try propertyList("text"), .propertyList)) == "text\n")
  }

  @Test("Text begins with the identifier as in its file name where that is asked for")
  func identifier() throws {
    let formatter = MessageFormatter(.text, showsIdentifier: true)
    #expect(try line(formatter, event("1".utf8, .json, identifier: "a/b\tc%")) == "a%2Fb%09c%25\t1\n")
    #expect(try line(MessageFormatter(.raw, showsIdentifier: true), event("1".utf8, .json)) == "1")
  }

  @Test("A message ends with NUL where that is asked for, a raw one with nothing else")
  func end() throws {
    #expect(try line(MessageFormatter(.text, endsWithNull: true), event("1".utf8, .json)) == "1\0")
    #expect(try line(MessageFormatter(.raw, endsWithNull: true), event("1".utf8, .json)) == "1\0")
    #expect(try line(MessageFormatter(.raw), event(" 1\n".utf8, .json)) == " 1\n")
    #expect(try MessageFormatter(.text).content(of: event("1".utf8, .json)) == Array("1".utf8))
  }

  @Test("Text and raw leave other events out")
  func otherEvents() throws {
    let error = WormholeError(.damagedArchive, reason: "damaged")
    for format in [MessageFormat.text, .raw] {
      let formatter = MessageFormatter(format)
      #expect(try formatter.line(of: .signal(message(()))) == nil)
      #expect(try formatter.line(of: .cleared(identifier: "note")) == nil)
      #expect(try formatter.line(of: .undecodable(message(nil), error)) == nil)
    }
  }

  @Test("An object tells all that is known, in one line")
  func object() throws {
    let formatter = MessageFormatter(.json)
    let rest = #""sequence":7,"sent":"2023-11-14T22:13:20.500000Z","origin":"me \"too\"","skipped":2}"# + "\n"
    #expect(
      try line(formatter, event("[ 1,\n\"x\" ]".utf8, .json))
        == #"{"identifier":"note","event":"message","message":[1,"x"],"codec":"json","# + rest)
    #expect(
      try line(formatter, event([0, 255], .bytes, identifier: "a/\n"))
        == #"{"identifier":"a/\n","event":"message","message":"AP8=","codec":"bytes","# + rest)
    #expect(
      try line(formatter, event(try propertyList([Data([1])]), .propertyList))
        == #"{"identifier":"note","event":"message","message":["AQ=="],"codec":"propertyList","# + rest)
    #expect(
      try line(formatter, .signal(message(())))
        == #"{"identifier":"note","event":"signal","message":null,"codec":null,"# + rest)
  }

  @Test("The object of what is no message has null where nothing is known")
  func objectWithoutMessage() throws {
    let formatter = MessageFormatter(.json)
    let error = WormholeError(.damagedArchive, reason: "damaged")
    #expect(
      try line(formatter, .cleared(identifier: "note"))
        == #"{"identifier":"note","event":"cleared","message":null,"codec":null,"#
        + #""sequence":null,"sent":null,"origin":null,"skipped":null}"# + "\n")
    let start = #"{"identifier":"note","event":"undecodable","#
    #expect(
      try line(formatter, .undecodable(message(nil), error))
        == start + #""message":null,"codec":null,"sequence":null,"sent":null,"origin":null,"skipped":null}"# + "\n")
    let payload = Payload(bytes: [1], codec: .json)
    #expect(
      try line(formatter, .undecodable(message(payload), error))?.hasPrefix(
        start + #""message":"AQ==","codec":"bytes","#)
        == true)
  }

  @Test("The object of a transfer tells whether it is redelivered")
  func redelivery() throws {
    let line = try line(MessageFormatter(.json, isOfTransfers: true), event("1".utf8, .json))
    #expect(line?.hasSuffix(#","skipped":2,"redelivered":true}"# + "\n") == true)
  }

  @Test("A message that is not what its codec says is refused as text, undecodable as an object, and verbatim when raw")
  func badPayload() throws {
    for codec in [Codec.json, .propertyList] {
      let event = event("[1,]".utf8, codec)
      #expect(throws: ToolError.self) { try MessageFormatter(.text).line(of: event) }
      let object = try line(MessageFormatter(.json), event)
      #expect(object?.contains(#""event":"undecodable","message":"WzEsXQ==","codec":"bytes""#) == true)
      #expect(try line(MessageFormatter(.raw), event) == "[1,]")
    }
  }

  @Test("Every object is one line of JSON, whatever the message holds")
  func objectsAreJSON() throws {
    var random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let bytes = (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }
      for codec in Codec.allCases {
        let line = try #require(try MessageFormatter(.json).line(of: event(bytes, codec, identifier: "\u{1}\"\\")))
        try JSON.check(line)
        #expect(line.firstIndex(of: 0x0A) == line.count - 1)
      }
    }
  }
}
