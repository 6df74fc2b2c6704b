import Glibc
import Wormhole

extension Subcommand {
  /// `request-faults DIRECTORY KIND NUMBER`: responds, looks who is reachable and asks while system calls fail, in this
  /// process alone, each time with queues made anew in the directory.
  ///
  /// `each ERRNO`: each call that may give this number does so once, one an exchange, until an exchange makes no further
  /// one; `every ERRNO`: all calls of one name fail, name by name; `interrupt 0`: a signal interrupts every second call;
  /// `clock TIME`: the clock that people set goes back with each look at it; `short BYTES`: reads and writes move so many bytes at most. Says `problem …` of whatever is not as it should be, then
  /// `done N` after N exchanges.
  static let requestFaults = Subcommand(name: "request-faults") { arguments in
    guard arguments.count == 3, let number = Int32(arguments[2]) else { throw SubcommandError("three arguments") }
    let faults = RequestFaults(arguments[0])
    let error = Errno(number)
    // Makes the thread that hears events, and is what the others are compared with.
    let plain = faults.exchange("plain", mayFail: false) { _, _ in nil }
    // A file that seems to be gone for a moment is opened a second time.
    let allowed = plain.open + 1
    var count = 1
    switch arguments[1] {
    case "each":
      var next = 0
      while true {
        let failed = Lock<(number: Int, call: SystemCall)?>(nil)
        let first = next
        _ = faults.exchange("\(error) from call \(first) on", mayFail: true, allowed: allowed) { number, call in
          guard number >= first, call.mayFail(with: error) else { return nil }
          return failed.withLock { failed in
            if failed != nil { return nil }
            failed = (number, call)
            return .fail(error)
          }
        }
        guard let failed = failed.withLock({ $0 }) else { break }
        count += 1
        next = failed.number + 1
      }
    case "interrupt":
      // Each is made again at once, so every second one.
      _ = faults.exchange("interrupted", mayFail: false, timeout: .seconds(60), allowed: allowed) { number, _ in
        number.isMultiple(of: 2) ? .fail(.interrupted) : nil
      }
      count += 1
    case "clock":
      let start = UInt(number) << 32
      _ = faults.exchange("clock", mayFail: false, allowed: allowed) { number, call in
        call == .clockGettime ? .answer(start - UInt(number) << 20) : nil
      }
      count += 1
    case "every":
      for call in SystemCall.allCases {
        _ = faults.exchange("every \(call)", mayFail: true, timeout: .milliseconds(100), allowed: allowed) { _, made in
          made == call ? .fail(error) : nil
        }
        count += 1
      }
    default:
      _ = faults.exchange("short", mayFail: false, timeout: .seconds(60), allowed: allowed) { _, _ in
        .short(Int(number))
      }
      count += 1
    }
    say("done \(count)")
  }
}

/// Exchanges of requests while system calls fail.
private struct RequestFaults {
  /// Which call fails, and how.
  private struct Decision: Sendable {
    let fault: @Sendable (Int, SystemCall) -> Fault?
  }

  /// None while nothing is to fail.
  private let decision = Lock<Decision?>(nil)
  private let made = Lock(0)
  private let directory: String

  init(_ directory: String) {
    self.directory = directory
    let (decision, made) = (decision, made)
    Interception.everywhere { call in
      guard let decision = decision.withLock({ $0 }) else { return nil }
      return decision.fault(
        made.withLock { (count: inout Int) -> Int in
          defer { count += 1 }
          return count
        }, call)
    }
  }

  /// Runs one exchange with faults and one after them; gives how many calls the first made, and what stays open.
  func exchange(
    _ place: String, mayFail: Bool, timeout: Duration = .seconds(1), allowed: Int? = nil,
    _ fault: @escaping @Sendable (Int, SystemCall) -> Fault?
  ) -> (made: Int, open: Int) {
    // The queues are made anew each time; the directory and the watches in it stay, as those of another would add up.
    for name in hiddenNames where name != "presence" { try? FileSystem.remove(Path("\(directory)/.wormhole/\(name)")) }
    let asked = Lock(0)
    made.withLock { $0 = 0 }
    decision.withLock { $0 = Decision(fault: fault) }
    let outcome = ask("question", timeout, asked)
    decision.withLock { $0 = nil }
    let made = made.withLock { $0 }
    func expect(_ isRight: Bool, _ what: String) { if !isRight { say("problem \(place): \(what)") } }
    switch outcome {
    case .success(let reply): expect(reply == "re question", "answered \(reply)")
    case .failure(let error): expect(mayFail && !error.reason.isEmpty, "\(error)")
    }
    expect(asked.withLock { $0 } <= 1, "asked \(asked.withLock { $0 }) times")
    let next = ask("next", .seconds(20), asked)
    expect((try? next.get()) == "re next", "the next is \(next) after \(outcome)")
    let names = hiddenNames
    expect(names.count { $0.hasPrefix("p-") } == 1 && !names.contains { $0.hasPrefix("t-") }, "left \(names)")
    expect(isFree(names), "a lock is left")
    // What is let go of on another thread is closed there.
    var open = openFiles
    for _ in 0..<500 {
      guard let allowed, open.count > allowed else { break }
      Clock.sleep(nanoseconds: 2_000_000)
      open = openFiles
    }
    if let allowed { expect(open.count <= allowed, "more than \(allowed) files are open: \(open)") }
    return (made, open.count)
  }

