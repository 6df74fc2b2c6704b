/// A place of which something unreadable was told keeps the place before it, so that what a listener was given once does
/// not come again when the archive is put right: the upper bits of the sequence say that, and which state was told.
extension Position {
  private static let mark: UInt64 = 1 << 63
  private static let stateBits: UInt64 = 0x7FFF << 48

  /// The place after having told of an unreadable state at `position`.
  static func unreadable(state: UInt64, after position: Position?) -> Position {
    let base = position?.readable ?? Position(identity: 0, sequence: 0)
    return Position(
      identity: base.identity, sequence: base.sequence | mark | (state << 48 & stateBits))
  }

  /// The place before the unreadable state, itself when there is none; nil when nothing was ever read.
  package var readable: Position? {
    guard sequence & Self.mark != 0 else { return self }
    let sequence = sequence & ArchiveLayout.largestSequence
    return identity == 0 && sequence == 0 ? nil : Position(identity: identity, sequence: sequence)
  }
}
