import TestSupport
import Testing
import Wormhole

@testable import class Wormhole.Queue
@testable import enum Wormhole.QueueLayout
@testable import struct Wormhole.QueueReceiver

/// What a disk holds of a queue after a power cut: of each sector any content that it had since the last sync, and the
/// name from the sync of the directory on.
@Suite("Power cuts of queues", .ownThread)
struct QueuePowerCutTests {
  /// The states of the file, noted before each system call that is made on it.
  private struct Disk {
    /// What the file has been since the last sync, oldest first; each may be what is found.
    var states: [[UInt8]] = []
    /// Whether the name is on the disk.
    var isNamed = false
    /// What is there after whatever power cut comes now: what was sent durably and is not taken by all.
    var promised: [String] = []
    /// What was sent, in order.
    var sent: [String] = []
  }

  @Test(
    "A durable transfer that has returned is there after any power cut, in order, with all that are sent after it",
    arguments: 1...16 as ClosedRange<UInt64>)
  func mixedSectors(seed: UInt64) throws {
    let world = try QueueWorld(.memory)
    let disk = Lock(Disk())
    let cuts = Lock((random: FixedRandom(seed: seed), disks: [Disk]()))
    // A default transfer makes the queue half of the time, so that the durable one has to see to its name.
    var random = FixedRandom(seed: seed &* 7)
    var taken = 0
    let subscriber = seed.isMultiple(of: 3) ? "named" : nil
    var receiver = QueueReceiver(queue: world.another(), subscriber: subscriber, limit: 1 << 20)
    try Interception.with({ call in
      guard let cut = Self.note(call, world, disk) else { return nil }
      cuts.withLock { cuts in
        if Int.random(in: 0..<6, using: &cuts.random) == 0 { cuts.disks.append(cut) }
      }
      return nil
    }) {
      if subscriber != nil {
        try receiver.prepare()
      }
      for number in 0..<40 {
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
          let text = "\(number) " + String(repeating: "x", count: Int.random(in: 0...1500, using: &random))
          disk.withLock { $0.sent.append(text) }
          _ = try world.queue.append([QueueWorld.record(Array(text.utf8))], limit: 64 << 20)
        case 2:
          let text = "\(number) " + String(repeating: "d", count: Int.random(in: 0...9000, using: &random))
          disk.withLock { $0.sent.append(text) }
          _ = try world.queue.append([QueueWorld.record(Array(text.utf8))], limit: 64 << 20, durability: .durable)
          disk.withLock { disk in disk.promised = Array(disk.sent.dropFirst(taken)) }
        default:
          guard try receiver.nextText() != nil else { continue }
          taken += 1
          disk.withLock { disk in
            if disk.promised.first == disk.sent[taken - 1] { disk.promised.removeFirst() }
          }
          receiver.finish()
        }
      }
      // All is taken, and the space given back.
      while try receiver.nextText() != nil {
        taken += 1
        disk.withLock { disk in if disk.promised.first == disk.sent[taken - 1] { disk.promised.removeFirst() } }
        receiver.finish()
      }
      #expect(taken == disk.withLock { $0.sent.count })
    }
    let disks = cuts.withLock { $0.disks }
    #expect(disks.count > 10)
    for disk in disks { Self.cut(disk, subscriber, &random) }
  }

  @Test("Sending durably after a default transfer made the queue, its name and all before it are on the disk")
  func name() throws {
    let world = try QueueWorld(.memory)
    let disk = Lock(Disk())
    let made = Lock<[SystemCall]>([])
    try Interception.with({ call in
      Self.note(call, world, disk)
      made.withLock { $0.append(call) }
      return nil
    }) {
      try world.send("default")
      #expect(!disk.withLock { $0.isNamed })
      // The page of a new queue comes to the disk before its name: a name without it would be in the way of all to come.
      let calls = made.withLock { $0 }
      #expect(calls.firstIndex(of: .fdatasync) ?? .max < calls.firstIndex(of: .renameat2) ?? 0)
      _ = try world.queue.append([QueueWorld.record([65])], limit: 1 << 20, durability: .durable)
      #expect(disk.withLock { $0.isNamed && $0.states.count == 1 })
    }
  }

  @Test("A power cut while an item is sent durably leaves it whole or nothing of it, and no damage to tell")
  func unfinished() throws {
    let world = try QueueWorld(.memory)
    let (disk, cuts) = (Lock(Disk()), Lock<[[[UInt8]]]>([]))
    let texts = ["first", String(repeating: "x", count: 1500)]
    try Interception.with({ call in
      if let cut = Self.note(call, world, disk) { cuts.withLock { $0.append(cut.states) } }
      return nil
    }) {
      for text in texts {
        _ = try world.queue.append([QueueWorld.record(Array(text.utf8))], limit: 1 << 20, durability: .durable)
      }
    }
    for states in cuts.withLock({ $0 }) {
      guard let old = states.first, let new = states.last, old.count >= QueueLayout.pageSize else { continue }
      // Of what was written since the last sync, one sector has come to the disk.
      for start in stride(from: 0, to: new.count, by: 512) {
        let sector = start..<min(start + 512, new.count)
        var bytes = old + [UInt8](repeating: 0, count: max(0, sector.upperBound - old.count))
        bytes.replaceSubrange(sector, with: new[sector])
        let world = try QueueWorld(.memory)
        try world.directory.write(bytes, to: "items.queue")
        var receiver = world.receiver()
        var came: [String] = []
        reading: while true {
          switch try receiver.take() {
          case .deliver(let delivery):
            came.append(String(decoding: delivery.record.payload.bytes, as: UTF8.self))
            receiver.finish()
          case .notice(let error): came.append(error.reason)
          case .empty, .standby: break reading
          }
        }
        #expect(came == Array(texts.prefix(came.count)))
      }
    }
  }

  /// Whether a call changes what may be found on the disk.
  private static func isWriting(_ call: SystemCall) -> Bool {
    [.pwrite, .pwritev, .ftruncate, .punchHole, .fdatasync, .fsync, .fcntlLock].contains(call)
  }

  /// Notes what the file is before a call that changes the disk, and gives what a power cut may leave until it is made.
  ///
  /// A sync leaves what the file is then, whatever the call after it finds.
  @discardableResult
  private static func note(_ call: SystemCall, _ world: QueueWorld, _ disk: Lock<Disk>) -> Disk? {
    guard isWriting(call), let bytes = try? world.directory.read("items.queue") else { return nil }
    return disk.withLock { disk in
      if disk.states.last != bytes { disk.states.append(bytes) }
      defer {
        if call == .fdatasync { disk.states = [bytes] }
        if call == .fsync { disk.isNamed = true }
      }
      return disk
    }
  }

  /// Cuts the power several times over and expects of each disk what was promised.
  private static func cut(_ disk: Disk, _ subscriber: String?, _ random: inout FixedRandom) {
    guard disk.isNamed else {
      // Nothing leads to the file.
      #expect(disk.promised.isEmpty)
      return
    }
    for round in 0..<3 {
      do { try check(mixed(disk.states, round, &random), disk, subscriber, &random) } catch {
        Issue.record("\(error) with \(disk.promised.map { $0.prefix(4) }) of \(disk.sent.count)")
      }
    }
  }

  /// One disk among those that the states allow: at first all old but one sector, then all new but one, then anything.
  private static func mixed(_ states: [[UInt8]], _ round: Int, _ random: inout FixedRandom) -> [UInt8] {
    let sectors = (states.map(\.count).max() ?? 0) / 512 + 1
    let odd = Int.random(in: 0..<min(sectors, 12), using: &random)
    let length = states[Int.random(in: 0..<states.count, using: &random)].count
    var bytes: [UInt8] = []
    for sector in 0..<sectors {
      let chosen =
        switch round {
        case 0: sector == odd ? states.count - 1 : 0
        case 1: sector == odd ? 0 : states.count - 1
        default: Int.random(in: 0..<states.count, using: &random)
        }
      let state = states[chosen]
      bytes += (sector * 512..<(sector + 1) * 512).map { $0 < state.count ? state[$0] : 0 }
    }
    return Array(bytes.prefix(round < 2 ? states[round == 0 ? 0 : states.count - 1].count : length))
  }

  /// Expects of a disk that what was promised is there, and that senders and receivers go on with it.
  private static func check(
    _ bytes: [UInt8], _ disk: Disk, _ subscriber: String?, _ random: inout FixedRandom
  ) throws {
    let world = try QueueWorld(.memory)
    try world.directory.write(bytes, to: "items.queue")
    // Who comes first after the cut is a sender or a receiver.
    let isSenderFirst = Bool.random(using: &random)
    let later = (0..<Int.random(in: 1...12, using: &random)).map { number in
      "later \(number) " + String(repeating: "l", count: Int.random(in: 0...3000, using: &random))
    }
    var came: [String] = []
    var receiver = QueueReceiver(queue: world.another(), subscriber: subscriber, limit: 1 << 20)
    func drain() throws {
      for _ in 0..<400 {
        switch try receiver.take() {
        case .deliver(let delivery):
          came.append(String(decoding: delivery.record.payload.bytes, as: UTF8.self))
          receiver.finish()
        case .notice: continue
        case .empty, .standby: return
        }
      }
    }
    if !isSenderFirst { try drain() }
    for text in later {
      _ = try world.queue.append([QueueWorld.record(Array(text.utf8))], limit: 64 << 20, durability: .durable)
    }
    try drain()
    let places = came.map { text in
      disk.sent.firstIndex(of: text) ?? later.firstIndex(of: text).map { disk.sent.count + $0 } ?? -1
    }
    #expect(places == places.sorted() && Set(places).count == places.count && !places.contains(-1), "\(places)")
    let missing = (disk.promised + later).filter { !came.contains($0) }
    #expect(missing.isEmpty, "\(missing.map { $0.prefix(9) }) are lost; sender first: \(isSenderFirst)")
  }
}
