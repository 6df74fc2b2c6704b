import Wormhole

extension Measurement {
  /// Many sends at once, and one listener.
  static let bursts = Measurement(
    name: "bursts", summary: "A burst of sends: from the first send until another process has heard the last"
  ) { (context) throws(BenchmarkError) in
    var findings = Findings()
    for place in context.places {
      for burst in [10, 100, 1000] {
        findings.append(
          try audience(1, burst: burst, title: "\(burst) sends", bar: nil, on: place, context))
      }
    }
    return findings
  }

  /// One send, and many listeners.
  static let crowd = Measurement(
    name: "crowd", summary: "Many processes listen to one identifier: until the last of them has heard"
  ) { (context) throws(BenchmarkError) in
    var findings = Findings()
    for place in context.places {
      for size in [1, 10, 100] {
        let title = size == 1 ? "1 process" : "\(size) processes"
        findings.append(
          try audience(
            size, burst: 1, title: title, bar: size == 100 ? .ratioAtMost(1.5) : nil, on: place, context))
      }
    }
    return findings
  }

  /// The library and the floor before an audience of the same size.
  private static func audience(
    _ size: Int, burst: Int, title: String, bar: Bar?, on place: Place, _ context: Context
  ) throws(BenchmarkError) -> Findings {
    func entry(_ medium: Medium, _ name: String) -> Entry {
      Entry(name: name) {
        let folder = try place.folder("audience-\(medium.rawValue)-\(size)-\(burst)")
        return try Audience(medium, size: size, burst: burst, directory: folder)
      }
    }
    let results = try Results(
      [entry(.wormhole, "last to hear"), entry(.floor, "bare calls")],
      pace: Pace(rounds: context.choose(quick: 2, full: 6), samples: context.choose(quick: 5, full: 25), warmUp: 0),
      unit: .microseconds, activity: "\(title) on \(place.fileSystem)")
    var row = results.row("last to hear", as: title, on: place, beside: "bare calls", bar: bar)
    if bar != nil, row.note == nil, !isStatic(ProcessImage.own) {
      row.note = "linked dynamically: each process has pages of its own that those of a static program share"
    }
    return Findings(rows: [row], series: results.series(prefix: "\(title): ", on: place))
  }
}
