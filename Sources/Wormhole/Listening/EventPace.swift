/// How soon events come one after the other: whether it is worth looking for the next one before sleeping.
struct EventPace {
  /// How long the next event is looked for before the thread sleeps, in nanoseconds, when they come briskly.
  ///
  /// Longer than an exchange between two tasks takes, each resumed on another processor, decoding and answering; below
  /// that, every step of such an exchange would begin with a processor that slept. Since events must come within twice
  /// this time for it, no more than half of the time is spent in looking.
  static let patience: UInt64 = 200_000

  /// Whether the last two events came so soon one after the other that the next one may come within the patience.
  private(set) var isBrisk = false
  private var last: UInt64 = 0

  /// Takes in that events were read at this time of the monotonic clock, in nanoseconds.
  mutating func note(_ time: UInt64) {
    isBrisk = last > 0 && time - last < 2 * Self.patience
    last = time
  }
}
