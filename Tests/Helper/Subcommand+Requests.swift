import Glibc
import Wormhole

extension Subcommand {
  /// `respond DIRECTORY IDENTIFIER`: answers texts, says `responding` first, and ends with its standard input.
  ///
  /// `fail …` is answered by an error, `never …` not at all, `die …` by SIGKILL of itself; any other text by itself with
  /// `re ` before it. Each request is said as `asked TEXT`.
  static let respond = Subcommand(name: "respond") { arguments in
    let wormhole = try Wormhole(directory: arguments[0])
    let isQuiet = arguments.count > 2
    // Requests may come before the call has returned.
    let isReady = Lock(false)
    try wormhole.respond(to: String.self, identifier: arguments[1]) { message in
      isReady.wait(until: { $0 }) { _ in }
      if !isQuiet { say("asked \(message.value)") }
      switch message.value.split(separator: " ").first {
      case "fail": throw SubcommandError("refused \(message.value)")
      case "never":
        let (nothing, source) = AsyncStream<Void>.makeStream()
        for await _ in nothing {}
        withExtendedLifetime(source) {}
      case "die": kill(getpid(), SIGKILL)
      default: break
      }
      return "re \(message.value)"
    }
    say("responding")
    isReady.withLock { $0 = true }
    isReady.notifyAll()
    while readLine() != nil {}
  }

  /// `ask DIRECTORY IDENTIFIER COUNT`: asks so many times, one after the other, and says the median in microseconds.
  static let ask = Subcommand(name: "ask") { arguments in
    let wormhole = try Wormhole(directory: arguments[0])
    let (identifier, count) = (arguments[1], Int(arguments[2]) ?? 0)
    let result = Lock<String?>(nil)
    Task {
      var times: [UInt64] = []
      for number in 0..<count {
        let start = Clock.monotonic
        do {
          _ = try await wormhole.request("\(number)", identifier: identifier, as: String.self)
        } catch {
          result.withLock { $0 = "\(error)" }
          result.notifyAll()
          return
        }
        times.append(Clock.monotonic - start)
      }
      result.withLock { $0 = "\(times.sorted()[count / 2] / 1000)" }
      result.notifyAll()
    }
    say(result.wait(until: { $0 != nil }) { $0 } ?? "")
  }
}

/// An error with a text.
struct SubcommandError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
