import Dispatch
import Glibc
import TestSupport
import Testing
import Wormhole

/// Ten programs that pass in every way at once, and are killed at random: for `WORMHOLE_SOAK` seconds, five unless set.
///
/// `WORMHOLE_SOAK=600 swift test --filter SoakTests` is the long one.
@Suite("Soak", .ownThread)
struct SoakTests {
  /// A program that is started again whenever it has been killed.
  private final class Worker: Sendable {
    let role: String
    let name: String
    let process = Lock<HelperProcess?>(nil)
    let starts = Lock(0)
    let hasEnded = Inbox<Bool>()

    init(_ role: String, _ name: String) {
      self.role = role
      self.name = name
    }
  }

  /// What a program and the directory take at a moment.
  private struct Usage: CustomStringConvertible {
    var memory = 0
    var descriptors = 0
    var description: String { "\(memory >> 10) KiB, \(descriptors) descriptors" }
  }

  private static let seconds = getenv("WORMHOLE_SOAK").flatMap { Int(String(cString: $0)) } ?? 5

  @Test("A mixed load of ten programs under random kills loses nothing, and takes no more with time")
  func mixedLoad() throws {
    let directory = try TemporaryDirectory()
    let ledger = Lock(SoakLedger())
    let (isOver, isReceivingOver) = (Lock(false), Lock(false))
    // Those that live from the beginning to the end show whether memory and descriptors grow.
    let lasting = [Worker("hear", "h"), Worker("receive", "-")]
    let mortal = [
      ("pass", "p1"), ("pass", "p2"), ("update", "u1"), ("transfer", "t1"), ("transfer", "t2"), ("receive", "named"),
      ("respond", "r"), ("ask", "a"),
    ].map { Worker($0.0, $0.1) }
    // Both subscribers are there before the first transfer, so that each must get all.
    let receivers = lasting + mortal.filter { $0.role == "receive" }
    let senders = mortal.filter { $0.role != "receive" }
    for worker in receivers { start(worker, directory, ledger, isReceivingOver) }
    try eventually("both subscribers are there") { ledger.withLock { $0.receiving.count == 2 } }
    for worker in senders { start(worker, directory, ledger, isOver) }

    let end = Clock.monotonic + UInt64(Self.seconds) * 1_000_000_000
    let firstLook = Clock.monotonic + UInt64(Self.seconds) * 250_000_000
    var early: [Usage] = []
    var earlyDisk = 0
    var kills = 0
    var random = SystemRandomNumberGenerator()
    while Clock.monotonic < end {
      usleep(UInt32.random(in: 20_000...150_000, using: &random))
      if early.isEmpty, Clock.monotonic > firstLook {
        early = lasting.map(usage)
        earlyDisk = try disk(directory)
      }
      mortal.randomElement(using: &random)?.process.withLock { $0 }?.send(SIGKILL)
      kills += 1
    }
    let late = lasting.map(usage)
    let lateDisk = try disk(directory)

    // The senders end, then the receivers, when they have taken what is left: they say what they have before it is noted
    // as taken in the queue.
    try finish(senders, isOver)
    let wormhole = try Wormhole(directory: directory.path)
    try eventually("all transfers are taken") {
      try ledger.withLock { $0.hasAll("-") && $0.hasAll("named") }
        && wormhole.outstandingTransfers(identifier: "jobs").isEmpty
    }
    try finish(receivers, isReceivingOver)

    try check(directory, ledger.withLock { $0 }, kills)
    for (worker, (before, after)) in zip(lasting, zip(early, late)) {
      #expect(after.memory < before.memory + (12 << 20), "\(worker.role): \(before) then \(after)")
      #expect(after.descriptors <= before.descriptors + 4, "\(worker.role): \(before) then \(after)")
    }
    #expect(lateDisk < earlyDisk + (4 << 20), "disk: \(earlyDisk) then \(lateDisk)")
    let text = ledger.withLock {
      "\(Self.seconds) s, \(kills) kills; passed \($0.passed), updated \($0.updated), transferred \($0.transferredCount), "
        + "again \($0.redelivered), asked \($0.asked); \(lasting.map(\.role)) \(early) then \(late), disk \(earlyDisk) then \(lateDisk)"
    }
    print("soak: \(text)")
  }

