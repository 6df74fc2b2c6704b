import CommandLineTool
import FoundationEssentials
import Wormhole

/// `wormhole-listen --list`: a line for each identifier that has messages, transfers or a responder.
struct Listing {
  private let arguments: CommandLineArguments
  private let output: StandardOutput
  private let isJSON: Bool

  /// Lists for these arguments, prints to `output`.
  init(_ arguments: CommandLineArguments, _ output: StandardOutput) throws(ToolError) {
    self.arguments = arguments
    self.output = output
    isJSON = try arguments.messageFormat() == .json
  }

  /// Prints the lines; what cannot be read or is not there is reported, and the tool ends with what the first such error
  /// asks for.
  func run() throws(ToolError) -> ExitCode {
    let wanted = try arguments.identifiers()
    let wormhole = try arguments.inspectedWormhole()
    let summaries = try calling(wormhole.summaries)
    let now = Clock.realtime
    var code = ExitCode.success
    for identifier in wanted where !summaries.contains(where: { $0.identifier.utf8.elementsEqual(identifier.utf8) }) {
      StandardError.report(
        "wormhole-listen",
        "\(identifier) has neither messages nor transfers nor a responder in \(wormhole.directory); --list alone shows what is there"
      )
      code = .noInput
    }
    for summary in summaries {
      let isWanted = wanted.contains { $0.utf8.elementsEqual(summary.identifier.utf8) }
      guard wanted.isEmpty || isWanted else { continue }
      let line = isJSON ? object(of: summary, now: now) : text(of: summary, now: now)
      try output.write(line.utf8)
      try output.write([arguments.has(.null) ? 0x00 : 0x0A])
      for problem in summary.problems {
        StandardError.report("wormhole-listen", problem.description)
        if code == .success { code = ExitCode(problem.code) }
      }
    }
    return code
  }

  /// The line of an identifier: columns with tabs between them.
  private func text(of summary: IdentifierSummary, now: Int64) -> String {
    let columns = [
      ArchiveName.readable(summary.identifier), "\(summary.stored.messages)", "\(summary.stored.bytes)",
      summary.stored.newestSent.map { Self.age(seconds: max(0, now - $0) / 1_000_000_000) } ?? "-",
      "\(summary.outstanding)", summary.isReachable ? "reachable" : "unreachable",
    ]
    return columns.joined(separator: "\t")
  }

  /// A time in its largest unit.
  private static func age(seconds: Int64) -> String {
    switch seconds {
    case ..<60: "\(seconds)s"
    case ..<3600: "\(seconds / 60)m"
    case ..<86_400: "\(seconds / 3600)h"
    default: "\(seconds / 86_400)d"
    }
  }

  /// The object of an identifier.
  private func object(of summary: IdentifierSummary, now: Int64) -> String {
    let name = String(decoding: JSON.encodedString(summary.identifier.utf8) ?? [], as: UTF8.self)
    let stored = summary.stored
    let sent = stored.newestSent.map {
      "\"\(Timestamp.text(of: Date(timeIntervalSince1970: Double($0 / 1000) / 1_000_000)))\""
    }
    let age = stored.newestSent.map { "\(max(0, now - $0) / 1_000_000_000)" }
    return "{\"identifier\":\(name),\"messages\":\(stored.messages),\"bytes\":\(stored.bytes),"
      + "\"sent\":\(sent ?? "null"),\"age\":\(age ?? "null"),\"outstanding\":\(summary.outstanding),"
      + "\"setAside\":\(summary.setAside),\"reachable\":\(summary.isReachable),"
      + "\"responds\":\(summary.responds),\"receives\":\(summary.receives)}"
  }
}
