import TestSupport
import Testing
import Wormhole

@testable import struct Wormhole.QueueReceiver
@testable import class Wormhole.TransferStore

/// Programs that end at any system call of transfers and requests.
@Suite("Crashes of transfers and requests", .ownThread)
struct TransferCrashTests {
  @Test(
    "A program that ends at any system call loses no transfer, brings none twice unmarked, and stands in nobody's way",
    arguments: ["transfer", "durable", "batch", "take", "subscribe", "set-aside", "put-back", "cancel"])
  func everyCall(operation: String) throws {
    var call = 0
    var isDone = false
    while !isDone, call < 400 {
      let directory = try TemporaryDirectory(.memory)
      let wormhole = try Wormhole(directory: directory.path)
      for text in ["a", "b"] { try wormhole.transfer(text, identifier: "n") }
      if operation == "put-back" { try wormhole.setAsideTransfer(identifier: "n") }
      let end = try HelperProcess.run("wormhole-test-helper", ["transfer-crash", directory.path, operation, "\(call)"])
      let lines = end.text.split(separator: "\n").map(String.init)
      isDone = lines.last == "done"
      #expect(isDone || end.exit == .code(9), "\(operation), call \(call): \(end.text)\(end.errorText)")
      try check(directory, operation, lines, isDone, "\(operation), call \(call)")
      call += 1
    }
    #expect(call > 5 && isDone)
  }

