import TestSupport
import Wormhole

/// A directory with phones and watches on it, each a process of its own.
final class Pair {
  /// The directory of the wormhole.
  let directory: TemporaryDirectory

  /// A new, empty directory.
  init() throws { directory = try TemporaryDirectory(.memory) }

  /// Runs a command of a program to its end.
  @discardableResult
  func run(_ program: String, _ words: [String]) throws -> HelperProcess.Outcome {
    try HelperProcess.run(program, ["--directory", directory.path] + words)
  }

  /// The lines that a command of the phone prints; an error when it does not end with 0.
  @discardableResult
  func phone(_ words: String...) throws -> [String] { try lines("todo-phone", words) }

  /// The lines that a command of the phone prints; an error when it does not end with 0.
  @discardableResult
  func phone(_ words: [String]) throws -> [String] { try lines("todo-phone", words) }

  /// The lines that a command of a watch prints; an error when it does not end with 0.
  @discardableResult
  func watch(_ words: String...) throws -> [String] { try lines("todo-watch", words) }

  /// A program that is on and prints what it shows.
  func follow(_ program: String) throws -> Follower {
    Follower(try start(program, ["follow"]))
  }

  /// A program that runs by the side of what the test does.
  func start(_ program: String, _ words: [String]) throws -> HelperProcess {
    try HelperProcess(program, ["--directory", directory.path] + words)
  }

  /// A wormhole beside those of the programs.
  func wormhole() throws -> Wormhole { try Wormhole(directory: directory.path) }

  /// Runs a command and gives the lines that it prints.
  private func lines(_ program: String, _ words: [String]) throws -> [String] {
    let outcome = try run(program, words)
    guard outcome.exit == .code(0), outcome.errors.isEmpty else {
      throw SupportError("\(program) \(words): \(outcome.exit), \(outcome.errorText)")
    }
    return outcome.text.split(separator: "\n").map(String.init)
  }
}

/// A phone or a watch that is on, run by `follow`; waits are for what it prints, never for a time.
final class Follower {
  /// The process.
  let process: HelperProcess
  /// What it printed last.
  private(set) var shown: [String] = []

  /// Reads a process that follows.
  init(_ process: HelperProcess) { self.process = process }

  /// Waits until what is shown is as wanted, and gives it.
  @discardableResult
  func see(_ condition: ([String]) -> Bool) throws -> [String] {
    while !condition(shown) {
      var lines: [String] = []
      while true {
        let line = try process.nextLine()
        if line.isEmpty { break }
        lines.append(line)
      }
      shown = lines
    }
    return shown
  }

  /// Waits until exactly these lines are shown.
  func see(_ lines: String...) throws { try see(lines) }

  /// Waits until exactly these lines are shown.
  func see(_ lines: [String]) throws { try see { $0 == lines } }

  /// Waits until a line is shown, among others.
  func see(line: String) throws { try see { $0.contains(line) } }
}
