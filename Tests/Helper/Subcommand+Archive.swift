import Glibc
import Wormhole

extension Subcommand {
  /// `archive-crash DIRECTORY OPERATION CALL [SHORT]`: ends, as if killed, instead of making the system call of this
  /// number, counted from 0; with SHORT, the call is made with so many bytes and the next one is not. Says `done` when
  /// the operation comes to its end before that.
  static let archiveCrash = Subcommand(name: "archive-crash") { arguments in
    guard arguments.count >= 3, let call = Int(arguments[2]) else { throw UsageError() }
    let archives = try Archives(directory: arguments[0], options: WormholeOptions(origin: "helper"))
    let short = arguments.count > 3 ? Int(arguments[3]) : nil
    let made = Lock(0)
    try Interception.with({ (_) -> Fault? in
      let number = made.withLock { (count: inout Int) -> Int in
        defer { count += 1 }
        return count
      }
      if let short, number == call { return .short(short) }
      if number == call + (short == nil ? 0 : 1) { _exit(9) }
      return nil
    }) {
      switch arguments[1] {
      case "small": _ = try archives.append(draft(size: 10, .cached), to: "n", expecting: nil)
      case "durable": _ = try archives.append(draft(size: 10, .durable), to: "n", expecting: nil)
      case "large": _ = try archives.append(draft(size: 30_000, .cached), to: "n", expecting: nil)
      case "signal":
        _ = try archives.append(Draft(payload: nil, sender: 1, origin: "helper"), to: "n", expecting: nil)
      case "clear": try archives.clear("n")
      default: throw UsageError()
      }
    }
    say("done")
  }

  /// `archive-send DIRECTORY SIZE`: sends messages of so many equal bytes to `n` until it is killed, and says the number
  /// of each once its send has returned.
  static let archiveSend = Subcommand(name: "archive-send") { arguments in
    guard arguments.count == 2, let size = Int(arguments[1]) else { throw UsageError() }
    let archives = try Archives(directory: arguments[0], options: WormholeOptions(origin: "helper"))
    while true {
      let byte = UInt8.random(in: 0...255)
      let payload = Payload(bytes: [UInt8](repeating: byte, count: size), codec: .bytes)
      let position = try archives.append(
        Draft(payload: payload, sender: 1, origin: "helper"), to: "n", expecting: nil)
      say("\(position?.sequence ?? 0)")
    }
  }

  /// `archive-increment DIRECTORY TIMES`: adds one to the number in `n`, so many times, by comparing and trying again.
  static let archiveIncrement = Subcommand(name: "archive-increment") { arguments in
    guard arguments.count == 2, let times = Int(arguments[1]) else { throw UsageError() }
    let archives = try Archives(directory: arguments[0], options: WormholeOptions(origin: "helper"))
    for _ in 0..<times {
      while true {
        let newest = try archives.newest("n")
        let number = newest.flatMap { Int(String(decoding: $0.record.payload?.bytes ?? [], as: UTF8.self)) } ?? 0
        let draft = Draft(
          payload: Payload(bytes: Array("\(number + 1)".utf8), codec: .json), sender: 1, origin: "helper")
        let expected = newest.map { StoredVersion.position($0.position) } ?? .none
        if try archives.append(draft, to: "n", expecting: .some(expected)) != nil { break }
      }
    }
  }

  private static func draft(size: Int, _ durability: Durability) -> Draft {
    Draft(
      payload: Payload(bytes: [UInt8](repeating: UInt8(ascii: "n"), count: size), codec: .bytes), sender: 1,
      origin: "helper", durability: durability)
  }
}

/// The arguments of a subcommand do not fit.
private struct UsageError: Error {}
