import FoundationEssentials
package import Wormhole

/// A line of `wormhole-send --stream`: what is to be done, and to which mailbox.
///
/// The object has `identifier` and `message`, and may have what `wormhole-listen --format json` adds: of that, `event`
/// and `codec` count, all else is passed over. So a line that was printed is sent as what it was. What has any other name
/// is refused: it is more often a slip of the fingers than something that may be lost.
package struct StreamLine: Equatable, Sendable {
  /// What is to be done.
  package enum Action: Equatable, Sendable {
    /// A message is to be sent.
    case send(Payload)
    /// A signal is to be sent.
    case signal
    /// The mailbox is to be cleared.
    case clear
    /// Nothing: the line tells of something that nobody could decode.
    case skip
  }

  /// The mailbox.
  package let identifier: String
  /// What is to be done.
  package let action: Action

  /// The members that count.
  private static let counting = ["identifier", "message", "event", "codec"]
  /// The members that the listener prints besides.
  private static let printed = ["sequence", "sent", "origin", "skipped", "redelivered", "file", "name", "size"]
  /// What a line should look like.
  private static let form = #"{"identifier": …, "message": …} is expected"#

  /// Reads a line.
  ///
  /// - Throws: 65 with what is wrong, without the number of the line.
  package init(_ line: [UInt8]) throws(ToolError) {
    let members: [JSON.Member]?
    do { members = try JSON.members(of: line) } catch {
      throw ToolError(.badData, "not JSON: \(error.description(in: line, isLine: true)); \(Self.form)")
    }
    guard let members else { throw ToolError(.badData, "no object; \(Self.form)") }
    for member in members {
      let name = String(decoding: member.name, as: UTF8.self)
      guard !Self.counting.contains(name), !Self.printed.contains(name) else { continue }
      throw ToolError(.badData, "unknown member \"\(Self.cut(name))\"; \(Self.form), see wormhole-send --help")
    }
    func member(_ name: String) -> JSON.Member? { members.last { $0.name.elementsEqual(name.utf8) } }

    guard let identifier = try Self.text(member("identifier"), in: line, "identifier") else {
      throw ToolError(.badData, "the object has no \"identifier\"; \(Self.form)")
    }
    self.identifier = identifier
    let codec = try Self.text(member("codec"), in: line, "codec")
    let event = try Self.text(member("event"), in: line, "event") ?? "message"
    let message = member("message")
    switch event {
    case "signal", "cleared":
      guard message.map({ $0.kind == .null }) ?? true else {
        throw ToolError(.badData, "event \(event) has no message; leave out \"event\" to send the message")
      }
      action = event == "signal" ? .signal : .clear
    case "undecodable": action = .skip
    case "message":
      guard let message else { throw ToolError(.badData, "the object has no \"message\"; \(Self.form)") }
      action = .send(try Self.payload(message, codec: codec, in: line))
    case "file": throw ToolError(.badData, "files do not go with --stream; send them with --transfer-file")
    default:
      throw ToolError(.badData, "unknown event \(Self.cut(event)); it is message, signal, cleared or undecodable")
    }
  }

  /// A text as errors show it: no longer than a line of them should be.
  private static func cut(_ text: String) -> String { text.count > 40 ? text.prefix(40) + "…" : text }

  /// The payload of a message: its bytes as they stand in the line, or those that its base64 means.
  private static func payload(_ message: JSON.Member, codec: String?, in line: [UInt8]) throws(ToolError) -> Payload {
    switch codec {
    // A property list has been printed as JSON, and JSON is what can be sent of it.
    case nil, "json", "propertyList": return Payload(bytes: Array(line[message.value]), codec: .json)
    case "bytes":
      guard let text = try text(message, in: line, "message of codec bytes"),
        let data = Data(base64Encoded: text)
      else { throw ToolError(.badData, "the message of codec bytes is not base64; encode it as base64(1) does") }
      return Payload(bytes: Array(data), codec: .bytes)
    case .some(let name): throw ToolError(.badData, "unknown codec \(cut(name)); it is json, propertyList or bytes")
    }
  }

  /// The text of a member that is a string, nil when there is no such member or it is null.
  private static func text(_ member: JSON.Member?, in line: [UInt8], _ what: String) throws(ToolError) -> String? {
    guard let member, member.kind != .null else { return nil }
    guard member.kind == .string else { throw ToolError(.badData, "the \(what) is no string; put it in double quotes") }
    let decoded = JSON.decodedString(line, member.value)
    guard decoded.isExact else { throw ToolError(.badData, "the \(what) has half a surrogate pair, which is no text") }
    return String(decoding: decoded.text, as: UTF8.self)
  }
}
