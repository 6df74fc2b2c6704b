package import Wormhole

/// How messages are printed: the arguments of `--format`.
package enum MessageFormat: String, CaseIterable, Sendable {
  /// A line for people and scripts.
  case text
  /// An object with all that is known, a line each.
  case json
  /// The payload verbatim.
  case raw
}

/// Makes of an event what is printed of it.
package struct MessageFormatter: Sendable {
  /// How messages are printed.
  package let format: MessageFormat
  private let showsIdentifier: Bool
  private let terminator: [UInt8]
  private let isOfTransfers: Bool

  /// A formatter.
  ///
  /// - Parameters:
  ///   - format: How messages are printed.
  ///   - showsIdentifier: Whether a line of text begins with the identifier.
  ///   - endsWithNull: Whether a message ends with NUL instead of a line end.
  ///   - isOfTransfers: Whether objects tell of redelivery.
  package init(
    _ format: MessageFormat, showsIdentifier: Bool = false, endsWithNull: Bool = false, isOfTransfers: Bool = false
  ) {
    self.format = format
    self.showsIdentifier = showsIdentifier
    self.isOfTransfers = isOfTransfers
    terminator = endsWithNull ? [0x00] : format == .raw ? [] : [0x0A]
  }

  /// What is printed of an event, nil when the format leaves it out.
  ///
  /// - Throws: 65 when a message is not what its codec says, which objects tell as `undecodable`.
  package func line(of event: Event<Payload>) throws(ToolError) -> [UInt8]? {
    guard let content = try content(of: event) else { return nil }
    return content + terminator
  }

  /// What is printed of a file that was saved: its place, or an object.
  package func line(of file: ReceivedFile, savedAt place: String) -> [UInt8] {
    if format == .json {
      let message = Message(
        identifier: file.identifier, value: file.metadata, sequence: file.sequence, sent: file.sent,
        origin: file.origin, isRedelivered: file.isRedelivered)
      return EventObject(message, file: place, name: file.name, size: file.size).bytes + terminator
    }
    let prefix = showsIdentifier ? "\(ArchiveName.readable(file.identifier))\t" : ""
    // The place of a file with --format raw ends as it does with text: there is nothing else to print it for.
    return Array("\(prefix)\(place)".utf8) + (terminator.isEmpty ? [0x0A] : terminator)
  }

  /// What is printed of an event without the end of the line, nil when the format leaves it out.
  package func content(of event: Event<Payload>) throws(ToolError) -> [UInt8]? {
    if format == .json { return EventObject(event, isTransfer: isOfTransfers).bytes }
    guard case .message(let message) = event else { return nil }
    guard format == .text else { return message.value.bytes }
    do {
      let prefix = showsIdentifier ? Array("\(ArchiveName.readable(message.identifier))\t".utf8) : []
      return prefix + (try message.value.displayed())
    } catch {
      throw ToolError(
        .badData,
        "message \(message.sequence) of \(message.identifier) is \(error); print it with --format raw to see it")
    }
  }
}

/// Why a payload is not what its codec says.
struct PayloadFault: Error, CustomStringConvertible {
  /// What it is not, and where.
  let description: String
}

extension Payload {
  /// The payload as people read it: a JSON string as its text, other JSON compact, a property list as JSON, bytes as
  /// they are.
  func displayed() throws(PayloadFault) -> [UInt8] {
    guard let json = try json() else { return bytes }
    do {
      let value = try JSON.value(in: json)
      return value.kind == .string ? JSON.decodedString(json, value.range).text : try JSON.compacted(json)
    } catch {
      throw PayloadFault(description: "not JSON (\(error.description(in: json)))")
    }
  }

  /// The payload as JSON: that it is, or that a property list becomes; nil for bytes.
  func json() throws(PayloadFault) -> [UInt8]? {
    switch codec {
    case .json: return bytes
    case .propertyList:
      guard let json = PropertyList.json(of: bytes) else { throw PayloadFault(description: "no property list") }
      return json
    case .bytes: return nil
    }
  }
}

extension Codec {
  /// The name of the codec in objects.
  var name: String {
    switch self {
    case .json: "json"
    case .propertyList: "propertyList"
    case .bytes: "bytes"
    }
  }
}
