import Wormhole

extension Subcommand {
  /// `pass DIRECTORY IDENTIFIER COUNT LABEL`: passes `LABEL 1` to `LABEL COUNT`, without end for 0; a line for each that returned.
  static let pass = Subcommand(name: "pass") { arguments in
    let wormhole = try Wormhole(directory: arguments[0], options: WormholeOptions(origin: arguments[3]))
    let count = Int(arguments[2]) ?? 0
    var number = 0
    while count == 0 || number < count {
      number += 1
      let sequence = try wormhole.passMessage("\(arguments[3]) \(number)", identifier: arguments[1])
      if count == 0 { say("\(sequence) \(number)") }
    }
    say("passed \(number)")
  }

  /// `hear DIRECTORY IDENTIFIER every|newest END`: says `listening`, hears until the message END, then says what it heard.
  static let hear = Subcommand(name: "hear") { arguments in
    let wormhole = try Wormhole(directory: arguments[0])
    let (end, isEvery) = (arguments[3], arguments[2] == "every")
    let report = Lock<HearingReport>(HearingReport())
    try wormhole.listenForEvents(
      String.self, identifiers: .only([arguments[1]]), options: isEvery ? [.every] : []
    ) { event in
      report.withLock { $0.note(event, end: end) }
      report.notifyAll()
    }
    say("listening")
    say(report.wait(until: { $0.hasEnded }, then: { $0.description }))
  }

  /// `increment DIRECTORY IDENTIFIER COUNT`: adds one to a stored number so many times.
  static let increment = Subcommand(name: "increment") { arguments in
    let wormhole = try Wormhole(directory: arguments[0])
    for _ in 0..<(Int(arguments[2]) ?? 0) {
      try wormhole.updateMessage(MessageIdentifier<Int>(arguments[1]), default: 0) { $0 += 1 }
    }
    say("incremented")
  }

  /// `fill DIRECTORY IDENTIFIER BYTES`: passes messages of so many equal bytes without end, a line for each that returned.
  static let fill = Subcommand(name: "fill") { arguments in
    let wormhole = try Wormhole(directory: arguments[0])
    var number = 0
    while true {
      number += 1
      let bytes = [UInt8](repeating: UInt8(number % 251), count: Int(arguments[2]) ?? 0)
      say("\(try wormhole.passMessage(bytes, identifier: arguments[1]))")
    }
  }
}

/// What a listener heard, checked as it came.
private struct HearingReport: CustomStringConvertible {
  var delivered = 0
  var skipped = 0
  var lastSequence: UInt64 = 0
  var newestOfSender: [Substring: Int] = [:]
  var faults: [String] = []
  var hasEnded = false

  /// Checks that sequences rise and that each sender's messages keep their order, and counts.
  mutating func note(_ event: Event<String>, end: String) {
    guard case .message(let message) = event else {
      faults.append("\(event)")
      return
    }
    delivered += 1
    skipped += message.skipped
    if message.sequence <= lastSequence { faults.append("sequence \(message.sequence) after \(lastSequence)") }
    lastSequence = message.sequence
    let parts = message.value.split(separator: " ")
    if parts.count == 2, let number = Int(parts[1]) {
      if number <= newestOfSender[parts[0], default: 0] { faults.append("\(message.value) out of order") }
      newestOfSender[parts[0]] = number
    }
    if message.value == end { hasEnded = true }
  }

  var description: String {
    "delivered \(delivered) skipped \(skipped) last \(lastSequence) faults \(faults.count) \(faults.prefix(3))"
  }
}
