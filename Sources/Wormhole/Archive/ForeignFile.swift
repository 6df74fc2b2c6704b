import FoundationEssentials

/// A regular file that is no archive, read as one message: somebody moved or copied it to the archive's name.
struct ForeignFile {
  /// Which state of which file it is.
  let position: Position
  /// Its content as a message.
  let record: Record

  /// Reads the file; nil when it changed meanwhile.
  ///
  /// A file that is copied into place, instead of moved, may be seen half.
  init?(_ file: borrowing FileDescriptor, _ status: FileStatus) throws(Errno) {
    var complete = false
    let bytes = try [UInt8](room: status.size) { (room, count) throws(Errno) in
      count = try file.read(into: room, at: 0)
      complete = count == status.size
    }
    guard complete, try file.status().version == status.version else { return nil }
    position = Position(identity: status.version, sequence: 1)
    record = Record(
      payload: Payload(bytes: bytes, codec: Self.codec(of: bytes)), sequence: 1, sent: status.changed, sender: 0,
      origin: "")
  }

  /// JSON when the whole of it parses, else a property list when it parses, else bytes.
  static func codec(of bytes: [UInt8]) -> Codec {
    if (try? JSON.check(bytes)) != nil { return .json }
    return isPropertyList(bytes) ? .propertyList : .bytes
  }

  /// Whether it is a binary or an XML property list.
  private static func isPropertyList(_ bytes: [UInt8]) -> Bool {
    guard PropertyList.isBearable(bytes) else { return false }
    return (try? PropertyListDecoder().decode(Anything.self, from: Data(bytes))) != nil
  }

  /// Decodes from whatever there is.
  private struct Anything: Decodable {
    init(from decoder: any Decoder) {}
  }
}
