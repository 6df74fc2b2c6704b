import CommandLineTool
import Wormhole

/// `wormhole-listen` itself: prints what comes, or runs a command for it, until something ends it.
final class Listening: Sendable {
  private let output: StandardOutput
  private let formatter: MessageFormatter
  private let command: String?
  private let ignoredOrigins: [String]
  private let limit: Int?
  private let time: Duration?
  private let ending: Ending
  private let arguments: CommandLineArguments
  /// How many have been printed.
  private let count = Lock(0)

  /// Listens as these arguments say, prints to `output`.
  init(_ arguments: CommandLineArguments, _ output: StandardOutput) throws(ToolError) {
    self.arguments = arguments
    self.output = output
    formatter = try arguments.formatter()
    command = try arguments.command(.exec)
    ignoredOrigins = try arguments.texts(.ignoreOrigin)
    limit = try arguments.count(.count)
    time = try arguments.seconds(.timeout)
    ending = try Ending()
  }

  /// Listens to the end.
  func run() throws(ToolError) -> ExitCode {
    let identifiers = try arguments.identifiers()
    let wormhole = try arguments.openWormhole()
    var options: ListeningOptions = []
    if arguments.has(.current) { options.insert(.startingWithStored) }
    if arguments.has(.every) { options.insert(.every) }
    // What is there already is printed before the time is over. A command has no such right: it is ended then.
    let printsFirst = arguments.has(.current) && command == nil
    if printsFirst { ending.holdTime() }
    // The library's thread prints: nothing is handed over, so nothing is printed later than it could be.
    let token = try calling { () throws(WormholeError) in
      try wormhole.listenForEvents(
        Payload.self, identifiers: identifiers.isEmpty ? .all : .only(identifiers), options: options,
        onError: { StandardError.report("wormhole-listen", $0.description) }
      ) { event in self.ending.work { () throws(ToolError) in try self.handle(event) } }
    }
    // On the same thread, so behind the stored messages.
    if printsFirst { Watcher.shared.run { self.ending.releaseTime() } }
    if arguments.has(.ready) { StandardError.report("wormhole-listen", "listening") }
    let code = try ending.wait(time: time, watchesOutput: command == nil)
    withExtendedLifetime((wormhole, token)) {}
    return code
  }

  /// Prints an event or runs the command for it.
  private func handle(_ event: Event<Payload>) throws(ToolError) {
    if let origin = event.origin, ignoredOrigins.contains(origin) { return }
    if case .undecodable(_, let error) = event { StandardError.report("wormhole-listen", error.description) }
    if let command {
      guard let content = try readable({ () throws(ToolError) in try formatter.content(of: event) }) else { return }
      try run(command, on: content, event)
    } else {
      guard let line = try readable({ () throws(ToolError) in try formatter.line(of: event) }) else { return }
      try output.print(line)
    }
    let printed = count.withLock { count in
      count += 1
      return count
    }
    if printed == limit { ending.end(.success(.success)) }
  }

  /// What is printed of an event; one that cannot be is reported, and listening goes on.
  private func readable(_ body: () throws(ToolError) -> [UInt8]?) throws(ToolError) -> [UInt8]? {
    do {
      return try body()
    } catch {
      StandardError.report("wormhole-listen", error.message ?? "")
      return nil
    }
  }

  /// Runs the command for an event; one that fails is reported, and listening goes on.
  private func run(_ text: String, on content: [UInt8], _ event: Event<Payload>) throws(ToolError) {
    do throws(ToolError) {
      let status = ending.run(try Command(text, input: content, variables: event.variables))
      // A command that ends by the signal that ends the tool has not failed.
      guard status != .code(0), !ending.isOver else { return }
      throw ToolError(.failed, "command \(text) \(status.description) for \(event.identifier)")
    } catch {
      StandardError.report("wormhole-listen", error.message ?? "")
    }
  }
}

extension Event<Payload> {
  /// Who sent it, nil for a mailbox that was cleared.
  var origin: String? { detail?.origin }

  /// What a command finds in its environment.
  var variables: [(name: String, value: String)] {
    var variables = [(name: "WORMHOLE_IDENTIFIER", value: identifier)]
    if let detail {
      variables.append(("WORMHOLE_SEQUENCE", "\(detail.sequence)"))
      variables.append(("WORMHOLE_ORIGIN", detail.origin))
    }
    return variables
  }

  /// What is known of a message without its value.
  private var detail: (sequence: UInt64, origin: String)? {
    switch self {
    case .message(let message): (message.sequence, message.origin)
    case .signal(let message): (message.sequence, message.origin)
    case .undecodable(let message, _): message.value.map { _ in (message.sequence, message.origin) }
    case .cleared: nil
    }
  }
}
