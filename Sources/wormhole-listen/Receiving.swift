import CommandLineTool
import Dispatch
import Wormhole

/// `wormhole-listen --queue`: takes transfers one after the other, prints each or runs a command for it.
final class Receiving: Sendable {
  private let output: StandardOutput
  private let formatter: MessageFormatter
  private let command: String?
  private let subscriber: String?
  /// Where files are saved.
  private let directory: String?
  private let limit: Int?
  private let time: Duration?
  private let ending: Ending
  private let arguments: CommandLineArguments
  /// Where transfers are handled, so that two queues never are at once; it waits until all receivers are there.
  private let queue = DispatchQueue(label: "transfers")
  private let tokens = Lock<[ListeningToken]>([])
  /// How many have been taken.
  private let count = Lock(0)

  /// Why the library is told that a transfer is not taken.
  private struct Refusal: Error {}

  /// Receives as these arguments say, prints to `output`.
  init(_ arguments: CommandLineArguments, _ output: StandardOutput) throws(ToolError) {
    self.arguments = arguments
    self.output = output
    formatter = try arguments.formatter()
    command = try arguments.command(.exec)
    subscriber = try arguments.text(.subscriber)
    directory = try arguments.text(.save)
    limit = try arguments.count(.count)
    time = try arguments.seconds(.timeout)
    ending = try Ending()
  }

  /// Receives to the end.
  func run() throws(ToolError) -> ExitCode {
    let identifiers = try arguments.identifiers()
    if let directory {
      let kind = try? FileSystem.statusFollowingLinks(of: Path(directory)).kind
      guard kind == .directory else {
        let reason = kind == nil ? "no such directory; make it first" : "this is no directory; name one"
        throw ToolError(.cannotCreate, "--save \(shown(directory)): \(reason)")
      }
    }
    try Runtime.start()
    let wormhole = try arguments.openWormhole()
    queue.suspend()
    defer { withExtendedLifetime(wormhole) {} }
    do throws(ToolError) {
      for identifier in identifiers { try receive(identifier, from: wormhole) }
      if identifiers.isEmpty { try receiveAll(from: wormhole) }
    } catch {
      // Nobody takes what has come meanwhile; a queue must not go while it is suspended.
      stop()
      queue.resume()
      throw error
    }
    if arguments.has(.ready) { StandardError.report("wormhole-listen", "listening") }
    queue.resume()
    let code: ExitCode
    do throws(ToolError) { code = try ending.wait(time: time, watchesOutput: command == nil) } catch {
      stop()
      throw error
    }
    stop()
    return code
  }

  /// Begins to receive the transfers of every identifier, those that come later too.
  private func receiveAll(from wormhole: Wormhole) throws(ToolError) {
    let token = try calling { () throws(WormholeError) in
      try wormhole.serveAll(.transfers) { [weak wormhole] identifier in
        guard let wormhole else { return }
        do throws(ToolError) { try self.receive(identifier, from: wormhole) } catch {
          StandardError.report("wormhole-listen", error.message ?? "")
        }
      }
    }
    tokens.withLock { $0.append(token) }
  }

  /// Begins to receive the transfers of one identifier.
  private func receive(_ identifier: String, from wormhole: Wormhole) throws(ToolError) {
    let token = try calling { () throws(WormholeError) in
      try wormhole.receiveTransfers(
        Payload.self, identifier: identifier, subscriber: subscriber, on: .queue(queue),
        onError: { error in
          // All else is passed over or tried again; space does not come by itself, and the transfer is kept. Why a
          // transfer was not taken is told when the tool ends of it.
          if error.code == .handlerFailed { return }
          if error.code == .noSpace {
            self.ending.end(.failure(ToolError(error)))
          } else {
            StandardError.report("wormhole-listen", error.description)
          }
        },
        onFile: { file in try self.take { () throws(ToolError) in try self.handle(file) } },
        handler: { message in try self.take { () throws(ToolError) in try self.handle(message) } })
    }
    tokens.withLock { $0.append(token) }
  }

  /// Does with a transfer what is to be done, and counts it; throws when it is not taken by that.
  private func take(_ body: () throws(ToolError) -> Void) throws {
    var isTaken = false
    ending.work { () throws(ToolError) in
      try body()
      isTaken = true
    }
    guard isTaken else { throw Refusal() }
    noteTaken()
  }

  /// Saves a file, prints it or runs the command for it.
  private func handle(_ file: ReceivedFile) throws(ToolError) {
    if let command {
      let status = ending.run(try Command(command, file: file.path, variables: try file.variables()))
      try check(status, of: command, file.identifier)
    } else if let directory {
      let place = try calling { () throws(WormholeError) in try file.move(intoDirectory: directory) }
      do throws(ToolError) { try output.print(formatter.line(of: file, savedAt: place)) } catch {
        // The file is not taken and comes again: the directory must not have it twice then.
        try? FileSystem.remove(Path(place))
        throw error
      }
    } else if formatter.format == .raw {
      try output.printFile(file.path)
    } else {
      throw ToolError(
        .failed,
        "transfer \(file.sequence) of \(file.identifier) is a file: give --save DIRECTORY, --exec COMMAND or -f raw, "
          + "or take it out of the way with --set-aside; it stays first in line")
    }
  }

  /// Throws when a command has not taken what it was run for.
  private func check(_ status: Command.Status, of command: String, _ identifier: String) throws(ToolError) {
    guard status != .code(0) else { return }
    throw ToolError(
      .failed, "command \(command) \(status.description) for \(identifier); the transfer stays first in line")
  }

  /// Prints a transfer or runs the command for it; what it throws ends the tool, and the transfer stays first in line.
  private func handle(_ message: Message<Payload>) throws(ToolError) {
    let event = Event.message(message)
    guard let command else {
      try output.print(try formatter.line(of: event) ?? [])
      return
    }
    let content = try formatter.content(of: event) ?? []
    let status = ending.run(try Command(command, input: content, variables: event.variables))
    try check(status, of: command, message.identifier)
  }

  /// Counts a transfer; after the last one that is wanted, or when the end has come, no other is begun.
  private func noteTaken() {
    let taken = count.withLock { count in
      count += 1
      return count
    }
    guard taken == limit || ending.isOver else { return }
    // From inside the handler: the library notes this transfer as taken and goes on to no other.
    for token in tokens.withLock({ $0 }) { token.cancel() }
    ending.end(.success(.success))
  }

  /// Ends the receiving, and waits until the library has noted what was taken.
  private func stop() {
    for token in tokens.withLock({ $0 }) { token.cancel() }
  }
}

extension ReceivedFile {
  /// What a command finds in its environment.
  fileprivate func variables() throws(ToolError) -> [(name: String, value: String)] {
    var variables = [
      (name: "WORMHOLE_IDENTIFIER", value: identifier), ("WORMHOLE_SEQUENCE", "\(sequence)"),
      ("WORMHOLE_ORIGIN", origin),
      ("WORMHOLE_FILE", path), ("WORMHOLE_FILE_NAME", safeName()),
    ]
    if let metadata {
      let event = Event.message(
        Message(identifier: identifier, value: metadata, sequence: sequence, sent: sent, origin: origin))
      let text = try MessageFormatter(.raw).content(of: event) ?? []
      variables.append(("WORMHOLE_METADATA", String(decoding: text, as: UTF8.self)))
    }
    return variables
  }
}
