import TestSupport
import TodoTerminal

/// What a terminal shows that was given some bytes: an emulator of the few sequences that the programs use.
struct ScreenImage {
  /// The lines, without blanks at their ends.
  var lines: [String] { cells.map { line in String(line.joined().reversed().drop { $0 == " " }.reversed()) } }
  /// Whether the second screen is shown, on which full-screen programs draw.
  private(set) var isSecondScreen = false
  /// How often the second screen was left.
  private(set) var timesLeft = 0
  /// Whether the cursor is seen.
  private(set) var isCursorShown = true
  /// Where the cursor is.
  private(set) var cursor = Position(row: 0, column: 0)
  /// Whether lines that are too long go on in the next one.
  private(set) var wraps = true
  /// Whether pastes are marked as such.
  private(set) var marksPastes = false
  /// The sequences that this emulator does not know.
  private(set) var unknown: [String] = []
  /// Whether any colour was set.
  private(set) var hasColor = false
  private var cells: [[String]]
  private let size: Size

  /// The screen of a terminal of some size.
  init(_ bytes: [UInt8], size: Size) {
    self.size = size
    cells = Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
    var rest = String(decoding: bytes, as: UTF8.self)[...]
    while let escape = rest.firstIndex(of: "\u{1B}") {
      put(rest[..<escape])
      rest = rest[escape...].dropFirst()
      guard rest.first == "[", let end = rest.dropFirst().firstIndex(where: { $0.isLetter }) else { break }
      apply(String(rest[rest.index(after: rest.startIndex)..<end]), rest[end])
      rest = rest[rest.index(after: end)...]
    }
    put(rest)
  }

  /// Writes characters where the cursor is.
  private mutating func put(_ text: Substring) {
    for character in text where !character.isNewline {
      let width = Columns.width(of: character)
      if cursor.row < size.rows, cursor.column + width <= size.columns {
        cells[cursor.row][cursor.column] = String(character)
        for column in 1..<max(width, 1) { cells[cursor.row][cursor.column + column] = "" }
      }
      cursor.column += width
    }
  }

  /// Does what a sequence says.
  private mutating func apply(_ parameters: String, _ final: Character) {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    switch (final, parameters) {
    case ("H", _): cursor = Position(row: (numbers.first ?? 1) - 1, column: (numbers.dropFirst().first ?? 1) - 1)
    case ("J", "2"): for row in cells.indices { clear(row) }
    case ("K", "2"): if cells.indices.contains(cursor.row) { clear(cursor.row) }
    case ("m", _): if numbers.contains(where: { (30...37).contains($0) }) { hasColor = true }
    case ("h", "?1049"), ("l", "?1049"):
      isSecondScreen = final == "h"
      timesLeft += isSecondScreen ? 0 : 1
    case ("h", "?25"), ("l", "?25"): isCursorShown = final == "h"
    case ("h", "?7"), ("l", "?7"): wraps = final == "h"
    case ("h", "?2004"), ("l", "?2004"): marksPastes = final == "h"
    default: unknown.append("\(parameters)\(final)")
    }
  }

  /// Blanks a line.
  private mutating func clear(_ row: Int) { cells[row] = Array(repeating: " ", count: size.columns) }
}

/// A full-screen program in the test's hand: keys go in, and what is seen comes out.
final class ProgramInHand {
  /// The process with its terminal.
  let process: TerminalProcess
  private var size: Size

  /// Starts a program on a directory.
  init(
    _ program: String, _ arguments: [String] = [], on directory: String,
    size: Size = Size(rows: 24, columns: 80), environment: [String: String?] = [:]
  ) throws {
    self.size = size
    process = try TerminalProcess(
      program, ["--directory", directory] + arguments, rows: size.rows, columns: size.columns,
      environment: environment)
  }

  /// Starts a script of sh(1), which leads the terminal's session.
  init(shell script: String) throws {
    size = Size(rows: 24, columns: 80)
    process = try TerminalProcess("/bin/sh", ["-c", script], rows: size.rows, columns: size.columns)
  }

  /// What is seen.
  var image: ScreenImage { ScreenImage(process.written, size: size) }

  /// Presses keys.
  func type(_ keys: String) throws { try process.type(keys) }

  /// Gives the window another size.
  func resize(rows: Int, columns: Int) {
    size = Size(rows: rows, columns: columns)
    process.resize(rows: rows, columns: columns)
  }

  /// Waits until what is seen is as wanted.
  func see(_ what: String, _ condition: (ScreenImage) -> Bool) throws {
    do { try process.wait(for: what, within: .seconds(60)) { _ in condition(image) } } catch {
      throw SupportError("\(error)\n\(image.lines.joined(separator: "\n"))")
    }
  }

  /// Waits until some line has this text in it.
  func see(_ text: String) throws { try see(text) { $0.lines.contains { $0.contains(text) } } }

  /// Waits until no line has this text in it any more.
  func seeNoMore(_ text: String) throws { try see("no \(text)") { !$0.lines.contains { $0.contains(text) } } }
}

extension ProgramInHand {
  /// The settings that a terminal has which was just made.
  static func freshSettings() throws -> [UInt8] {
    let process = try TerminalProcess("todo-phone", ["--version"])
    _ = try process.waitUntilExit()
    return try process.settings()
  }
}
