extension Measurement {
  /// All measurements, in the order of a full run.
  static let all: [Measurement] = [
    latency, sizes, sends, bursts, transfers, requests, apart, identifiers, wormholes, bystanders, crowd, startup, idle,
    large,
  ]

  /// The names with what they stand for, a line each.
  static var list: String {
    var table = Table([("Name", .left), ("What it measures", .left)])
    for measurement in all { table.add([measurement.name, measurement.summary]) }
    return table.text
  }
}
