import Glibc
import Wormhole

extension Measurement {
  /// What a send costs while many processes listen to something else.
  static let bystanders = Measurement(
    name: "bystanders", summary: "A send while other processes listen to other identifiers of the directory"
  ) { (context) throws(BenchmarkError) in
    var findings = Findings()
    for place in context.places {
      for count in [10, 100] {
        let crowded = try place.folder("bystanders-\(count)")
        let alone = try place.folder("bystanders-none-\(count)")
        var processes: [ChildProcess] = []
        for index in 0..<count {
          let arguments = Role.listen.arguments(crowded, WormholeSetting.other(index))
          processes.append(try ChildProcess(ProcessImage.own, arguments))
        }
        for process in processes { try process.wait(for: "ready") }

        // The first send makes a name in the directory, of which all are told; what counts is every send after it.
        let message = [UInt8](repeating: UInt8(ascii: "x"), count: 128)
        try translating { _ = try Wormhole(directory: crowded).passMessage(message, identifier: "note") }
        let before = try settledSwitches(of: processes)
        let title = "\(count) processes listen"
        let results = try Results(
          [(title, crowded), ("nobody listens", alone)].map { name, directory in
            Entry(name: name) {
              let wormhole = try Wormhole(directory: directory)
              return Repeated(batch: 200, .microseconds) { try wormhole.passMessage(message, identifier: "note") }
            }
          },
          pace: Pace(rounds: context.choose(quick: 5, full: 20), samples: 5, warmUp: 1), unit: .microseconds,
          activity: "\(title) on \(place.fileSystem)")
        let after = try settledSwitches(of: processes)

        let isFull = count == 100
        findings.rows += [
          results.row(title, on: place, beside: "nobody listens", bar: isFull ? .ratioAtMost(1.1) : nil),
          Row(
            subject: "wake-ups among these \(count) by all these sends", place: place.fileSystem,
            figure: .single(Double(after - before), .count), bar: isFull ? .atMost(0) : nil),
        ]
        findings.series += results.series(on: place)
      }
    }
    return findings
  }

  /// The same once it stands still: being set up, a process goes to sleep only after it said so.
  private static func settledSwitches(of processes: [ChildProcess]) throws(BenchmarkError) -> Int {
    var last = try switches(of: processes)
    for _ in 0..<50 {
      usleep(100_000)
      let now = try switches(of: processes)
      if now == last { break }
      last = now
    }
    return last
  }

  /// How often these processes have been given a processor.
  private static func switches(of processes: [ChildProcess]) throws(BenchmarkError) -> Int {
    var sum = 0
    for process in processes { sum += try ProcessStatus(of: process.identifier).switches }
    return sum
  }
}
