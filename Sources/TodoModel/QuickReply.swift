/// A reply that the watch has ready; it travels as its number.
public enum QuickReply: Int, CaseIterable, Hashable, Sendable {
  case hello = 1
  case thankYou
  case howAreYou
  case iHearYou

  /// What the reply says.
  public var text: String {
    switch self {
    case .hello: "Hello"
    case .thankYou: "Thank you"
    case .howAreYou: "How are you?"
    case .iHearYou: "I hear you"
    }
  }
}
