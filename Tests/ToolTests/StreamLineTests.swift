import CommandLineTool
import FoundationEssentials
import Testing
import Wormhole

/// The lines of `wormhole-send --stream`.
@Suite("Stream lines")
struct StreamLineTests {
  /// What a line means.
  private func read(_ text: String) throws -> StreamLine { try StreamLine(Array(text.utf8)) }

  /// What a line should look like.
  private static let form = #"{"identifier": …, "message": …} is expected"#

  /// What is sent by a line that sends JSON.
  private func json(_ text: String) -> StreamLine.Action { .send(Payload(bytes: Array(text.utf8), codec: .json)) }

  @Test(
    "A message is sent byte for byte as it stands in the line",
    arguments: [
      (#"{"identifier":"a","message":1.0e+05}"#, "1.0e+05"),
      (#" { "message" : { "x" :[ 1,  2 ] } , "identifier" : "a" , "skipped": [{}] } "#, #"{ "x" :[ 1,  2 ] }"#),
      (#"{"identifier":"\u0061","message":"\ud83d"}"#, #""\ud83d""#),
      (#"{"identifier":"a","message":null}"#, "null"),
      (#"{"identifier":"a","message":1,"event":null,"codec":null}"#, "1"),
      (#"{"identifier":"a","message":1,"event":"message","codec":"json","sequence":3}"#, "1"),
      (#"{"identifier":"a","message":1,"codec":"propertyList"}"#, "1"),
      (#"{"identifier":"b","identifier":"a","message":0,"message":1}"#, "1"),
    ])
  func messages(text: String, message: String) throws {
    let line = try read(text)
    #expect(line.identifier == "a")
    #expect(line.action == json(message))
  }

  @Test("Bytes are what their base64 means")
  func bytes() throws {
    let line = try read(#"{"identifier":"a","message":"AP8K","codec":"bytes"}"#)
    #expect(line.action == .send(Payload(bytes: [0, 255, 10], codec: .bytes)))
    let empty = try read(#"{"identifier":"a","message":"","codec":"bytes"}"#)
    #expect(empty.action == .send(Payload(bytes: [], codec: .bytes)))
  }

  @Test("Other events are what they were")
  func events() throws {
    #expect(try read(#"{"identifier":"a","event":"signal","message":null}"#).action == .signal)
    #expect(try read(#"{"identifier":"a","event":"signal"}"#).action == .signal)
    #expect(try read(#"{"identifier":"a","event":"cleared"}"#).action == .clear)
    #expect(try read(#"{"identifier":"a","event":"undecodable","message":"AA==","codec":"bytes"}"#).action == .skip)
    #expect(
      try read(
        #"{"identifier":"a","event":"undecodable","message":null,"codec":null,"sequence":null,"sent":null,"origin":null}"#
      ).action == .skip)
  }

  @Test(
    "A bad line is refused with what is wrong",
    arguments: [
      ("", "not JSON: column 1: there is no value; \(Self.form)"),
      ("{", "not JSON: column 2: the text ends too early; \(Self.form)"),
      ("[]", "no object; \(Self.form)"),
      (#"{"message":1}"#, #"the object has no "identifier"; \#(Self.form)"#),
      (#"{"identifier":null,"message":1}"#, #"the object has no "identifier"; \#(Self.form)"#),
      (#"{"identifier":1,"message":1}"#, "the identifier is no string; put it in double quotes"),
      (#"{"identifier":"a"}"#, #"the object has no "message"; \#(Self.form)"#),
      (#"{"identifier":"a","mesage":1}"#, #"unknown member "mesage"; \#(Self.form), see wormhole-send --help"#),
      (#"{"identifer":"a","message":1}"#, #"unknown member "identifer"; \#(Self.form), see wormhole-send --help"#),
      (
        #"{"identifier":"a","message":1,"Codec":"bytes"}"#,
        #"unknown member "Codec"; \#(Self.form), see wormhole-send --help"#
      ),
      (#"{"identifier":"a","message":1,"":2}"#, #"unknown member ""; \#(Self.form), see wormhole-send --help"#),
      (
        #"{"identifier":"a","message":1,"event":"signal"}"#,
        "event signal has no message; leave out \"event\" to send the message"
      ),
      (
        #"{"identifier":"a","message":{},"event":"cleared"}"#,
        "event cleared has no message; leave out \"event\" to send the message"
      ),
      (#"{"identifier":"\ud83d","message":1}"#, "the identifier has half a surrogate pair, which is no text"),
      (
        #"{"identifier":"a","message":1,"event":"other"}"#,
        "unknown event other; it is message, signal, cleared or undecodable"
      ),
      (#"{"identifier":"a","message":1,"event":1}"#, "the event is no string; put it in double quotes"),
      (#"{"identifier":"a","message":1,"codec":"xml"}"#, "unknown codec xml; it is json, propertyList or bytes"),
      (
        #"{"identifier":"a","message":"*","codec":"bytes"}"#,
        "the message of codec bytes is not base64; encode it as base64(1) does"
      ),
      (
        #"{"identifier":"a","message":1,"codec":"bytes"}"#,
        "the message of codec bytes is no string; put it in double quotes"
      ),
      (
        #"{"identifier":"a","message":null,"codec":"bytes"}"#,
        "the message of codec bytes is not base64; encode it as base64(1) does"
      ),
      (#"{"identifier":"a","message":1} x"#, "not JSON: column 32: something follows the value; \(Self.form)"),
    ])
  func refusals(text: String, message: String) {
    #expect(throws: ToolError(.badData, message)) { try read(text) }
  }

  @Test("A name without end is cut where it is told")
  func longNames() {
    let name = String(repeating: "x", count: 100_000)
    let short = String(repeating: "x", count: 40) + "…"
    #expect(throws: ToolError(.badData, #"unknown member "\#(short)"; \#(Self.form), see wormhole-send --help"#)) {
      try read(#"{"identifier":"a","message":1,"\#(name)":1}"#)
    }
    #expect(throws: ToolError(.badData, "unknown codec \(short); it is json, propertyList or bytes")) {
      try read(#"{"identifier":"a","message":1,"codec":"\#(name)"}"#)
    }
  }

  @Test("What the listener prints is sent as what it was")
  func roundTrip() throws {
    for payload in [
      Payload(bytes: Array(#"{"a":[1.50,"\n"]}"#.utf8), codec: .json),
      Payload(bytes: Array(#""text""#.utf8), codec: .json),
      Payload(bytes: Array(0...255), codec: .bytes), Payload(bytes: [], codec: .bytes),
    ] {
      let message = Message(identifier: "a/\"b\"\n", value: payload, sequence: 1, sent: Date(), origin: "o")
      for formatter in [MessageFormatter(.json), MessageFormatter(.json, isOfTransfers: true)] {
        let printed = try #require(try formatter.content(of: .message(message)))
        let line = try StreamLine(printed)
        #expect(line.identifier == message.identifier)
        #expect(line.action == .send(payload))
      }
    }
  }
}
