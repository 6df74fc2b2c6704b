/// A message of the D-Bus wire protocol, little-endian: writing it, and reading what matters of it.
struct DBusMessage {
  /// The kinds of message.
  enum Kind: UInt8 { case call = 1, reply = 2, error = 3, signal = 4 }

  /// The header fields that are used here, by their code.
  enum Field: UInt8 {
    case path = 1, interface = 2, member = 3, replySerial = 5, destination = 6, sender = 7, signature = 8
  }

  /// What a message carries.
  enum Body {
    case none
    case text(String)
    case bytes([UInt8])
  }

  /// Where the serial number stands, for messages that are sent again and again.
  static let serialOffset = 8

  /// The bytes of a message.
  static func bytes(
    _ kind: Kind, serial: UInt32, texts: [(Field, String)], replySerial: UInt32? = nil, body: Body = .none
  ) -> [UInt8] {
    var content: [UInt8] = []
    var signature = ""
    switch body {
    case .none: break
    case .text(let text):
      signature = "s"
      append(text: text, to: &content)
    case .bytes(let bytes):
      signature = "ay"
      append(UInt32(bytes.count), to: &content)
      content += bytes
    }

    // Byte order, kind, no flags, protocol version, length of the body, serial, length of the fields, the fields.
    var message: [UInt8] = [UInt8(ascii: "l"), kind.rawValue, 0, 1]
    append(UInt32(content.count), to: &message)
    append(serial, to: &message)
    append(0, to: &message)
    func open(_ field: Field, _ type: Character) {
      align(&message, to: 8)
      message += [field.rawValue, 1, type.asciiValue ?? 0, 0]
    }
    for (field, text) in texts {
      open(field, field == .path ? "o" : "s")
      append(text: text, to: &message)
    }
    if let replySerial {
      open(.replySerial, "u")
      append(replySerial, to: &message)
    }
    if !signature.isEmpty {
      open(.signature, "g")
      message += [UInt8(signature.utf8.count)] + Array(signature.utf8) + [0]
    }
    var fields: [UInt8] = []
    append(UInt32(message.count - 16), to: &fields)
    message.replaceSubrange(12..<16, with: fields)
    align(&message, to: 8)
    return message + content
  }

  /// What kind of message it is.
  let kind: UInt8
  /// Its number, to reply to.
  let serial: UInt32
  /// The number of the call that it answers.
  private(set) var replySerial: UInt32 = 0
  /// The name of the method or signal.
  private(set) var member = ""
  /// Who sent it.
  private(set) var sender = ""
  /// The text in the body, where that is one.
  private(set) var text = ""

  /// The size of the message at the front of `bytes`, of which 16 are there.
  static func size(_ bytes: UnsafeRawBufferPointer) -> Int {
    let fields = Int(number(bytes, 12))
    return 16 + (fields + 7) / 8 * 8 + Int(number(bytes, 4))
  }

  /// Reads a whole message.
  init(_ bytes: UnsafeRawBufferPointer) {
    kind = bytes[1]
    serial = Self.number(bytes, 8)
    let end = 16 + Int(Self.number(bytes, 12))
    var offset = 16
    var signature = ""
    while offset + 4 < end {
      let field = Field(rawValue: bytes[offset])
      let type = bytes[offset + 2]
      offset += 4
      switch type {
      case UInt8(ascii: "u"):
        if field == .replySerial { replySerial = Self.number(bytes, offset) }
        offset += 4
      case UInt8(ascii: "g"):
        signature = String(decoding: bytes[(offset + 1)...].prefix(Int(bytes[offset])), as: UTF8.self)
        offset += Int(bytes[offset]) + 2
      default:
        let length = Int(Self.number(bytes, offset))
        if field == .member || field == .sender {
          let text = String(decoding: bytes[(offset + 4)...].prefix(length), as: UTF8.self)
          if field == .member { member = text } else { sender = text }
        }
        offset += 4 + length + 1
      }
      offset = (offset + 7) / 8 * 8
    }
    let body = (end + 7) / 8 * 8
    if signature == "s" {
      text = String(decoding: bytes[(body + 4)...].prefix(Int(Self.number(bytes, body))), as: UTF8.self)
    }
  }

  /// A number of four bytes.
  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Adds a number of four bytes; the place is aligned by what stands before it.
  private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Adds a text: its length, its bytes, a NUL.
  private static func append(text: String, to bytes: inout [UInt8]) {
    append(UInt32(text.utf8.count), to: &bytes)
    bytes += Array(text.utf8) + [0]
  }

  /// Fills up with zeros.
  private static func align(_ bytes: inout [UInt8], to size: Int) {
    while bytes.count % size != 0 { bytes.append(0) }
  }
}
