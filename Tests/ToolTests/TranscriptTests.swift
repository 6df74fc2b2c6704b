import Glibc
import TestSupport
import Testing

/// The real tools, run as they are recorded in `Fixtures/transcripts`.
@Suite("Transcripts", .ownThread)
struct TranscriptTests {
  @Test("The tools print and end exactly as recorded", arguments: try Self.names())
  func transcript(name: String) throws {
    var session = try Session()
    for step in try Transcript(try Self.text(name)).steps { try session.take(step, of: name) }
    #expect(session.isOver, "\(name) leaves a listener running")
  }

  @Test(
    "Every option that a tool's help shows is used in a transcript", arguments: ["wormhole-send", "wormhole-listen"])
  func coverage(tool: String) throws {
    let help = try HelperProcess.run(tool, ["--help"]).text
    var commands: [[String]] = []
    for name in try Self.names() {
      for command in try Transcript(try Self.text(name)).commands where command.contains(tool) {
        commands.append(command.split { " |;&()=".contains($0) }.map(String.init))
      }
    }
    var count = 0
    for match in help.matches(of: /(?m)^  (?:-(\w), |    )--([a-z-]+)/) {
      count += 1
      let spellings = ["--\(match.2)", "-\(match.1 ?? "-")"]
      let isUsed = commands.contains { words in spellings.contains { words.contains($0) } }
      #expect(isUsed, "no transcript uses \(spellings[0]) of \(tool)")
    }
    #expect(count >= 10)
  }

  /// The folder of the transcripts.
  private static let folder = "\(#filePath)".replacing(/\/Tests\/ToolTests\/[^\/]*$/, with: "/Fixtures/transcripts")

  /// The names of the transcripts.
  private static func names() throws -> [String] {
    let names = try HelperProcess.run("/bin/ls", [folder]).text.split(separator: "\n").map(String.init)
    guard !names.isEmpty else { throw SupportError("no transcripts in \(folder)") }
    return names
  }

  /// The text of a transcript.
  private static func text(_ name: String) throws -> String {
    try HelperProcess.run("/bin/cat", ["\(folder)/\(name)"]).text
  }
}

/// A shell session that is compared with a transcript, in a directory of its own.
private struct Session {
  private let directory: TemporaryDirectory
  private let environment: [String: String?]
  private var listener: HelperProcess?

  /// A session in an empty directory, which is also where groups have their wormholes.
  init() throws {
    directory = try TemporaryDirectory()
    let tools = try HelperProcess.path(of: "wormhole-send").dropLast("/wormhole-send".count)
    environment = [
      "PATH": "\(tools):/usr/bin:/bin", "WORMHOLE_HOME": directory.appending("home"), "POSIXLY_CORRECT": nil,
      "TZ": "Asia/Kathmandu", "LC_ALL": "C",
    ]
  }

  /// Whether no listener is left.
  var isOver: Bool { listener == nil }

  /// Does a step and compares what comes of it.
  mutating func take(_ step: Transcript.Step, of name: String) throws {
    let place = "\(name), line \(step.line)"
    switch step.action {
    case .run(let command):
      let process = try start(command)
      process.closeInput()
      compare(try process.waitUntilExit(), step, place)
    case .start(let command):
      let process = try start("exec \(command)")
      let line = try process.nextErrorLine()
      #expect(line == "wormhole-listen: listening", "\(place)")
      listener = process
    case .expect(let line):
      let printed = try #require(listener, "\(place)").nextLine()
      #expect(plain(printed) == line, "\(place)")
    case .end(let signal):
      let process = try #require(listener, "\(place)")
      switch signal {
      case nil: break
      case "INT": process.send(SIGINT)
      case "TERM": process.send(SIGTERM)
      case .some(let name): throw SupportError("\(place): signal \(name)")
      }
      compare(try process.waitUntilExit(), step, place)
      listener = nil
    }
  }

  /// Starts a command.
  private func start(_ command: String) throws -> HelperProcess {
    try HelperProcess("/bin/sh", ["-c", command], environment: environment, in: directory.path)
  }

  /// Compares what a command left with what is recorded.
  private func compare(_ outcome: HelperProcess.Outcome, _ step: Transcript.Step, _ place: String) {
    #expect(plain(outcome.text) == step.output, "\(place)")
    #expect(plain(outcome.errorText) == step.errors, "\(place)")
    #expect(outcome.exit == .code(step.code), "\(place)")
  }

  /// Output with DIR for the session's directory, TIME for times and AGE for ages.
  private func plain(_ text: String) -> String {
    text.replacing(directory.path, with: "DIR")
      .replacing(/"sent":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"/, with: "\"sent\":\"TIME\"")
      .replacing(/"age":\d+/, with: "\"age\":AGE")
  }
}
