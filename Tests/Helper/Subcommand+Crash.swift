import Glibc
import Wormhole

extension Subcommand {
  /// `transfer-crash DIRECTORY OPERATION CALL`: ends, as if killed, instead of making the system call of this number,
  /// counted from 0 over all threads. Says `took TEXT` for what a handler returned from, and `done` when the operation
  /// comes to its end before that.
  static let transferCrash = Subcommand(name: "transfer-crash") { arguments in
    guard arguments.count == 3, let call = Int(arguments[2]) else { throw SubcommandError("three arguments") }
    let wormhole = try Wormhole(directory: arguments[0])
    let outstanding = try wormhole.outstandingTransfers(identifier: "n")
    crash(at: call)
    switch arguments[1] {
    case "transfer": try wormhole.transfer("new", identifier: "n")
    case "durable": try wormhole.transfer("new", identifier: "n", durability: .durable)
    case "batch": try wormhole.transfer(contentsOf: ["new", "newer"], identifier: "n")
    case "take": try take(2, from: wormhole, subscriber: nil)
    case "subscribe": try take(2, from: wormhole, subscriber: "named")
    case "set-aside": try wormhole.setAsideTransfer(identifier: "n")
    case "put-back": try wormhole.putBackTransfers(identifier: "n")
    case "cancel": _ = try outstanding.first?.cancel()
    default: throw SubcommandError("no operation \(arguments[1])")
    }
    say("done")
  }

  /// `request-crash DIRECTORY ROLE CALL [ERRNO]`: as `transfer-crash`, asking `n` once (`ask`), or answering it (`respond`)
  /// until standard input ends; with ERRNO the call fails with that number instead. Says `responding` when it does, and
  /// `reply TEXT` or `error CODE` when it has asked.
  static let requestCrash = Subcommand(name: "request-crash") { arguments in
    guard arguments.count >= 3, let call = Int(arguments[2]) else { throw SubcommandError("three arguments") }
    let wormhole = try Wormhole(directory: arguments[0])
    let error = arguments.count > 3 ? Int32(arguments[3]).map { Errno($0) } : nil
    if arguments[1] == "respond" {
      crash(at: call, failing: error)
      try wormhole.respond(to: String.self, identifier: "n") { message in "re \(message.value)" }
      say("responding")
      while readLine() != nil {}
      say("done")
      return
    }
    let answer = Lock<String?>(nil)
    crash(at: call, failing: error)
    Task {
      do {
        let reply = try await wormhole.request(
          "question", identifier: "n", as: String.self, timeout: error == nil ? .seconds(20) : .seconds(2))
        answer.withLock { $0 = "reply \(reply)" }
      } catch let error as WormholeError {
        answer.withLock { $0 = "error \(error.code)" }
      } catch {
        answer.withLock { $0 = "error \(error)" }
      }
      answer.notifyAll()
    }
    say(answer.wait(until: { $0 != nil }) { $0 ?? "" })
    say("done")
  }

  /// Takes so many transfers and stops.
  private static func take(_ count: Int, from wormhole: Wormhole, subscriber: String?) throws {
    let taken = Lock(0)
    let token = try wormhole.receiveTransfers(
      String.self, identifier: "n", subscriber: subscriber, onError: { say("error \($0)") }
    ) { message in
      say("took \(message.value)")
      taken.withLock { $0 += 1 }
      taken.notifyAll()
    }
    taken.wait(until: { $0 >= count }) { _ in }
    token.cancel()
  }

  /// Lets the process end instead of making the system call of this number, or lets the call fail.
  private static func crash(at call: Int, failing error: Errno? = nil) {
    let made = Lock(0)
    Interception.everywhere { _ in
      let number = made.withLock { (count: inout Int) -> Int in
        defer { count += 1 }
        return count
      }
      guard number == call else { return nil }
      guard let error else { _exit(9) }
      return .fail(error)
    }
  }
}
