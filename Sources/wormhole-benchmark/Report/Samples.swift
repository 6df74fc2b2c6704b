/// What was measured again and again, in one unit.
struct Samples: Sendable {
  private var values: [Double] = []

  /// Adds one measurement.
  mutating func append(_ value: Double) { values.append(value) }

  /// Adds several.
  mutating func append(contentsOf other: some Sequence<Double>) { values.append(contentsOf: other) }

  /// How many there are.
  var count: Int { values.count }

  /// Median and outer percentiles, nil when nothing was measured.
  func figure(_ unit: Figure.Unit) -> Figure? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    // The value at rank n·p/100, the rule that the C programs beside which this is read use too.
    func percentile(_ percent: Int) -> Double { sorted[sorted.count * percent / 100] }
    return Figure(
      median: percentile(50), p90: sorted.count >= 10 ? percentile(90) : nil,
      p99: sorted.count >= 100 ? percentile(99) : nil, unit: unit, count: sorted.count)
  }
}
