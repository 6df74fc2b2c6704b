import Wormhole

extension Subcommand {
  /// `set-defaults SUITE NAME COUNT`: sets the keys `NAME 0`, `NAME 1` … to their numbers, one after the other, once it
  /// has said `ready` and read a line; says `done` last.
  static let setDefaults = Subcommand(name: "set-defaults") { arguments in
    let defaults = try SharedDefaults(suiteName: arguments[0])
    say("ready")
    _ = readLine()
    for number in 0..<(Int(arguments[2]) ?? 0) {
      try defaults.set(number, forKey: MessageIdentifier<Int>("\(arguments[1]) \(number)"))
    }
    say("done")
  }

  /// `watch-defaults SUITE COUNT`: says `watching`, then `saw COUNT` once so many keys have changed, and what was wrong
  /// with them before that.
  static let watchDefaults = Subcommand(name: "watch-defaults") { arguments in
    let defaults = try SharedDefaults(suiteName: arguments[0])
    let count = Int(arguments[1]) ?? 0
    let changes = try defaults.changes()
    let result = Lock<String?>(nil)
    Task {
      var seen: Set<String> = []
      for await event in changes {
        guard case .message(let message) = event else { continue }
        let number = String(decoding: message.value.bytes, as: UTF8.self)
        if message.identifier.split(separator: " ").last.map(String.init) != number {
          say("\(message.identifier) was \(number)")
        }
        seen.insert(message.identifier)
        if seen.count == count { break }
      }
      result.withLock { $0 = "saw \(seen.count)" }
      result.notifyAll()
    }
    say("watching")
    say(result.wait(until: { $0 != nil }, then: { $0 }) ?? "")
  }

  /// `be-there DIRECTORY IDENTIFIER transfers|requests`: is there until its standard input ends; says `there` first.
  static let beThere = Subcommand(name: "be-there") { arguments in
    let wormhole = try Wormhole(directory: arguments[0])
    if arguments[2] == "transfers" {
      try wormhole.receiveTransfers(Payload.self, identifier: arguments[1]) { _ in }
    } else {
      try wormhole.respond(to: Payload.self, identifier: arguments[1]) { $0.value }
    }
    say("there")
    while readLine() != nil {}
  }
}
