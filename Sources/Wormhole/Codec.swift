import FoundationEssentials

/// How a value is written as bytes.
public enum Codec: UInt8, Sendable, CaseIterable {
  /// JSON, RFC 8259.
  case json = 1
  /// An Apple property list.
  case propertyList = 2
  /// Bytes as they are.
  case bytes = 3
}

/// The bytes of a message as they are archived, and how they are to be read.
///
/// A payload that is passed as a message is stored verbatim, and a message received as `Payload` is not decoded at all.
/// `[UInt8]` and `Data` are stored verbatim too, with the codec `bytes`.
public struct Payload: Codable, Hashable, Sendable {
  /// The bytes.
  public var bytes: [UInt8]
  /// How they are to be read.
  public var codec: Codec

  /// Makes a payload.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - codec: How they are to be read.
  public init(bytes: [UInt8], codec: Codec) {
    self.bytes = bytes
    self.codec = codec
  }
}

extension Codec: Codable {}

extension Payload {
  /// One encoder for all: any thread may use it, and to make one takes a twentieth of what it then does.
  private static let encoder = JSONEncoder()
  /// One decoder for all, likewise.
  private static let decoder = JSONDecoder()

  /// Encodes a value; payloads and bytes pass verbatim.
  ///
  /// - Throws: `.cannotEncode` with what the encoder said.
  package init(encoding value: some Encodable, codec: Codec) throws(WormholeError) {
    let type = type(of: value)
    if type == Payload.self { self = identical(value, Payload.self); return }
    if type == [UInt8].self { self.init(bytes: identical(value, [UInt8].self), codec: .bytes); return }
    if type == Data.self { self.init(bytes: [UInt8](identical(value, Data.self)), codec: .bytes); return }
    do {
      switch codec {
      case .json: self.init(bytes: [UInt8](try Self.encoder.encode(value)), codec: .json)
      case .propertyList:
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        // The encoder refuses a lone string or number at the top: every value travels in an array of one.
        self.init(bytes: [UInt8](try encoder.encode([value])), codec: .propertyList)
      case .bytes:
        throw WormholeError(
          .cannotEncode,
          reason: "\(type) is no bytes; pass [UInt8] or Data, or choose the codec .json or .propertyList")
      }
    } catch let error as WormholeError {
      throw error
    } catch {
      throw WormholeError(.cannotEncode, reason: "\(type) cannot be encoded: \(Self.explanation(error))")
    }
  }

  /// Decodes a value; payloads and bytes pass verbatim.
  ///
  /// - Throws: `.cannotDecode` with what the decoder said.
  package func decoded<Value: Decodable>(as type: Value.Type, identifier: String) throws(WormholeError) -> Value {
    if type == Payload.self { return identical(self, type) }
    if type == [UInt8].self { return identical(bytes, type) }
    if type == Data.self { return identical(Data(bytes), type) }
    do {
      switch codec {
      case .json: return try Self.decoder.decode(type, from: Data(bytes))
      case .propertyList:
        guard PropertyList.isBearable(bytes) else {
          throw WormholeError(
            .cannotDecode,
            reason: "message of \(identifier) is no property list, or holds itself, or is nested too deep; "
              + "read it as Payload to see its bytes")
        }
        let decoder = PropertyListDecoder()
        // A list that another program wrote need not be an array of one.
        if let values = try? decoder.decode([Value].self, from: Data(bytes)), values.count == 1 { return values[0] }
        return try decoder.decode(type, from: Data(bytes))
      case .bytes:
        throw WormholeError(
          .cannotDecode, reason: "message of \(identifier) is bytes, not \(type); read it as [UInt8], Data or Payload")
      }
    } catch let error as WormholeError {
      throw error
    } catch {
      throw WormholeError(
        .cannotDecode,
        reason:
          "message of \(identifier) is no \(type): \(Self.explanation(error)); read it as Payload to see its bytes")
    }
  }

  /// What a coder's error says, without the values themselves.
  private static func explanation(_ error: any Error) -> String {
    switch error {
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      place(context.codingPath) + text(context.debugDescription)
    case DecodingError.keyNotFound(let key, let context): place(context.codingPath) + "no value for \(key.stringValue)"
    case EncodingError.invalidValue(_, let context): place(context.codingPath) + text(context.debugDescription)
    default: "\(error)"
    }
  }

  /// A coder's sentence without its full stop, since it goes on here.
  private static func text(_ sentence: String) -> String {
    sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
  }

  private static func place(_ codingPath: [any CodingKey]) -> String {
    codingPath.isEmpty ? "" : codingPath.map(\.stringValue).joined(separator: ".") + ": "
  }
}

/// The value as what it is: `other` must be its own type under another name, as that of a generic parameter.
///
/// A cast would ask the runtime for what two types have to do with each other, which takes longer than all the rest for
/// bytes, and would find any empty array to be one of bytes.
@inline(__always)
private func identical<Value, Other>(_ value: Value, _ other: Other.Type) -> Other {
  precondition(Value.self == Other.self)
  return unsafeBitCast(value, to: other)
}
