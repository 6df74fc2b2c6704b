import Glibc
import TestSupport
import Testing
import Wormhole

@Suite(.ownThread) struct TransferProcessTests {
  @Test(
    "Items of several senders arrive in commit order, though the receiver is killed again and again", arguments: [25])
  func kills(count: Int) async throws {
    let directory = try TemporaryDirectory(.memory)
    try await blocking {
      let senders = try (0..<3).map {
        try HelperProcess("wormhole-test-helper", ["transfer", directory.path, "queue", "400", "sender\($0)"])
      }
      var order = ArrivalOrder()
      var generator = FixedNumbers(seed: 11)
      // A receiver that is killed never takes more than this many, so that each is killed while items are left.
      let most = 40
      for round in 0...count {
        let isLast = round == count
        let receiver = try HelperProcess(
          "wormhole-test-helper", ["receive", directory.path, "queue", "-"] + (isLast ? [] : ["\(most)"]))
        #expect(try receiver.nextLine() == "receiving")
        order.beginReceiver()
        if isLast {
          while order.next <= 1200 { order.note(try receiver.nextLine()) }
        } else {
          var lines = 0
          for _ in 0..<Int(generator.next() % UInt64(most)) + 1 {
            order.note(try receiver.nextLine())
            lines += 1
          }
          try receiver.kill()
          // Lines that were said before the kill and are still in the pipe.
          for line in try receiver.waitUntilExit().text.split(separator: "\n") {
            order.note(String(line))
            lines += 1
          }
          #expect(lines <= most)
          // The handler of that one never returned.
          if lines == most { order.mustComeAgain = true }
        }
      }
      for sender in senders { #expect(try sender.nextLine() == "done") }
      #expect(order.next == 1201)
      #expect(order.numbers == ["sender0": 400, "sender1": 400, "sender2": 400])
    }
  }

  @Test("Each of two subscribers in other processes gets everything in order") func subscribers() async throws {
    let directory = try TemporaryDirectory(.memory)
    try await blocking {
      let receivers = try ["one", "two"].map {
        try HelperProcess("wormhole-test-helper", ["receive", directory.path, "queue", $0])
      }
      for receiver in receivers { #expect(try receiver.nextLine() == "receiving") }
      let sender = try HelperProcess("wormhole-test-helper", ["transfer", directory.path, "queue", "300", "item"])
      for receiver in receivers {
        for number in 0..<300 { #expect(try receiver.nextLine() == "\(number + 1) item \(number)") }
      }
      #expect(try sender.nextLine() == "done")
    }
  }

  @Test("A second receiver of a subscriber takes over when the first is killed") func standby() async throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    try await blocking {
      let first = try HelperProcess("wormhole-test-helper", ["receive", directory.path, "queue", "-"])
      #expect(try first.nextLine() == "receiving")
      try wormhole.transfer("a", identifier: "queue")
      #expect(try first.nextLine() == "1 a")
      let second = try HelperProcess("wormhole-test-helper", ["receive", directory.path, "queue", "-"])
      #expect(try second.nextLine() == "receiving")
      try first.kill()
      try wormhole.transfer("b", identifier: "queue")
      let line = try second.nextLine()
      // The kill may have come before the first was noted as taken.
      if line == "1 again a" { #expect(try second.nextLine() == "2 b") } else { #expect(line == "2 b") }
    }
  }
}

/// Checks line after line of the helper's receivers that nothing is lost, out of order, or repeated without its mark.
struct ArrivalOrder {
  /// The sequence that comes next.
  private(set) var next: UInt64 = 1
  /// How many items of each sender have come.
  private(set) var numbers: [Substring: Int] = [:]
  /// Whether the last item was in its handler when the receiver was killed.
  var mustComeAgain = false
  private var isFirst = true

  /// A receiver takes over from one that was killed.
  mutating func beginReceiver() { isFirst = true }

  /// Takes the line of one item.
  mutating func note(_ line: String) {
    defer { isFirst = false }
    var words = line.split(separator: " ")
    guard words.count >= 3, let sequence = UInt64(words.removeFirst()) else {
      Issue.record("no item: \(line)")
      return
    }
    let isAgain = words.first == "again"
    if isAgain { words.removeFirst() }
    // Only what was in hand at a kill is marked, and only that may come a second time.
    if isAgain { #expect(isFirst, "\(line)") }
    if mustComeAgain { #expect(isAgain && sequence + 1 == next, "\(line)") }
    mustComeAgain = false
    if isAgain, sequence + 1 == next { return }
    #expect(sequence == next, "\(line)")
    next = sequence + 1
    guard let sender = words.first, let number = words.last.flatMap({ Int($0) }) else {
      Issue.record("no text of a sender: \(line)")
      return
    }
    #expect(number == numbers[sender, default: 0], "\(line)")
    numbers[sender] = number + 1
  }
}

/// Numbers that are the same in every run.
struct FixedNumbers: RandomNumberGenerator {
  private var state: UInt64

  /// A sequence of its own for each seed.
  init(seed: UInt64) { state = seed }

  /// The next number, by splitmix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
