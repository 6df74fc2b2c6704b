/// A struct of three fields, as programs pass them.
struct Reading: Codable, Sendable {
  /// A number.
  var sensor: Int
  /// A fraction.
  var value: Double
  /// A text, which makes it as long as is wanted.
  var text: String

  /// How long the JSON is without the text.
  static let overhead = #"{"sensor":7,"value":21.5,"text":""}"#.utf8.count

  /// A reading whose JSON takes so many bytes, or its least.
  init(bytes: Int) {
    sensor = 7
    value = 21.5
    text = String(repeating: "x", count: max(0, bytes - Self.overhead))
  }
}

/// What is passed.
enum Shape: String, CaseIterable {
  /// Bytes, which travel as they are.
  case bytes
  /// A Codable struct, which travels as JSON.
  case structure

  /// What a newcomer reads in the tables.
  var title: String { self == .bytes ? "bytes" : "a Codable struct" }
}

/// How it is heard.
enum Hearing: String, CaseIterable {
  /// A handler, called on the library's thread.
  case handler
  /// An AsyncSequence, in a task of its own.
  case sequence
  /// The same in a task that prefers the library's thread.
  case sequenceOnThread

  /// What a newcomer reads in the tables.
  var title: String {
    switch self {
    case .handler: "handler"
    case .sequence: "AsyncSequence"
    case .sequenceOnThread: "AsyncSequence on Wormhole.executor"
    }
  }
}

/// A message of bytes that begins with its number.
enum NumberedBytes {
  /// The bytes of a message.
  static func make(_ number: UInt64, bytes: Int) -> [UInt8] {
    var message = [UInt8](repeating: UInt8(ascii: "x"), count: max(8, bytes))
    set(number, in: &message)
    return message
  }

  /// Puts another number into a message.
  static func set(_ number: UInt64, in message: inout [UInt8]) {
    message.withUnsafeMutableBytes { $0.storeBytes(of: number, as: UInt64.self) }
  }

  /// The number of a message, 0 when it has none.
  static func number(of message: [UInt8]) -> UInt64 {
    message.withUnsafeBytes { $0.count < 8 ? 0 : $0.loadUnaligned(as: UInt64.self) }
  }
}