  private func check(
    _ directory: TemporaryDirectory, _ operation: String, _ lines: [String], _ isDone: Bool, _ place: String
  ) throws {
    // Opening sweeps what was left.
    let wormhole = try Wormhole(directory: directory.path)
    let aside = try wormhole.setAsideTransfers(identifier: "n").map {
      String(decoding: $0.payload.bytes, as: UTF8.self)
    }
    try wormhole.transfer("last", identifier: "n")
    let store = TransferStore(try Archives(directory: directory.path, options: WormholeOptions()))
    var receiver = QueueReceiver(
      queue: try store.ownQueue("n"), subscriber: operation == "subscribe" ? "named" : nil, limit: 1 << 20)
    let came = try receiver.drain().map { $0.replacing("\"", with: "") }
    let rest = came.map { $0.replacing(" again", with: "") }
    let taken = lines.filter { $0.hasPrefix("took ") }.map { String($0.dropFirst(5)) }
    let expected: [[String]]
    switch operation {
    case "transfer", "durable": expected = [["a", "b", "new", "last"]] + (isDone ? [] : [["a", "b", "last"]])
    case "batch": expected = [["a", "b", "new", "newer", "last"]] + (isDone ? [] : [["a", "b", "last"]])
    case "take", "subscribe":
      expected =
        [Array(["a", "b", "last"].dropFirst(taken.count))]
        + (isDone || taken.isEmpty
          ? []
          : [
            Array(["a", "b", "last"].dropFirst(taken.count - 1))
          ])
      // Only what a handler had comes again, and then it says so.
      for text in came where taken.contains(text) { Issue.record("\(place): \(text) comes again unmarked") }
    case "set-aside":
      expected = aside.isEmpty ? [["a", "b", "last"]] : [["b", "last"]] + (isDone ? [] : [["a", "b", "last"]])
    case "put-back": expected = [["b", "a", "last"]] + (aside.isEmpty ? [] : [["b", "last"]])
    default: expected = [["b", "last"]] + (isDone ? [] : [["a", "b", "last"]])
    }
    #expect(expected.contains(rest), "\(place): \(rest) after \(lines), aside \(aside)")
    if isDone { #expect(aside == (operation == "set-aside" ? ["\"a\""] : []), "\(place): \(aside)") }
    var names: [String] = []
    try FileSystem.forEachName(in: store.archives.hidden) { names.append("\($0)") }
    #expect(names.allSatisfy { !$0.hasPrefix("t-") }, "\(place): \(names)")
  }

  @Test("An asker that ends at any system call leaves a responder that answers the next")
  func asker() throws {
    let directory = try TemporaryDirectory(.memory)
    let responder = try HelperProcess("wormhole-test-helper", ["respond", directory.path, "n", "quiet"])
    #expect(try responder.nextLine() == "responding")
    var call = 0
    var isDone = false
    while !isDone, call < 400 {
      let end = try HelperProcess.run("wormhole-test-helper", ["request-crash", directory.path, "ask", "\(call)"])
      isDone = end.text.hasSuffix("done\n")
      #expect(isDone || end.exit == .code(9), "call \(call): \(end.text)\(end.errorText)")
      if isDone || call % 8 == 0 {
        let next = try HelperProcess.run("wormhole-test-helper", ["request-crash", directory.path, "ask", "100000"])
        #expect(next.text == "reply re question\ndone\n", "after call \(call)")
      }
      call += 1
    }
    #expect(call > 5 && isDone)
  }

  @Test("A responder that ends at any system call leaves its asker with an end, and the next responder to answer")
  func responder() throws {
    let directory = try TemporaryDirectory(.memory)
    var call = 0
    var isDone = false
    while !isDone, call < 400 {
      let responder = try HelperProcess(
        "wormhole-test-helper", ["request-crash", directory.path, "respond", "\(call)"])
      if (try? responder.nextLine()) == "responding" {
        let asked = try HelperProcess.run("wormhole-test-helper", ["request-crash", directory.path, "ask", "100000"])
        let ends = ["reply re question\ndone\n", "error responderGone\ndone\n", "error notReachable\ndone\n"]
        #expect(ends.contains(asked.text), "call \(call): \(asked.text)")
        responder.closeInput()
      }
      let end = try responder.waitUntilExit()
      isDone = end.text.hasSuffix("done\n")
      #expect(isDone || end.exit == .code(9), "call \(call): \(end.text)\(end.errorText)")
      call += 1
    }
    #expect(call > 5 && isDone)
    let wormhole = try Wormhole(directory: directory.path)
    #expect(try !wormhole.isReachable(identifier: "n"))
  }

  @Test(
    "One failing call of an asker fails its request at most",
    arguments: [Errno.inputOutput])
  func askerFaults(error: Errno) throws {
    let directory = try TemporaryDirectory(.memory)
    let responder = try HelperProcess("wormhole-test-helper", ["respond", directory.path, "n", "quiet"])
    #expect(try responder.nextLine() == "responding")
    for call in 0..<60 {
      let end = try ask(directory, failing: error, at: call)
      // Any end will do, but it has to come, and to be the request's.
      #expect(end.exit == .code(0) && end.text.hasSuffix("\ndone\n"), "call \(call): \(end.text)\(end.errorText)")
      #expect(end.text.hasPrefix("reply re question") || end.text.hasPrefix("error "), "call \(call): \(end.text)")
      if call % 10 == 0 { #expect(try ask(directory).text == "reply re question\ndone\n", "after call \(call)") }
    }
  }

  @Test(
    "One failing call of a responder fails one request at most, and it answers the next",
    arguments: [Errno.inputOutput])
  func responderFaults(error: Errno) throws {
    let directory = try TemporaryDirectory(.memory)
    var begun = 0
    for call in 0..<60 {
      let responder = try HelperProcess(
        "wormhole-test-helper", ["request-crash", directory.path, "respond", "\(call)", "\(error.rawValue)"])
      // It may be refused to begin, with the reason.
      let line = try responder.nextLine()
      if line == "responding" {
        begun += 1
        let first = try ask(directory).text
        #expect(first.hasPrefix("reply re question") || first.hasPrefix("error "), "call \(call): \(first)")
        #expect(try ask(directory).text == "reply re question\ndone\n", "after call \(call), which ended in \(first)")
        responder.closeInput()
        #expect(try responder.waitUntilExit().exit == .code(0))
      } else {
        #expect(line.hasPrefix("error: "), "call \(call): \(line)")
      }
    }
    #expect(begun > 20)
  }

  private func ask(
    _ directory: TemporaryDirectory, failing error: Errno = .inputOutput, at call: Int = 1_000_000
  ) throws -> HelperProcess.Outcome {
    try HelperProcess.run(
      "wormhole-test-helper", ["request-crash", directory.path, "ask", "\(call)", "\(error.rawValue)"])
  }
}
