import TestSupport
import Testing

@testable import Wormhole

/// System calls that fail while transfers are sent, taken, set aside, put back and cancelled: every one, with every number.
@Suite("Failing system calls of transfers", .ownThread)
struct QueueFaultTests {
  /// What is done while calls fail; `a` and `b` are outstanding before it.
  enum Operation: CaseIterable, Sendable {
    case first, append, durable, batch, take, subscribe, setAside, putBack, cancel, outstanding, fate
  }

  /// What came of it.
  private struct Result {
    /// What a handler was given and returned from.
    var taken: [String] = []
    var hasFailed = false
    var isCancelled = false
  }

  @Test(
    "One failing call fails its operation at most: nothing is lost, nothing taken comes again, no lock and no file stays",
    arguments: Operation.allCases)
  func single(operation: Operation) throws {
    for error in FaultTests.telling + [.inputOutput, .processFilesFull, .interrupted] {
      for call in 0..<150 {
        let made = try run(operation, "call \(call): \(error)") { number, _ in number == call ? .fail(error) : nil }
        if made <= call { break }
        #expect(call < 149, "\(operation) makes many calls")
      }
    }
  }

  @Test("A call that fails every time loses nothing either", arguments: Operation.allCases)
  func persistent(operation: Operation) throws {
    for call in SystemCall.allCases where call != .close {
      for error in FaultTests.telling {
        _ = try run(operation, "every \(call): \(error)", mayRepeat: true) { _, made in
          made == call ? .fail(error) : nil
        }
      }
    }
  }

  @Test("Reads and writes that are cut short are gone on with", arguments: Operation.allCases)
  func short(operation: Operation) throws {
    for bytes in [1, 7, 129] {
      _ = try run(operation, "\(bytes) bytes at once", mayFail: false) { _, _ in .short(bytes) }
    }
  }

  /// Runs an operation with faults, checks what it leaves, and gives the number of calls that it made.
  private func run(
    _ operation: Operation, _ place: String, mayFail: Bool = true, mayRepeat: Bool = false,
    _ fault: @escaping @Sendable (Int, SystemCall) -> Fault?
  ) throws -> Int {
    let directory = try TemporaryDirectory(.memory)
    let open = try directory.openFileCount()
    let store = TransferStore(try Archives(directory: directory.path, options: WormholeOptions()))
    let item = operation == .first ? nil : try store.ownQueue("n").append(Self.records("a", "b"), limit: 1 << 20)[0]
    if operation == .putBack { _ = try store.setAsideFirst("n", subscriber: nil) }
    let made = Lock(0)
    var result = Result()
    do throws(WormholeError) {
      try Interception.with({ call in
        // Pauses are no part of what can fail, and time is short.
        if call == .nanosleep { return .answer(0) }
        if call == .clockGettime { return nil }
        return fault(
          made.withLock { (count: inout Int) -> Int in
            defer { count += 1 }
            return count
          }, call)
      }) { () throws(WormholeError) in try perform(operation, store, item, &result) }
    } catch {
      result.hasFailed = true
      #expect(mayFail && !error.reason.isEmpty, "\(operation), \(place): \(error)")
    }
    try check(operation, store, result, "\(operation), \(place)", mayRepeat: mayRepeat)
    // What is put back goes through the queue that all senders of a process share, which stays open.
    let kept = operation == .putBack ? 1 : 0
    #expect(try directory.openFileCount() <= open + kept, "\(operation), \(place)")
    return made.withLock { $0 }
  }

  private func perform(
    _ operation: Operation, _ store: TransferStore, _ item: QueueItem?, _ result: inout Result
  ) throws(WormholeError) {
    let queue = try store.ownQueue("n")
    switch operation {
    case .first, .append: _ = try queue.append(Self.records("new"), limit: 1 << 20)
    case .durable: _ = try queue.append(Self.records("new"), limit: 1 << 20, durability: .durable)
    case .batch: _ = try queue.append(Self.records("new", "newer"), limit: 1 << 20)
    case .take, .subscribe:
      var receiver = QueueReceiver(queue: queue, subscriber: operation == .take ? nil : "named", limit: 1 << 20)
      // Errors are told, and the receiver goes on with the next call.
      for _ in 0..<4 {
        do throws(WormholeError) {
          guard case .deliver(let delivery) = try receiver.take() else { continue }
          result.taken.append(String(decoding: delivery.record.payload.bytes, as: UTF8.self))
          receiver.finish()
        } catch { result.hasFailed = true }
      }
      receiver.close()
    case .setAside: _ = try store.setAsideFirst("n", subscriber: nil)
    case .putBack: _ = try store.putBack("n", subscriber: nil)
    case .cancel: if let item { result.isCancelled = try queue.cancel(item) }
    case .outstanding: _ = try queue.outstanding(limit: 1 << 20)
    case .fate: if let item { _ = try queue.awaitedFate(of: item) }
    }
  }

  /// Expects what a receiver that comes afterwards finds, and that it has the place.
  private func check(
    _ operation: Operation, _ store: TransferStore, _ result: Result, _ place: String, mayRepeat: Bool
  ) throws {
    let aside = try store.setAsideItems("n").map { String(decoding: $0.record.payload.bytes, as: UTF8.self) }
    _ = try store.ownQueue("n").append(Self.records("last"), limit: 1 << 20)
    var receiver = QueueReceiver(
      queue: try store.ownQueue("n"), subscriber: operation == .subscribe ? "named" : nil, limit: 1 << 20)
    var rest: [String] = []
    // Where unlocking failed too, a program that another test is just starting may hold a copy of the descriptor, and by
    // that the place, until it runs.
    try eventually("the place is free: \(place)") {
      rest = try receiver.drain().map { $0.replacing(" again", with: "") }
      return !rest.isEmpty
    }
    receiver.close()
    let all = (operation == .first ? [] : ["a", "b"]) + ["last"]
    var expected: [[String]]
    switch operation {
    case .first, .append, .durable: expected = [all, all.dropLast() + ["new", "last"]]
    case .batch: expected = [all, all.dropLast() + ["new", "newer", "last"]]
    case .take, .subscribe:
      #expect(result.taken == Array(["a", "b"].prefix(result.taken.count)), "\(place): \(result.taken)")
      expected = [Array(all.dropFirst(result.taken.count))]
      if mayRepeat { expected += (0..<result.taken.count).map { Array(all.dropFirst($0)) } }
    case .setAside: expected = aside.isEmpty ? [all] : result.hasFailed ? [all, ["b", "last"]] : [["b", "last"]]
    case .putBack:
      expected = aside.isEmpty ? [["b", "a", "last"]] : [["b", "last"], ["b", "a", "last"]]
    case .cancel: expected = result.isCancelled ? [["b", "last"]] : result.hasFailed ? [all, ["b", "last"]] : [all]
    case .outstanding, .fate: expected = [all]
    }
    if !result.hasFailed, [.first, .append, .durable, .batch].contains(operation) { expected.removeFirst() }
    #expect(expected.contains(rest), "\(place): \(rest), not \(expected)")
    var names: [String] = []
    try FileSystem.forEachName(in: store.archives.hidden) { names.append("\($0)") }
    #expect(names.allSatisfy { !$0.hasPrefix("t-") }, "\(place): \(names)")
  }

  private static func records(_ texts: String...) -> [QueueRecord] { texts.map { QueueWorld.record(Array($0.utf8)) } }
}
