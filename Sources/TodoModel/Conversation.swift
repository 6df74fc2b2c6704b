/// A line of the chat between phone and watch.
public struct ChatLine: Codable, Hashable, Sendable {
  /// Which of the two said it.
  public enum Speaker: String, Codable, Hashable, Sendable {
    case phone, watch
  }

  /// What is shown for a line with neither text nor a known reply in it.
  public static let invalid = "invalid message"

  /// Who said it.
  public let speaker: Speaker
  /// What the phone said.
  public let text: String?
  /// The number of the watch's reply.
  public let reply: Int?

  /// Makes a line of text, which the phone says.
  public init(text: String) {
    speaker = .phone
    self.text = text
    reply = nil
  }

  /// Makes a reply, which the watch says; nil stands for something that was no number.
  public init(reply: Int?) {
    speaker = .watch
    text = nil
    self.reply = reply
  }

  /// Whether the line says something.
  public var isValid: Bool { text != nil || reply.flatMap(QuickReply.init(rawValue:)) != nil }

  /// What is shown.
  public var shown: String {
    if let text { return text }
    guard let reply else { return Self.invalid }
    return QuickReply(rawValue: reply)?.text ?? "\(Self.invalid) (\(reply))"
  }
}

/// The chat as both screens show it: one value that is stored and changed as one, by whoever received a line.
public struct Conversation: Codable, Hashable, Sendable {
  /// How many lines are kept.
  public static let limit = 50

  /// The lines, oldest first.
  public private(set) var lines: [ChatLine]

  /// Makes an empty chat.
  public init() { lines = [] }

  /// Adds a line, dropping the oldest beyond the limit.
  public mutating func append(_ line: ChatLine) {
    lines.append(line)
    if lines.count > Self.limit { lines.removeFirst(lines.count - Self.limit) }
  }
}
