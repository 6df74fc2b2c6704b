extension Measurement {
  /// One-way latency of short messages, beside the floor and everything else on the machine.
  static let latency = Measurement(name: "latency", summary: "One way, a message of 128 bytes") {
    (context) throws(BenchmarkError) in
    var findings = Findings()
    for place in context.places {
      let bytes = 128
      let ways: [Way] = [.log, .rename, .unix, .zeromq, .redis, .mqtt, .nats, .dbus]
      let results = try Results(
        subjects(place, bytes: bytes)
          + ways.map { way in
            Entry(name: way.title) { try EndpointRally(way, in: place, context, bytes: bytes) }
          },
        pace: Pace(rounds: context.choose(quick: 5, full: 25), samples: 200, warmUp: 20), unit: .microseconds,
        activity: "latency on \(place.fileSystem)", areApart: context.areApart)

      let main = title(.handler, .structure)
      findings.rows += [
        results.row(main, on: place, beside: Way.log.title, bar: .ratioAtMost(1.25)),
        results.row(title(.sequence, .structure), on: place, beside: Way.log.title, bar: .ratioAtMost(1.6)),
        results.row(title(.sequenceOnThread, .structure), on: place, beside: Way.log.title),
        results.row(title(.handler, .bytes), on: place, beside: Way.log.title),
        results.row(title(.sequence, .bytes), on: place, beside: Way.log.title),
        results.row(title(.sequenceOnThread, .bytes), on: place, beside: Way.log.title),
      ]
      for way: Way in [.dbus, .redis, .mqtt, .nats] {
        findings.rows.append(results.row(main, on: place, beside: way.title, bar: .below))
      }
      for way: Way in [.zeromq, .unix, .rename] {
        findings.rows.append(results.row(main, on: place, beside: way.title))
      }
      findings.series += results.series(on: place)
    }
    return findings
  }

  /// One-way latency by the length of the message.
  static let sizes = Measurement(name: "sizes", summary: "One way, by the length of the message") {
    (context) throws(BenchmarkError) in
    var findings = Findings()
    for place in context.places {
      for bytes in [0, 4096, 1 << 20] {
        let ways: [Way] = [.log, .rename, .unix, .zeromq, .redis, .mqtt, .nats, .dbus]
        let isLarge = bytes > 65_536
        let name = bytes == 0 ? "0 bytes" : bytes == 4096 ? "4 KiB" : "1 MiB"
        let results = try Results(
          subjects(place, bytes: bytes)
            + ways.map { way in
              Entry(name: way.title) { try EndpointRally(way, in: place, context, bytes: bytes) }
            },
          pace: Pace(
            rounds: context.choose(quick: 3, full: 10), samples: isLarge ? 10 : 100, warmUp: isLarge ? 2 : 10),
          unit: .microseconds, activity: "\(name) on \(place.fileSystem)")
        for shape in Shape.allCases {
          for hearing in Hearing.allCases {
            let subject = title(hearing, shape)
            findings.rows.append(results.row(subject, as: "\(name), \(subject)", on: place, beside: Way.log.title))
          }
        }
        for way in ways.dropFirst() {
          let subject = title(.handler, .bytes)
          findings.rows.append(results.row(subject, as: "\(name), \(subject)", on: place, beside: way.title))
        }
        findings.series += results.series(prefix: "\(name), ", on: place)
      }
    }
    return findings
  }

  /// The library in each shape and each way of hearing.
  private static func subjects(_ place: Place, bytes: Int) -> [Entry] {
    Shape.allCases.flatMap { shape in
      Hearing.allCases.map { hearing in
        Entry(name: title(hearing, shape)) {
          let setting = WormholeSetting(
            directory: try place.folder("rally-\(shape.rawValue)-\(hearing.rawValue)-\(bytes)"))
          return switch shape {
          case .bytes:
            try WormholeRally(
              [UInt8](repeating: UInt8(ascii: "x"), count: bytes), shape: shape, bytes: bytes, hearing: hearing,
              setting: setting)
          case .structure:
            try WormholeRally(Reading(bytes: bytes), shape: shape, bytes: bytes, hearing: hearing, setting: setting)
          }
        }
      }
    }
  }

  /// How the tables call the library in a shape and way of hearing.
  private static func title(_ hearing: Hearing, _ shape: Shape) -> String { "\(hearing.title), \(shape.title)" }
}

extension EndpointRally {
  /// Both ends of a way: a floor in a directory of its own in this place, a peer wherever it is.
  convenience init(_ way: Way, in place: Place, _ context: Context, bytes: Int) throws(BenchmarkError) {
    switch way {
    case .log, .rename: try self.init(way, at: place.folder("\(way.rawValue)-\(bytes)"), bytes: bytes)
    default: try self.init(way, at: context.peers.address(of: way), bytes: bytes)
    }
  }
}
