import Glibc
import Wormhole

extension Subcommand {
  /// `transfer DIRECTORY IDENTIFIER COUNT NAME [BATCH]`: transfers the texts `NAME 0`, `NAME 1` … and says `done`.
  static let transfer = Subcommand(name: "transfer") { arguments in
    let wormhole = try Wormhole(directory: arguments[0])
    let count = Int(arguments[2]) ?? 0
    let batch = arguments.count > 4 ? Int(arguments[4]) ?? 1 : 1
    var sent = 0
    while sent < count {
      let size = min(batch, count - sent)
      do {
        if size == 1 {
          try wormhole.transfer("\(arguments[3]) \(sent)", identifier: arguments[1])
        } else {
          try wormhole.transfer(
            contentsOf: (sent..<sent + size).map { "\(arguments[3]) \($0)" }, identifier: arguments[1])
        }
        sent += size
      } catch let error as WormholeError where error.code == .queueFull {
        // Tried again until there is room, whenever that is; the pause only leaves the processor to the receiver.
        usleep(1000)
      }
    }
    say("done")
  }

  /// `receive DIRECTORY IDENTIFIER SUBSCRIBER [COUNT]`: a line `SEQUENCE TEXT` or `SEQUENCE again TEXT` for each transfer.
  ///
  /// The subscriber `-` is the default one. It says `receiving` first, and ends with its standard input. The handler of
  /// transfer number COUNT says its line and never returns.
  static let receive = Subcommand(name: "receive") { arguments in
    let wormhole = try Wormhole(directory: arguments[0])
    let limit = arguments.count > 3 ? Int(arguments[3]) ?? 0 : Int.max
    // Items may come before the call has returned.
    let isReady = Lock(false)
    let count = Lock(0)
    try wormhole.receiveTransfers(
      String.self, identifier: arguments[1], subscriber: arguments[2] == "-" ? nil : arguments[2],
      onError: { say("error \($0)") }
    ) { message in
      isReady.wait(until: { $0 }) { _ in }
      say("\(message.sequence)\(message.isRedelivered ? " again" : "") \(message.value)")
      let number = count.withLock { count in
        count += 1
        return count
      }
      while number >= limit { pause() }
    }
    say("receiving")
    isReady.withLock { $0 = true }
    isReady.notifyAll()
    while readLine() != nil {}
  }

  /// `swallow DIRECTORY IDENTIFIER COUNT`: receives so many transfers of bytes, says `receiving` first and `done` last.
  static let swallow = Subcommand(name: "swallow") { arguments in
    let wormhole = try Wormhole(directory: arguments[0])
    let count = Int(arguments[2]) ?? 0
    let taken = Lock(0)
    let last = Lock<UInt64>(0)
    try wormhole.receiveTransfers(Payload.self, identifier: arguments[1], onError: { say("error \($0)") }) { message in
      let isNext = last.withLock { last in
        defer { last = message.sequence }
        return message.sequence == last + 1
      }
      if !isNext { say("out of order at \(message.sequence)") }
      taken.withLock { $0 += 1 }
      if message.sequence % 1024 == 0 || Int(message.sequence) == count { taken.notifyAll() }
    }
    say("receiving")
    taken.wait(until: { $0 >= count }) { _ in }
    say("done")
  }
}
