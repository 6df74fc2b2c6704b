import Glibc

/// What came of contestants that were measured in turns.
struct Results {
  private var samples: [(name: String, samples: Samples)] = []
  private var reasons: [String: String] = [:]
  private let unit: Figure.Unit

  /// Lets all play in turns, each round in another order, so that whatever drifts drifts for all.
  ///
  /// One that fails drops out; the others play on. With `areApart`, this program and the one that a contestant plays with
  /// are kept on a processor each; servers run wherever the kernel lets them.
  init(
    _ entries: [Entry], pace: Pace, unit: Figure.Unit, activity: String, areApart: Bool = false
  ) throws(BenchmarkError) {
    self.unit = unit
    var players: [(index: Int, contestant: any Contestant)] = []
    for (index, entry) in entries.enumerated() {
      Cleanup.note(activity: "\(activity): starting \(entry.name)")
      samples.append((entry.name, Samples()))
      do {
        players.append((index, try entry.make()))
      } catch {
        reasons[entry.name] = "\(error)"
      }
    }
    let processors = try Processors.own()
    defer { if areApart { try? processors.keep(getpid()) } }
    if areApart {
      let (mine, theirs) = try processors.apart()
      // Servers have been started by now, and are not kept from any processor.
      try mine.keep(getpid())
      for (_, contestant) in players { if let process = contestant.opponent { try theirs.keep(process) } }
    }
    for round in 0..<pace.rounds {
      Progress.show(activity, done: round, of: pace.rounds)
      for turn in players.indices {
        let (index, contestant) = players[(turn + round) % players.count]
        guard reasons[entries[index].name] == nil else { continue }
        do throws(BenchmarkError) {
          var ignored = Samples()
          if pace.warmUp > 0 { try contestant.play(pace.warmUp, into: &ignored) }
          try contestant.play(pace.samples, into: &samples[index].samples)
        } catch {
          reasons[entries[index].name] = error.description
          Progress.report("\(activity), \(entries[index].name): \(error)")
        }
      }
    }
    Progress.clear()
  }

  /// The figure of a contestant, nil when it could not play to the end.
  func figure(_ name: String) -> Figure? {
    guard reasons[name] == nil else { return nil }
    return samples.first { $0.name == name }?.samples.figure(unit)
  }

  /// A line that sets one contestant beside another.
  func row(
    _ subject: String, as title: String? = nil, on place: Place? = nil, beside reference: String? = nil, bar: Bar? = nil
  ) -> Row {
    let missing = [subject, reference].compactMap { name in
      name.flatMap { name in reasons[name].map { "\(name): \($0)" } }
    }
    return Row(
      subject: title ?? subject, place: place?.fileSystem, figure: figure(subject), reference: reference,
      referenceFigure: reference.flatMap { figure($0) }, bar: bar,
      note: missing.isEmpty ? nil : missing.joined(separator: "; "))
  }

  /// The percentiles of all that played.
  func series(prefix: String = "", on place: Place? = nil) -> [Series] {
    samples.compactMap { name, _ in
      figure(name).map { Series(name: prefix + name, place: place?.fileSystem, figure: $0) }
    }
  }
}
