extension Measurement {
  /// Transfers end to end.
  static let transfers = Measurement(
    name: "transfers", summary: "Transfers from one process to another, 128 bytes each, none lost or out of order"
  ) { (context) throws(BenchmarkError) in
    var findings = Findings()
    for place in context.places {
      let batch = context.choose(quick: 5000, full: 20_000)
      func entry(_ medium: Medium, _ name: String) -> Entry {
        Entry(name: name) {
          let folder = try place.folder("transfers-\(medium.rawValue)")
          return try TransferRun(medium, directory: folder, bytes: 128, batch: batch)
        }
      }
      let results = try Results(
        [entry(.wormhole, "sent and received"), entry(.floor, "bare calls")],
        pace: Pace(rounds: context.choose(quick: 3, full: 15), samples: 1, warmUp: 0), unit: .perSecond,
        activity: "transfers on \(place.fileSystem)")
      findings.rows.append(
        results.row("sent and received", on: place, beside: "bare calls", bar: .atLeast(100_000)))
      findings.series += results.series(on: place)
    }
    return findings
  }
}
