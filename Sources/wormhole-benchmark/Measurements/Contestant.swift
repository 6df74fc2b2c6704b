import Glibc

/// Something that is measured in turns with others.
protocol Contestant: AnyObject {
  /// Takes so many samples.
  func play(_ count: Int, into samples: inout Samples) throws(BenchmarkError)
  /// The process that plays with this one; nil when this one plays alone.
  var opponent: pid_t? { get }
}

extension Contestant {
  var opponent: pid_t? { nil }
}

/// A contestant before it is made, with the name by which its figure is found again.
struct Entry {
  /// What a newcomer reads in the tables.
  let name: String
  /// Makes it, or says why it cannot be.
  let make: () throws -> any Contestant
}

/// How long contestants play.
struct Pace {
  /// How often each has its turn.
  var rounds: Int
  /// How many samples a turn gives.
  var samples: Int
  /// How many samples at the beginning of each turn are not counted, while caches and clocks get warm.
  var warmUp: Int
}
