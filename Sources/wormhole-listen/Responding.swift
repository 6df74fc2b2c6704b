import CommandLineTool
import Dispatch
import Wormhole

/// `wormhole-listen --respond`: answers requests with what a command prints.
final class Responding: Sendable {
  private let formatter: MessageFormatter
  private let command: String
  private let time: Duration?
  private let ending: Ending
  private let arguments: CommandLineArguments
  /// How many requests there are to be answered.
  private let limit: Int?
  /// Held while a command runs: one runs after the other, as with `--exec`. How many have run.
  private let turn = Lock(0)
  private let tokens = Lock<[ListeningToken]>([])
  /// Where the commands are waited for.
  private let queue = DispatchQueue(label: "respond")
  /// The most bytes of a reply.
  private static let sizeLimit = WormholeOptions().messageSizeLimit

  /// Answers as these arguments say, by `command`.
  init(_ arguments: CommandLineArguments, command: String) throws(ToolError) {
    self.arguments = arguments
    self.command = command
    formatter = try arguments.formatter()
    limit = try arguments.count(.count)
    time = try arguments.seconds(.timeout)
    ending = try Ending()
  }

  /// Answers to the end.
  func run() throws(ToolError) -> ExitCode {
    let identifiers = try arguments.identifiers()
    try Runtime.start()
    let wormhole = try arguments.openWormhole()
    for identifier in identifiers { try respond(to: identifier, in: wormhole) }
    if identifiers.isEmpty {
      let token = try calling { () throws(WormholeError) in
        try wormhole.serveAll(.requests) { [weak wormhole] identifier in
          guard let wormhole else { return }
          do throws(ToolError) { try self.respond(to: identifier, in: wormhole) } catch {
            StandardError.report("wormhole-listen", error.message ?? "")
          }
        }
      }
      tokens.withLock { $0.append(token) }
    }
    if arguments.has(.ready) { StandardError.report("wormhole-listen", "listening") }
    let code = try ending.wait(time: time, watchesOutput: false)
    for token in tokens.withLock({ $0 }) { token.cancel() }
    // The command of the request in hand has ended; its reply may still be on the way.
    wormhole.finishAnswers(within: .seconds(1))
    withExtendedLifetime(wormhole) {}
    return code
  }

  /// Begins to answer the requests of one identifier.
  private func respond(to identifier: String, in wormhole: Wormhole) throws(ToolError) {
    let token = try calling { () throws(WormholeError) in
      try wormhole.respond(
        to: Payload.self, identifier: identifier, on: .queue(self.queue),
        onError: { StandardError.report("wormhole-listen", $0.description) }, while: { !self.ending.isOver },
        handler: { request in try self.reply(to: request) })
    }
    tokens.withLock { $0.append(token) }
  }

  /// The reply to a request: what the command prints, or why there is none.
  private func reply(to request: Message<Payload>) throws(WormholeError) -> Payload {
    let outcome = turn.withLock { count in
      let outcome = Lock<Result<Payload, ToolError>?>(nil)
      ending.work {
        let result: Result<Payload, ToolError>
        do throws(ToolError) { result = .success(try self.run(on: request)) } catch { result = .failure(error) }
        if case .failure(let error) = result, !ending.isOver {
          // A command that ends by the signal that ends the tool has not failed.
          StandardError.report("wormhole-listen", error.message ?? "")
        }
        outcome.withLock { $0 = result }
        count += 1
        if count == limit { ending.end(.success(.success)) }
      }
      return outcome.withLock { $0 }
    }
    switch outcome {
    case .success(let payload): return payload
    case .failure(let error): throw WormholeError(.responderFailed, reason: error.message ?? "")
    case nil: throw WormholeError(.responderFailed, reason: "the responder is about to end; ask again")
    }
  }

  /// Runs the command for a request and makes a reply of what it prints.
  private func run(on request: Message<Payload>) throws(ToolError) -> Payload {
    let event = Event.message(request)
    let printed = try CommandOutput()
    let status = ending.run(
      try Command(
        command, input: try formatter.content(of: event) ?? [], variables: event.variables,
        output: printed.descriptor))
    guard status == .code(0) else {
      throw ToolError(.failed, "command \(command) \(status.description) for \(request.identifier)")
    }
    var bytes = try printed.bytes(limit: Self.sizeLimit)
    if bytes.last == 0x0A { bytes.removeLast() }
    if (try? JSON.check(bytes)) != nil { return Payload(bytes: bytes, codec: .json) }
    // What is no text is not made one.
    guard let text = JSON.encodedString(bytes) else { return Payload(bytes: bytes, codec: .bytes) }
    return Payload(bytes: text, codec: .json)
  }
}
