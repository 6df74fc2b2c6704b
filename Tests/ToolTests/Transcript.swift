import TestSupport

/// A recorded session of the tools, as a text file: what is typed, and exactly what comes of it.
///
/// Each line begins with what it is:
/// - `#` a comment; empty lines separate.
/// - `$ COMMAND` runs a command by sh(1), in an empty directory of its own; all that it prints has to follow.
/// - `> LINE`, `! LINE` are lines of its standard output and standard error; `~ TEXT` is output without a line end.
/// - `? CODE` is its exit code where that is not 0.
/// - `& COMMAND` starts a listener in the background and waits until it says that it is listening.
/// - `= LINE` waits for a line that the listener prints.
/// - `. SIGNAL` sends the listener a signal; `.` alone waits for its end. What it has left to print follows, as above.
struct Transcript {
  /// One step of a session.
  struct Step {
    /// What is done.
    enum Action: Equatable {
      case run(String), start(String), expect(String), end(signal: String?)
    }

    /// What is done.
    let action: Action
    /// The number of its line.
    let line: Int
    /// What standard output and standard error have to be.
    var output = ""
    var errors = ""
    /// What the exit code has to be.
    var code: Int32 = 0
  }

  /// The steps, in order.
  private(set) var steps: [Step] = []

  /// Reads the text of a transcript.
  init(_ text: String) throws {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let content = String(line.dropFirst(2))
      func begin(_ action: Step.Action) { steps.append(Step(action: action, line: index + 1)) }
      switch line.first {
      case nil, "#": continue
      case "$": begin(.run(content))
      case "&": begin(.start(content))
      case "=": begin(.expect(content))
      case ".": begin(.end(signal: content.isEmpty ? nil : content))
      default:
        guard !steps.isEmpty else { throw SupportError("line \(index + 1) belongs to no step") }
        try steps[steps.count - 1].add(line.first, content, index + 1)
      }
    }
  }

  /// The commands of the transcript.
  var commands: [String] {
    steps.compactMap { step in
      switch step.action {
      case .run(let command), .start(let command): command
      case .expect, .end: nil
      }
    }
  }
}

extension Transcript.Step {
  /// Adds a line of what is expected.
  fileprivate mutating func add(_ mark: Character?, _ content: String, _ line: Int) throws {
    switch mark {
    case ">": output += content + "\n"
    case "~": output += content
    case "!": errors += content + "\n"
    case "?":
      guard let number = Int32(content) else { throw SupportError("line \(line): no exit code") }
      code = number
    default: throw SupportError("line \(line) begins with no mark of a transcript")
    }
  }
}
