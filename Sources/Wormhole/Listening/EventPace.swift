/// How soon events come one after the other: whether it is worth looking for the next one before sleeping.
struct EventPace {
  /// How long the next event is looked for before the thread sleeps, in nanoseconds, when they come briskly.
  ///
  /// About twice what it takes to fall asleep and to be woken: so looking in vain costs no more than was spared before.
  static let patience: UInt64 = 100_000

  /// Whether the last two events came so soon one after the other that the next one may come within the patience.
  private(set) var isBrisk = false
  private var last: UInt64 = 0

  /// Takes in that events were read at this time of the monotonic clock, in nanoseconds.
  mutating func note(_ time: UInt64) {
    isBrisk = last > 0 && time - last < 2 * Self.patience
    last = time
  }
}
