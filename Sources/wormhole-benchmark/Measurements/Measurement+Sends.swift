import Wormhole

extension Measurement {
  /// How fast one thread sends, and reads what is stored, when nobody listens.
  static let sends = Measurement(name: "sends", summary: "Sending and reading, one thread, 128 bytes, nobody listens") {
    (context) throws(BenchmarkError) in
    var findings = Findings()
    for place in context.places {
      let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 128)
      let reading = Reading(bytes: 128)
      func wormhole(_ name: String) throws -> Wormhole { try Wormhole(directory: try place.folder(name)) }
      func floor(_ name: String) throws(BenchmarkError) -> LogFloor {
        try LogFloor(directory: try place.folder(name), mine: "note", theirs: nil, bytes: 128)
      }
      let pace = Pace(rounds: context.choose(quick: 5, full: 20), samples: 5, warmUp: 1)

      let sends = try Results(
        [
          Entry(name: "send bytes") {
            let wormhole = try wormhole("sends-bytes")
            return Repeated(batch: 400, .rate) { try wormhole.passMessage(bytes, identifier: "note") }
          },
          Entry(name: "send a Codable struct") {
            let wormhole = try wormhole("sends-structure")
            return Repeated(batch: 400, .rate) { try wormhole.passMessage(reading, identifier: "note") }
          },
          Entry(name: "bare calls") {
            let floor = try floor("sends-floor")
            return Repeated(batch: 400, .rate) { try floor.send() }
          },
          Entry(name: "temporary + rename") {
            let floor = try RenameFloor(.first, directory: try place.folder("sends-rename"), bytes: 128)
            return Repeated(batch: 100, .rate) { try floor.send() }
          },
        ], pace: pace, unit: .perSecond, activity: "sends on \(place.fileSystem)")
      findings.rows += [
        sends.row("send bytes", on: place, beside: "bare calls", bar: .ratioAtLeast(0.8)),
        sends.row("send a Codable struct", on: place, beside: "bare calls"),
        sends.row("send bytes", on: place, beside: "temporary + rename"),
      ]

      let reads = try Results(
        [
          Entry(name: "read stored bytes") {
            let wormhole = try wormhole("reads")
            try wormhole.passMessage(bytes, identifier: "note")
            return Repeated(batch: 400, .rate) { _ = try wormhole.message([UInt8].self, identifier: "note") }
          },
          Entry(name: "bare calls") {
            let floor = try floor("reads-floor")
            try floor.send()
            return Repeated(batch: 400, .rate) { try floor.readOwn() }
          },
        ], pace: pace, unit: .perSecond, activity: "reads on \(place.fileSystem)")
      findings.rows.append(reads.row("read stored bytes", on: place, beside: "bare calls"))

      let durable = try Results(
        [
          Entry(name: "send bytes, durable") {
            let wormhole = try wormhole("durable")
            return Repeated(batch: 4, .rate) {
              try wormhole.passMessage(bytes, identifier: "note", durability: .durable)
            }
          },
          Entry(name: "bare calls and fdatasync") {
            let floor = try floor("durable-floor")
            return Repeated(batch: 4, .rate) { try floor.append(isDurable: true) }
          },
        ], pace: pace, unit: .perSecond, activity: "durable sends on \(place.fileSystem)")
      findings.rows.append(durable.row("send bytes, durable", on: place, beside: "bare calls and fdatasync"))

      findings.series += sends.series(on: place) + reads.series(prefix: "reading: ", on: place)
      findings.series += durable.series(on: place)
    }
    return findings
  }
}
