import FoundationEssentials
package import Wormhole

/// A line of `wormhole-send --stream`: what is to be done, and to which mailbox.
///
/// The object has `identifier` and `message`, and may have what `wormhole-listen --format json` adds: of that, `event`
/// and `codec` count, all else is passed over. So a line that was printed is sent as what it was.
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

  /// Reads a line.
  ///
  /// - Throws: 65 with what is wrong, without the number of the line.
  package init(_ line: [UInt8]) throws(ToolError) {
    let members: [JSON.Member]?
    do { members = try JSON.members(of: line) } catch {
      throw ToolError(.badData, "not JSON: \(error.description(in: line))")
    }
    guard let members else { throw ToolError(.badData, "no object; {\"identifier\": …, \"message\": …} is expected") }
    func member(_ name: String) -> JSON.Member? { members.last { $0.name.elementsEqual(name.utf8) } }

    guard let identifier = try Self.text(member("identifier"), in: line, "identifier") else {
      throw Self.missing("identifier", of: members)
    }
    self.identifier = identifier
    let codec = try Self.text(member("codec"), in: line, "codec")
    let event = try Self.text(member("event"), in: line, "event") ?? "message"
    switch event {
    case "signal": action = .signal
    case "cleared": action = .clear
    case "undecodable": action = .skip
    case "message":
      guard let message = member("message") else { throw Self.missing("message", of: members) }
      action = .send(try Self.payload(message, codec: codec, in: line))
    case "file": throw ToolError(.badData, "files do not go with --stream; send them with --transfer-file")
    default: throw ToolError(.badData, "unknown event \(event)")
    }
  }

  /// The members that a line may have: those that count here, and those that only tell of what was printed.
  private static let names = Set(
    ["identifier", "message", "event", "codec"]
      + ["sequence", "sent", "origin", "skipped", "redelivered", "file", "name", "size"])

  /// The error of a member that is not there, with those that may have been meant for it.
  private static func missing(_ name: String, of members: [JSON.Member]) -> ToolError {
    let unknown = members.map { String(decoding: $0.name, as: UTF8.self) }.filter { !names.contains($0) }
    let remark = unknown.isEmpty ? "" : "; it has \(unknown.map { "\"\($0)\"" }.joined(separator: ", ")) instead"
    return ToolError(.badData, "the object has no \"\(name)\"\(remark)")
  }

  /// The payload of a message: its bytes as they stand in the line, or those that its base64 means.
  private static func payload(_ message: JSON.Member, codec: String?, in line: [UInt8]) throws(ToolError) -> Payload {
    switch codec {
    // A property list has been printed as JSON, and JSON is what can be sent of it.
    case nil, "json", "propertyList": return Payload(bytes: Array(line[message.value]), codec: .json)
    case "bytes":
      guard let text = try text(message, in: line, "message of codec bytes"),
        let data = Data(base64Encoded: text)
      else { throw ToolError(.badData, "the message of codec bytes is not base64") }
      return Payload(bytes: Array(data), codec: .bytes)
    case .some(let name): throw ToolError(.badData, "unknown codec \(name)")
    }
  }

  /// The text of a member that is a string, nil when there is no such member or it is null.
  private static func text(_ member: JSON.Member?, in line: [UInt8], _ what: String) throws(ToolError) -> String? {
    guard let member, member.kind != .null else { return nil }
    guard member.kind == .string else { throw ToolError(.badData, "the \(what) is no string") }
    let decoded = JSON.decodedString(line, member.value)
    guard decoded.isExact else { throw ToolError(.badData, "the \(what) has half a surrogate pair, which is no text") }
    return String(decoding: decoded.text, as: UTF8.self)
  }
}
