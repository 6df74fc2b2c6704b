import TestSupport
import Testing
import Wormhole

/// System calls that fail while a process responds, looks who is there and asks, on whatever of its threads.
///
/// The helper checks after each exchange that it has ended in one way, that nothing is left open, locked or behind, and
/// that the next request is answered.
@Suite("Failing system calls of requests", .ownThread)
struct RequestFaultTests {
  private static let errors: [Errno] = [
    .inputOutput, .noEntry, .wouldBlock, .accessDenied, .processFilesFull, .systemFilesFull, .noSpace, .quotaExceeded,
    .readOnly, .stale,
  ]

  @Test("One failing call of asking, responding and looking who is there fails one request at most", arguments: errors)
  func single(error: Errno) throws { #expect(try run("each", error.rawValue) > 4) }

  @Test("A call that fails every time ends the request all the same", arguments: [Errno.inputOutput, .noEntry])
  func persistent(error: Errno) throws { #expect(try run("every", error.rawValue) > 30) }

  @Test("Calls that a signal interrupts are made again") func interrupted() throws { _ = try run("interrupt", 0) }

  @Test("Requests heed no clock that is set back while they are under way") func clock() throws {
    _ = try run("clock", 1_000_000)
  }

  @Test("Requests and replies whose reads and writes are cut short are gone on with", arguments: [7, 129])
  func short(bytes: Int32) throws { _ = try run("short", bytes) }

  /// Lets the helper run all exchanges of a kind, and gives how many they were.
  private func run(_ kind: String, _ number: Int32) throws -> Int {
    let directory = try TemporaryDirectory(.memory)
    let end = try HelperProcess.run("wormhole-test-helper", ["request-faults", directory.path, kind, "\(number)"])
    let lines = end.text.split(separator: "\n").map(String.init)
    for line in lines where !line.hasPrefix("done ") { Issue.record("\(line)") }
    #expect(end.exit == .code(0), "\(end.errorText)")
    return lines.last.flatMap { Int($0.dropFirst(5)) } ?? 0
  }
}
