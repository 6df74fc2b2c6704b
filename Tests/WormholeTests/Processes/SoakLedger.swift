import Wormhole

/// What the programs of a soak have said, checked as it came.
struct SoakLedger {
  /// What must not be, the first few.
  private(set) var faults: [String] = []
  /// The highest sequence of `mail` whose sending had returned.
  private(set) var passed: UInt64 = 0
  /// The subscribers that receive.
  private(set) var receiving: Set<String> = []
  /// How many updates had returned.
  private(set) var updated = 0
  /// How many transfers had returned, and for each sender its last.
  private(set) var transferredCount = 0
  private var transferred: [Substring: Int] = [:]
  /// How the requests ended.
  private(set) var asked: [Substring: Int] = [:]
  /// For each subscriber the last sequence, and the last number of each sender.
  private var taken: [String: (sequence: UInt64, numbers: [Substring: Int])] = [:]
  /// How many transfers came again.
  private(set) var redelivered = 0

  /// Takes in a line that a program has said.
  mutating func note(_ line: String, of worker: String) {
    let words = line.split(separator: " ")
    switch words.first {
    case "passed": passed = max(passed, words.count > 1 ? UInt64(words[1]) ?? 0 : 0)
    case "updated": updated += 1
    case "transferred" where words.count == 3:
      transferredCount += 1
      transferred[words[1]] = Int(words[2]) ?? 0
    case "took" where words.count == 5: noteTaken(words, of: worker)
    case "asked" where words.count == 2:
      asked[words[1], default: 0] += 1
      if !["reply", "responderGone", "notReachable", "timedOut"].contains(words[1]) { fault("\(worker): \(line)") }
    case "heard": break
    case "receiving": receiving.insert(worker)
    default: fault("\(worker): \(line)")
    }
  }

  /// Notes something that must not be.
  mutating func fault(_ text: String) { if faults.count < 20 { faults.append(text) } }

  /// Whether every transfer whose sending had returned has been taken by this subscriber.
  func hasAll(_ subscriber: String) -> Bool {
    transferred.allSatisfy { sender, number in taken[subscriber]?.numbers[sender] ?? 0 >= number }
  }

  /// Notes `took SEQUENCE AGAIN SENDER NUMBER`: no gap, and nothing twice that is not marked.
  private mutating func noteTaken(_ words: [Substring], of worker: String) {
    guard let sequence = UInt64(words[1]), let number = Int(words[4]) else { return fault("\(worker): \(words)") }
    var last = taken[worker] ?? (0, [:])
    defer { taken[worker] = last }
    if sequence <= last.sequence {
      if words[2] == "1", sequence == last.sequence {
        redelivered += 1
      } else {
        fault("\(worker) took \(sequence) after \(last.sequence), marked \(words[2])")
      }
      return
    }
    if sequence != last.sequence + 1 { fault("\(worker) took \(sequence) after \(last.sequence)") }
    if number <= last.numbers[words[3], default: 0] { fault("\(worker) took \(words) out of order") }
    last.sequence = sequence
    last.numbers[words[3]] = number
  }
}
