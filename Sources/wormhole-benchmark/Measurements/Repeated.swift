import Wormhole

/// One thing done again and again by one thread, timed in batches.
final class Repeated: Contestant {
  /// What a sample says of a batch.
  enum Sample {
    /// How many a second.
    case rate
    /// How many microseconds each took.
    case microseconds
    /// How many milliseconds each took.
    case milliseconds
  }

  private let batch: Int
  private let sample: Sample
  private let body: () throws -> Void

  /// Does `body` in batches of so many.
  init(batch: Int, _ sample: Sample, _ body: @escaping () throws -> Void) {
    self.batch = batch
    self.sample = sample
    self.body = body
  }

  func play(_ count: Int, into samples: inout Samples) throws(BenchmarkError) {
    for _ in 0..<count {
      let start = Clock.monotonic
      try translating { for _ in 0..<batch { try body() } }
      let nanoseconds = Double(Clock.monotonic - start)
      let value =
        switch sample {
        case .rate: Double(batch) * 1_000_000_000 / nanoseconds
        case .microseconds: nanoseconds / 1000 / Double(batch)
        case .milliseconds: nanoseconds / 1_000_000 / Double(batch)
        }
      samples.append(value)
    }
  }
}
