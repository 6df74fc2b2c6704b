import Glibc
import Wormhole

extension Measurement {
  /// The largest message there can be, beside copying a file of its length.
  static let large = Measurement(name: "large", summary: "A message of 64 MiB, sent and read, and cp there and back") {
    (context) throws(BenchmarkError) in
    var findings = Findings()
    let size = 64 << 20
    for place in context.places {
      let message = [UInt8](repeating: UInt8(ascii: "x"), count: size)
      let copies = try place.folder("large-copies")
      func sendAndRead(_ wormhole: Wormhole) throws {
        try wormhole.passMessage(message, identifier: "large")
        let read = try wormhole.message([UInt8].self, identifier: "large")
        guard read?.count == size else { throw BenchmarkError("the message came back otherwise") }
      }
      let results = try Results(
        [
          Entry(name: "the first of its size") {
            let wormhole = try Wormhole(directory: try place.folder("large-first"))
            return Prepared(
              Repeated(batch: 1, .milliseconds) { try sendAndRead(wormhole) },
              before: { try wormhole.clearMessage(identifier: "large") })
          },
          Entry(name: "after others of its size") {
            let wormhole = try Wormhole(directory: try place.folder("large-again"))
            return Repeated(batch: 1, .milliseconds) { try sendAndRead(wormhole) }
          },
          Entry(name: "cp there and back") {
            try write(message, to: "\(copies)/original")
            return Prepared(
              Repeated(batch: 1, .milliseconds) {
                try copy("\(copies)/original", to: "\(copies)/there")
                try copy("\(copies)/there", to: "\(copies)/back")
              },
              before: {
                unlink("\(copies)/there")
                unlink("\(copies)/back")
              })
          },
        ],
        pace: Pace(rounds: context.choose(quick: 3, full: 10), samples: 1, warmUp: 0), unit: .milliseconds,
        activity: "64 MiB on \(place.fileSystem)")
      findings.rows += [
        results.row("the first of its size", on: place, beside: "cp there and back", bar: .ratioAtMost(2)),
        results.row("after others of its size", on: place, beside: "cp there and back", bar: .ratioAtMost(2)),
      ]
      findings.series += results.series(on: place)
    }
    return findings
  }

  /// Copies a file with cp(1), its blocks and not only a reference to them.
  private static func copy(_ from: String, to: String) throws(BenchmarkError) {
    let program = ProcessImage.find("cp") ?? "/bin/cp"
    let code = try ChildProcess(program, ["--reflink=never", from, to], output: .null).waitForExit()
    guard code == 0 else { throw BenchmarkError("cp ended with \(code)") }
  }

  /// Writes a file.
  private static func write(_ bytes: [UInt8], to path: String) throws(BenchmarkError) {
    let file = try checked("making \(path)", open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600))
    defer { close(file) }
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw .failed("writing \(path)") }
  }
}

/// A contestant before whose every sample something is done that is not measured.
final class Prepared: Contestant {
  private let contestant: any Contestant
  private let before: () throws -> Void

  /// Does `before` before each sample of `contestant`.
  init(_ contestant: any Contestant, before: @escaping () throws -> Void) {
    self.contestant = contestant
    self.before = before
  }

  func play(_ count: Int, into samples: inout Samples) throws(BenchmarkError) {
    for _ in 0..<count {
      try translating { try before() }
      try contestant.play(1, into: &samples)
    }
  }
}
