/// How a listener is given what comes.
public struct ListeningOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Options of these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// All messages and signals that the mailbox still holds, not only the newest; `skipped` tells how many are missing.
  public static let every = ListeningOptions(rawValue: 1 << 0)
  /// The message that is stored when the listening begins comes first, if there is one; a signal is not stored.
  /// With `every`, all messages that the mailbox holds then.
  public static let startingWithStored = ListeningOptions(rawValue: 1 << 1)
  /// What the same `Wormhole` object has sent is left out, and not counted as skipped.
  public static let ignoringOwn = ListeningOptions(rawValue: 1 << 2)
}
