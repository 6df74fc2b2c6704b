import Wormhole

extension Measurement {
  /// What a send and a wake-up cost with few and with many identifiers.
  static let identifiers = Measurement(
    name: "identifiers", summary: "The cost against the number of identifiers in the directory, all listened to"
  ) { (context) throws(BenchmarkError) in
    var findings = Findings()
    for place in context.places {
      let counts = [1, 100, 10_000]
      var settings: [WormholeSetting] = []
      for count in counts {
        let setting = WormholeSetting(directory: try place.folder("identifiers-\(count)"), identifiers: count)
        Cleanup.note(activity: "making \(count) identifiers on \(place.fileSystem)")
        try translating { try setting.fill() }
        settings.append(setting)
      }
      let message = [UInt8](repeating: UInt8(ascii: "x"), count: 128)

      let sends = try Results(
        settings.map { setting in
          Entry(name: name(setting)) {
            let wormhole = try Wormhole(directory: setting.directory)
            return Repeated(batch: 200, .microseconds) { try wormhole.passMessage(message, identifier: "note") }
          }
        },
        pace: Pace(rounds: context.choose(quick: 5, full: 20), samples: 5, warmUp: 1), unit: .microseconds,
        activity: "sends among identifiers on \(place.fileSystem)")
      let rallies = try Results(
        settings.map { setting in
          Entry(name: name(setting)) {
            try WormholeRally(message, shape: .bytes, bytes: 128, hearing: .handler, setting: setting)
          }
        },
        pace: Pace(rounds: context.choose(quick: 5, full: 20), samples: 200, warmUp: 20), unit: .microseconds,
        activity: "wake-ups among identifiers on \(place.fileSystem)")

      for (results, title) in [(sends, "a send"), (rallies, "one way")] {
        for setting in settings.dropFirst() {
          findings.rows.append(
            results.row(
              name(setting), as: "\(title), \(name(setting))", on: place, beside: name(settings[0]),
              bar: setting.identifiers == 10_000 ? .ratioAtMost(1.2) : nil))
        }
        findings.series += results.series(prefix: "\(title), ", on: place)
      }
    }
    return findings
  }

  /// What it costs to have many wormholes open.
  static let wormholes = Measurement(
    name: "wormholes", summary: "The cost against the number of wormholes in a process, all listening"
  ) { (context) throws(BenchmarkError) in
    var findings = Findings()
    for place in context.places {
      for isShared in [true, false] {
        let folder = try place.folder(isShared ? "wormholes-shared" : "wormholes-apart")
        let process = try ChildProcess(
          ProcessImage.own, Role.open.arguments(folder, isShared ? "shared" : "apart", "1000"))
        try process.wait(for: "ready")
        let few = try ProcessStatus(of: process.identifier)
        try process.write(line: "more")
        try process.wait(for: "ready")
        let many = try ProcessStatus(of: process.identifier)
        let title = isShared ? "1,000 on one directory" : "1,000 on as many directories"
        findings.rows += [
          Row(
            subject: "\(title): inotify instances", place: place.fileSystem,
            figure: .single(Double(many.inotifyInstances), .count), bar: .atMost(1)),
          Row(
            subject: "\(title): threads beside the main one", place: place.fileSystem,
            figure: .single(Double(many.threads - 1), .count), bar: .atMost(1)),
          Row(
            subject: "\(title): memory of each", place: place.fileSystem,
            figure: .single((many.resident - few.resident) / 999, .kibibytes), bar: .atMost(5)),
        ]
      }
      let message = [UInt8](repeating: UInt8(ascii: "x"), count: 128)
      let rallies = try Results(
        [1, 1000].map { count in
          Entry(name: count == 1 ? "1 wormhole" : "1,000 wormholes") {
            let setting = WormholeSetting(directory: try place.folder("wormholes-\(count)"), wormholes: count)
            return try WormholeRally(message, shape: .bytes, bytes: 128, hearing: .handler, setting: setting)
          }
        },
        pace: Pace(rounds: context.choose(quick: 5, full: 20), samples: 200, warmUp: 20), unit: .microseconds,
        activity: "wake-ups among wormholes on \(place.fileSystem)")
      findings.rows.append(
        rallies.row("1,000 wormholes", as: "one way, 1,000 wormholes", on: place, beside: "1 wormhole"))
      findings.series += rallies.series(prefix: "one way, ", on: place)
    }
    return findings
  }

  /// How the tables call a setting.
  private static func name(_ setting: WormholeSetting) -> String {
    setting.identifiers == 1 ? "1 identifier" : "\(Double(setting.identifiers).text(decimals: 0)) identifiers"
  }
}