  /// Responds, looks who is there and asks once; the first error that stands in the way, or the reply.
  private func ask(
    _ text: String, _ timeout: Duration, _ asked: Lock<Int>
  ) -> Result<String, WormholeError> {
    var token: ListeningToken?
    var wormhole: Wormhole?
    let outcome: Result<String, WormholeError>
    do throws(WormholeError) {
      let opened = try Wormhole(directory: directory)
      wormhole = opened
      token = try opened.respond(to: String.self, identifier: "n") { message in
        if message.value == "question" { asked.withLock { $0 += 1 } }
        return "re \(message.value)"
      }
      let states = try opened.reachability(identifier: "n")
      _ = try opened.isReachable(identifier: "n")
      let answer = Lock<Result<String, WormholeError>?>(nil)
      Task {
        var iterator = states.makeAsyncIterator()
        _ = await iterator.next()
        let result: Result<String, WormholeError>
        do throws(WormholeError) {
          result = .success(try await opened.request(text, identifier: "n", as: String.self, timeout: timeout))
        } catch { result = .failure(error) }
        answer.withLock { $0 = result }
        answer.notifyAll()
      }
      outcome = answer.wait(until: { $0 != nil }) { $0 } ?? .success("")
    } catch { outcome = .failure(error) }
    token?.cancel()
    wormhole?.finishAnswers(within: .seconds(20))
    if let wormhole, let isThere = try? wormhole.isReachable(identifier: "n"), isThere {
      say("problem: still reachable after \(outcome)")
    }
    return outcome
  }

  private var hiddenNames: [String] {
    var names: [String] = []
    try? FileSystem.forEachName(in: Path("\(directory)/.wormhole")) { names.append("\($0)") }
    return names
  }

  /// Whether nobody holds a write lock on a queue, or a claim, but the one that says that the asker lives.
  private func isFree(_ names: [String]) -> Bool {
    names.filter { $0.hasSuffix(".queue") || $0.hasPrefix("p-") }.allSatisfy { name in
      guard let file = try? FileDescriptor.open(Path("\(directory)/.wormhole/\(name)"), OpenFlags.readWrite) else {
        return false
      }
      let areas = [(0, 1), (1 << 61, 1 << 60)]
      return areas.allSatisfy { (try? file.isLockedByAnother(against: .exclusive, at: $0.0, length: $0.1)) == false }
    }
  }

  private var openFiles: [String] {
    var numbers: [String] = []
    try? FileSystem.forEachName(in: Path("/proc/self/fd")) { numbers.append("\($0)") }
    let targets = numbers.compactMap { try? FileSystem.target(of: Path("/proc/self/fd/\($0)")) }
    // A process keeps the last few queues at hand that it has replied to.
    return targets.filter { target in
      target.hasPrefix("\(directory)/") && !(target.contains("/p-") && target.hasSuffix(" (deleted)"))
    }
  }
}

extension SystemCall {
  /// Whether the kernel may answer this call with the number.
  fileprivate func mayFail(with error: Errno) -> Bool {
    switch error {
    case .wouldBlock: self == .fcntlLock
    case .accessDenied: [.open, .opendir, .fstatat, .unlinkat, .renameat2, .mkdirat, .inotifyAddWatch].contains(self)
    // Not of a directory that is there when it is to be watched: its coming would be waited for.
    case .noEntry: [.open, .fstatat, .unlinkat, .renameat2].contains(self)
    case .processFilesFull, .systemFilesFull: [.open, .opendir, .inotifyInit].contains(self)
    case .noSpace: [.open, .pwrite, .pwritev, .renameat2, .mkdirat, .ftruncate, .inotifyAddWatch].contains(self)
    case .quotaExceeded: [.open, .pwrite, .pwritev, .renameat2, .mkdirat].contains(self)
    case .readOnly: [.open, .unlinkat, .renameat2, .mkdirat].contains(self)
    case .stale: [.open, .fstat, .fstatat, .pread, .preadv, .pwrite, .pwritev].contains(self)
    default: self != .clockGettime && self != .nanosleep
    }
  }
}
