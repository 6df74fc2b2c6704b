import FoundationEssentials
import Wormhole

/// An event as a JSON object in one line; every object has the same members, null where there is nothing.
struct EventObject {
  private(set) var bytes: [UInt8] = []

  /// The object of an event; `isTransfer` adds whether a message is redelivered.
  init(_ event: Event<Payload>, isTransfer: Bool) {
    switch event {
    case .message(let message):
      if let json = try? message.value.json(), let compact = try? JSON.compacted(json) {
        write("message", message, compact, message.value.codec, isTransfer)
      } else if message.value.codec == .bytes {
        write("message", message, Self.base64(message.value.bytes), .bytes, isTransfer)
      } else {
        write("undecodable", message, Self.base64(message.value.bytes), .bytes, isTransfer)
      }
    case .signal(let message): write("signal", message, nil, nil, isTransfer)
    case .cleared(let identifier): write("cleared", identifier, nil as Message<Void>?, nil, nil, isTransfer)
    case .undecodable(let message, _):
      if let payload = message.value {
        write("undecodable", message, Self.base64(payload.bytes), .bytes, isTransfer)
      } else {
        // What cannot be read at all tells neither its number nor its sender.
        write("undecodable", message.identifier, nil as Message<Void>?, nil, nil, isTransfer)
      }
    }
  }

  /// The object of a file that was saved: its metadata are the message, and three members tell of the file.
  init(_ message: Message<Payload?>, file place: String, name: String, size: Int) {
    let metadata = message.value
    let json = metadata.flatMap { try? $0.json() }.flatMap { try? JSON.compacted($0) }
    let value = json ?? metadata.map { Self.base64($0.bytes) }
    write("file", message, value, metadata.map { json == nil ? .bytes : $0.codec }, true)
    bytes.removeLast()
    member(",", "file", Self.string(place))
    member(",", "name", Self.string(name))
    member(",", "size", Array("\(size)".utf8))
    bytes.append(UInt8(ascii: "}"))
  }

  /// Writes the object of something that was sent.
  private mutating func write<Value>(
    _ event: String, _ message: Message<Value>, _ value: [UInt8]?, _ codec: Codec?, _ isTransfer: Bool
  ) {
    write(event, message.identifier, message, value, codec, isTransfer)
  }

  /// Writes the object.
  private mutating func write<Value>(
    _ event: String, _ identifier: String, _ message: Message<Value>?, _ value: [UInt8]?, _ codec: Codec?,
    _ isTransfer: Bool
  ) {
    let null = Array("null".utf8)
    member("{", "identifier", Self.string(identifier))
    member(",", "event", Self.string(event))
    member(",", "message", value ?? null)
    member(",", "codec", codec.map { Self.string($0.name) } ?? null)
    member(",", "sequence", message.map { Array("\($0.sequence)".utf8) } ?? null)
    member(",", "sent", message.map { Self.string(Timestamp.text(of: $0.sent)) } ?? null)
    member(",", "origin", message.map { Self.string($0.origin) } ?? null)
    member(",", "skipped", message.map { Array("\($0.skipped)".utf8) } ?? null)
    if isTransfer { member(",", "redelivered", message.map { Array("\($0.isRedelivered)".utf8) } ?? null) }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Appends a member.
  private mutating func member(_ separator: String, _ name: String, _ value: [UInt8]) {
    bytes += Array("\(separator)\"\(name)\":".utf8)
    bytes += value
  }

  /// Text as a JSON string.
  private static func string(_ text: String) -> [UInt8] { JSON.encodedString(text.utf8) ?? [] }

  /// Bytes as a JSON string in base64.
  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8(ascii: "\"")] + Array(Data(bytes).base64EncodedData()) + [UInt8(ascii: "\"")]
  }
}
