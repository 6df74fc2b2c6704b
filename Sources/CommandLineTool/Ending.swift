import CSystem
import Glibc
import Wormhole

/// How a tool that goes on until something ends it comes to its end: by itself, by a signal, when the time is over, or
/// when nobody reads its output any more.
///
/// The work is done on other threads; one waits in poll(2) for whatever comes first. Nothing wakes it in between.
package final class Ending: Sendable {
  /// What the threads share.
  private struct State {
    /// How the tool ends; no work begins once it is set.
    var outcome: Result<ExitCode, ToolError>?
    /// Whether work is being done.
    var isWorking = false
    /// The command that the work waits for, a descriptor of its process.
    var command: Int32?
    /// The signal that brought the end, or that the end brings.
    var signal: Int32?
    /// Whether there is still what comes first, before the time can be over.
    var holdsTime = false
    /// How many pieces of work have been done.
    var works = 0
  }

  private let state = Lock(State())
  private let signals: Int32
  private let bell: (read: Int32, write: Int32)

  /// Takes over SIGINT and SIGTERM, which must be done before any other thread is there.
  ///
  /// Also where the tool was started with them ignored, as a shell does in the background: they are the way to end it.
  package init() throws(ToolError) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGTERM)
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    signals = csystem_signalfd(&set)
    var ends: [Int32] = [-1, -1]
    guard signals >= 0, csystem_pipe(&ends) == 0 else {
      throw ToolError(.inputOutput, "signals: \(SystemFailure(errno))")
    }
    bell = (ends[0], ends[1])
  }

  /// Whether the end has come: work that loops asks it.
  package var isOver: Bool { state.withLock { $0.outcome != nil } }

  /// Does a piece of work unless the end has come; an error that it throws ends the tool.
  package func work(_ body: () throws(ToolError) -> Void) {
    let begins = state.withLock { state in
      state.isWorking = state.outcome == nil
      return state.isWorking
    }
    guard begins else { return }
    do { try body() } catch { end(.failure(error)) }
    state.withLock { state in
      state.isWorking = false
      state.works += 1
    }
    ring()
  }

  /// Runs a command as part of a piece of work; a signal that ends the tool is passed on to it.
  package func run(_ command: consuming Command) -> Command.Status {
    let handle = command.handle
    state.withLock { state in
      state.command = handle
      // The signal may have come after the work began and before there was a command to pass it to.
      if let signal = state.signal { _ = csystem_pidfd_send_signal(handle, signal) }
    }
    let status = command.wait()
    state.withLock { $0.command = nil }
    return status
  }

  /// Lets the time not be over before `releaseTime`, for as long as work gets on.
  package func holdTime() { state.withLock { $0.holdsTime = true } }

  /// What comes first is done.
  package func releaseTime() {
    state.withLock { $0.holdsTime = false }
    ring(always: true)
  }

  /// Ends the tool unless its end has come already.
  package func end(_ outcome: Result<ExitCode, ToolError>) {
    state.withLock { state in
      if state.outcome == nil { state.outcome = outcome }
    }
    ring()
  }

  /// Waits for the end and for the work that is being done then; gives how the tool ends.
  ///
  /// Work that waits for a reader that has stopped is not waited for: the tool ends here then, since whatever would be
  /// put in order on the way out would wait for that work too. What was not printed whole is not taken.
  ///
  /// - Parameters:
  ///   - time: When the tool ends with 75; a command that runs then is ended by SIGTERM.
  ///   - watchesOutput: Whether the tool ends quietly when nobody reads its standard output any more.
  package func wait(time: Duration?, watchesOutput: Bool) throws(ToolError) -> ExitCode {
    let start = Clock.monotonic
    var works: Int?
    while !isOver {
      var rest = time.map { $0 - .nanoseconds(Int64(Clock.monotonic - start)) }
      if let left = rest, left <= .zero {
        // What comes first may take longer, but does not wait for a reader that has stopped.
        let state = state.withLock { (isHeld: $0.holdsTime, works: $0.works) }
        guard state.isHeld, state.works != works else {
          end(.timedOut, passingOn: SIGTERM)
          break
        }
        (works, rest) = (state.works, .seconds(1))
      }
      switch poll(output: watchesOutput, rest) {
      case .signal(let number): end(.success, passingOn: number)
      case .outputClosed: end(.failure(.closedPipe))
      case .bell, .timeOver: break
      }
    }
    finishWork()
    let (outcome, isWorking) = state.withLock { ($0.outcome ?? .success(.success), $0.isWorking) }
    if isWorking { Tool.abandon(outcome) }
    return try outcome.get()
  }

  /// Waits until the work in hand is done: a command for as long as it takes, all else no longer than a second, since it
  /// can only be waiting for a reader that has stopped. A second signal ends the waiting.
  private func finishWork() {
    while state.withLock({ $0.isWorking }) {
      let isCommand = state.withLock { $0.command != nil }
      switch poll(output: false, isCommand ? nil : .seconds(1)) {
      case .signal: return
      case .timeOver: if state.withLock({ $0.command == nil }) { return }
      case .bell, .outputClosed: break
      }
    }
  }

  /// Ends the tool and passes a signal on to the command that it waits for.
  private func end(_ code: ExitCode, passingOn number: Int32) {
    end(.success(code))
    state.withLock { state in
      state.signal = number
      if let command = state.command { _ = csystem_pidfd_send_signal(command, number) }
    }
  }

  /// What a poll found.
  private enum Found {
    case signal(Int32), bell, outputClosed, timeOver
  }

  /// Waits for a signal, the bell or the loss of the output's reader.
  private func poll(output: Bool, _ time: Duration?) -> Found {
    var polled = [
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0), pollfd(fd: bell.read, events: Int16(POLLIN), revents: 0),
      pollfd(fd: output ? STDOUT_FILENO : -1, events: 0, revents: 0),
    ]
    var milliseconds: Int32 = -1
    if let (seconds, attoseconds) = time?.components {
      milliseconds = Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
    let count = Glibc.poll(&polled, nfds_t(polled.count), milliseconds)
    guard count > 0 else { return count == 0 ? .timeOver : .bell }
    if polled[0].revents != 0 {
      // The first four bytes of signalfd_siginfo are the number of the signal.
      var information = [UInt32](repeating: 0, count: 32)
      let size = read(signals, &information, 128)
      return size > 0 ? .signal(Int32(bitPattern: information[0])) : .bell
    }
    if polled[1].revents != 0 {
      var rings = [UInt8](repeating: 0, count: 64)
      _ = read(bell.read, &rings, rings.count)
      return .bell
    }
    // Nothing was asked of the output, so this is an error or a hang-up.
    return .outputClosed
  }

  /// Wakes the thread that waits, if the end has come: work that merely goes on concerns nobody.
  private func ring(always: Bool = false) {
    guard always || isOver else { return }
    var ring: UInt8 = 1
    _ = write(bell.write, &ring, 1)
  }
}