  /// Starts a program, reads what it says, and starts it again when it was killed.
  private func start(
    _ worker: Worker, _ directory: TemporaryDirectory, _ ledger: Lock<SoakLedger>, _ isOver: Lock<Bool>
  ) {
    let path = directory.path
    let work = DispatchWorkItem {
      repeat { Self.live(worker, path, ledger, isOver) } while !isOver.withLock { $0 }
      worker.hasEnded.put(true)
    }
    DispatchQueue(label: worker.name).async(execute: work)
  }

  /// One life of a program, from its start to its end.
  private static func live(_ worker: Worker, _ path: String, _ ledger: Lock<SoakLedger>, _ isOver: Lock<Bool>) {
    let incarnation = worker.starts.withLock { starts in
      starts += 1
      return starts
    }
    // Another name each time, so that its numbers begin again; a subscriber stays who it is.
    let name = worker.role == "receive" ? worker.name : "\(worker.name).\(incarnation)"
    do {
      let process = try HelperProcess("wormhole-test-helper", ["soak", path, worker.role, name])
      worker.process.withLock { $0 = process }
      if isOver.withLock({ $0 }) { process.send(SIGTERM) }
      while let line = try? process.nextLine() { ledger.withLock { $0.note(line, of: worker.name) } }
      let end = try process.waitUntilExit()
      let isExpected =
        end.exit == .signal(SIGKILL) || (isOver.withLock { $0 } && [.code(0), .signal(SIGTERM)].contains(end.exit))
      if !isExpected {
        ledger.withLock { $0.fault("\(worker.role) ended with \(end.exit): \(end.errorText.suffix(300))") }
      }
    } catch {
      ledger.withLock { $0.fault("\(worker.role): \(error)") }
    }
  }

  /// Expects what is there when all have ended.
  private func check(_ directory: TemporaryDirectory, _ ledger: SoakLedger, _ kills: Int) throws {
    #expect(ledger.faults.isEmpty, "\(ledger.faults)")
    let wormhole = try Wormhole(directory: directory.path)
    let stored = try #require(try wormhole.storedMessage(String.self, identifier: "mail"))
    #expect(stored.sequence + 10 >= ledger.passed, "passed \(ledger.passed), stored \(stored.sequence)")
    let count = try wormhole.message(Int.self, identifier: "count") ?? 0
    #expect(count >= ledger.updated && count <= ledger.updated + kills + 1, "\(ledger.updated) updates made \(count)")
    #expect(ledger.transferredCount > 0 && ledger.asked["reply", default: 0] > 0 && ledger.passed > 0)
    var left: [String] = []
    try FileSystem.forEachName(in: Path(directory.appending(".wormhole"))) { left.append("\($0)") }
    #expect(!left.contains { $0.hasPrefix("t-") }, "\(left)")
    #expect(left.count < 12, "\(left)")
    // Every way goes on at once.
    try wormhole.passMessage("after", identifier: "mail")
    try wormhole.transfer("after", identifier: "jobs")
  }

  /// Lets programs end, and waits for that.
  private func finish(_ workers: [Worker], _ isOver: Lock<Bool>) throws {
    isOver.withLock { $0 = true }
    for worker in workers { worker.process.withLock { $0 }?.send(SIGTERM) }
    for worker in workers { _ = try worker.hasEnded.next() }
  }

  /// What a program takes: resident bytes and open files.
  private func usage(_ worker: Worker) -> Usage {
    guard let process = worker.process.withLock({ $0 }) else { return Usage() }
    let place = "/proc/\(process.processIdentifier)"
    var usage = Usage()
    let fields = (try? FileSystem.text(of: Path("\(place)/statm")))?.split(separator: " ") ?? []
    if fields.count > 1 { usage.memory = (Int(fields[1]) ?? 0) * 4096 }
    try? FileSystem.forEachName(in: Path("\(place)/fd")) { _ in usage.descriptors += 1 }
    return usage
  }

  /// The bytes of disk that the directory and its hidden folder take.
  private func disk(_ directory: TemporaryDirectory) throws -> Int {
    var bytes = 0
    for folder in [Path(directory.path), Path(directory.appending(".wormhole"))] {
      try FileSystem.forEachName(in: folder) { name in
        bytes += (try? FileSystem.status(of: folder.appending(name)).allocated) ?? 0
      }
    }
    return bytes
  }
}
