import Glibc
import TestSupport
import Testing
import Wormhole

/// Rings that must get another size, and damaged archives that are put right.
@Suite("Growth and repair", .ownThread)
struct GrowthTests {
  private let directory: TemporaryDirectory
  private let archives: Archives

  init() throws {
    directory = try TemporaryDirectory()
    archives = try Archives(directory: directory.path, options: WormholeOptions(origin: "tests"))
  }

  @Test("Messages of any size follow each other under one identity, without a gap")
  func growing() throws {
    var identity: UInt64?
    var random = FixedRandom(seed: 3)
    for sequence in 1...300 as ClosedRange<UInt64> {
      let size = Int.random(in: 0...1 << Int.random(in: 0...17, using: &random), using: &random)
      let text = String(repeating: "x", count: size) + "\(sequence)"
      let draft: Draft = sequence % 5 == 0 ? .signal : .text(text, sequence % 11 == 0 ? .durable : .cached)
      let position = try #require(try archives.append(draft, to: "n"))
      #expect(position.sequence == sequence && position.identity == identity ?? position.identity)
      identity = position.identity
      let seen = try #require(try archives.newest("n"))
      #expect(seen.record.sequence == (sequence % 5 == 0 ? sequence - 1 : sequence))
      if sequence % 5 != 0 { #expect(seen.record.payload?.bytes == Array(text.utf8)) }
    }
    #expect(try directory.names() == [".wormhole", "n.archive"])
  }

  @Test("A larger retention carries the history along, and a listener goes on where it was")
  func retention() throws {
    for index in 1...50 { try archives.append(.text("\(index)"), to: "n") }
    guard case .records(_, _, let then) = archives.look(at: "n", after: nil, every: true) else { return }
    let larger = try Archives(directory: directory.path, options: WormholeOptions(retention: 1 << 20))
    for index in 51...3000 { try larger.append(.text("\(index)"), to: "n") }
    guard case .records(let records, let missed, let now) = archives.look(at: "n", after: then, every: true) else {
      Issue.record("nothing new")
      return
    }
    #expect(records.map(\.sequence) == Array(51...3000) && missed == 0 && now.identity == then.identity)
    guard case .records(let all, _, _) = archives.look(at: "n", after: nil, every: true) else { return }
    #expect(all.count == 3000)
    // Who asks for less does not take it away again.
    try archives.append(.text("last"), to: "n")
    #expect(archives.heldCount("n") == 3001)
  }

  @Test("A ring shrinks when it begins again after a large message")
  func shrinking() throws {
    try archives.append(.text(String(repeating: "x", count: 300_000)), to: "n")
    let before = try directory.read("n.archive").count
    for _ in 0..<8000 { try archives.append(.text("small"), to: "n") }
    let after = try directory.read("n.archive").count
    #expect(before > 300_000 && after <= 4096 + (16 << 10))
    #expect(try archives.newest("n")?.record.sequence == 8001)
  }

  @Test("A replaced ring keeps the permission bits, whoever replaces it")
  func mode() throws {
    let group = try Archives(directory: directory.path, options: WormholeOptions(permissions: .group))
    try group.append(.text("x"), to: "n")
    try archives.append(.text(String(repeating: "x", count: 100_000)), to: "n")
    #expect(try FileSystem.status(of: Path(directory.appending("n.archive"))).mode & 0o7777 == 0o660)
    try archives.append(.text("x"), to: "m")
    #expect(try FileSystem.status(of: Path(directory.appending("m.archive"))).mode & 0o7777 == 0o600)
  }

  @Test("A group's directories let the group in and hand it down")
  func groupDirectory() throws {
    let path = directory.appending("a/b")
    _ = try Archives(directory: path, options: WormholeOptions(permissions: .group))
    for name in ["a", "a/b", "a/b/.wormhole"] {
      #expect(try FileSystem.status(of: Path(directory.appending(name))).mode & 0o7777 == 0o2770)
    }
    // And so does the lock under which foreign things are replaced.
    let group = try Archives(directory: path, options: WormholeOptions(permissions: .group))
    try directory.write("foreign".utf8, to: "a/b/n.archive")
    try group.append(.text("x"), to: "n")
    #expect(try FileSystem.status(of: Path(directory.appending("a/b/.wormhole/replace"))).mode & 0o7777 == 0o660)
    _ = try Archives(directory: directory.appending("own/deep"), options: WormholeOptions())
    #expect(try FileSystem.status(of: Path(directory.appending("own"))).mode & 0o7777 == 0o700)
  }

  @Test("A lost commit block costs neither messages nor numbers, and is reported once until a send puts it right")
  func commitBlock() throws {
    for index in 1...20 { try archives.append(.text("\(index)"), to: "n") }
    guard case .records(_, _, let then) = archives.look(at: "n", after: nil, every: true) else { return }
    try overwrite("n", at: 512, count: 40)
    guard case .unreadable(let error, let told) = archives.look(at: "n", after: then, every: true) else {
      Issue.record("not reported")
      return
    }
    #expect(error.code == .damagedArchive)
    guard case .unchanged = archives.look(at: "n", after: told, every: true) else { Issue.record("twice"); return }
    let position = try #require(try archives.append(.text("21"), to: "n"))
    #expect(position == Position(identity: then.identity, sequence: 21))
    guard case .records(let news, let missed, let now) = archives.look(at: "n", after: told, every: true) else {
      Issue.record("nothing new")
      return
    }
    #expect(news.map(\.sequence) == [21] && missed == 0 && now == position)
    #expect(archives.heldCount("n") == 21)
  }

  @Test("What a repair finds of the stored message is kept, however many signals came after it")
  func repairKeepsMessage() throws {
    let archives = try Archives(directory: directory.path, options: WormholeOptions(retention: 0))
    try archives.append(.text("kept"), to: "n")
    for _ in 0..<5 { try archives.append(.signal, to: "n") }
    try overwrite("n", at: 512, count: 40)
    try archives.append(.signal, to: "n")
    let newest = try #require(try archives.newest("n"))
    #expect(newest.record.payload?.bytes == Array("kept".utf8) && newest.record.sequence == 1)
  }

  @Test("A damaged header is put right like a commit block")
  func header() throws {
    let first = try #require(try archives.append(.text("1"), to: "n"))
    try archives.append(.signal, to: "n")
    try overwrite("n", at: 40, count: 8)
    expectError(.damagedArchive) { () throws(WormholeError) in _ = try archives.newest("n") }
    try archives.append(.signal, to: "n")
    let newest = try #require(try archives.newest("n"))
    #expect(newest.position == first && archives.heldCount("n") == 3)
  }

  @Test("An archive that is nothing but damage is a new one after the next send")
  func nothingLeft() throws {
    let first = try #require(try archives.append(.text("1"), to: "n"))
    try overwrite("n", at: 512, count: 8000)
    let second = try #require(try archives.append(.text("2"), to: "n"))
    #expect(second.sequence == 1 && second.identity != first.identity)
  }

  @Test("A truncated archive never restarts its numbers", arguments: [600, 1024, 4096, 4200])
  func truncated(length: Int) throws {
    for index in 1...5 { try archives.append(.text("\(index)"), to: "n") }
    #expect(truncate(directory.appending("n.archive"), length) == 0)
    guard case .unreadable(let error, _) = archives.look(at: "n", after: nil, every: true) else {
      Issue.record("not reported")
      return
    }
    #expect(error.code == .damagedArchive)
    try archives.append(.text("6"), to: "n")
    #expect(try archives.newest("n")?.record.sequence == 6)
  }

  @Test(
    "An archive cut off within its head is damaged, and a new one after the next send",
    arguments: [8, 11, 12, 20, 24, 47, 48, 511, 512, 599])
  func beheaded(length: Int) throws {
    try archives.append(.text("1"), to: "n")
    #expect(truncate(directory.appending("n.archive"), length) == 0)
    expectError(.damagedArchive) { () throws(WormholeError) in _ = try archives.newest("n") }
    try archives.append(.text("2"), to: "n")
    #expect(try archives.newest("n")?.record.payload?.bytes == Array("2".utf8))
  }

  @Test("An archive that has counted to its end takes nothing more, and says so, until it is cleared")
  func countedOut() throws {
    let last = Extent(offset: ArchiveLayout.recordsOffset, length: 128, sequence: ArchiveLayout.largestSequence)
    var commit = Commit(sequence: last.sequence)
    commit.newest = last
    let header = ArchiveHeader(identity: 5, capacity: 16 << 10, retention: 0)
    try directory.write(
      RingTests.head(header, commit) + [UInt8](repeating: 0, count: 4096 - 1024 + (16 << 10)), to: "n.archive")
    expectError(.damagedArchive) { () throws(WormholeError) in try archives.append(.text("x"), to: "n") }
    try archives.clear("n")
    #expect(try archives.append(.text("x"), to: "n")?.sequence == 1)
  }

  @Test("Where the newest message is damaged, the durable one is read, and can be updated")
  func fallback() throws {
    let durable = try #require(try archives.append(.text("safe", .durable), to: "n"))
    try archives.append(.text("lost"), to: "n")
    let bytes = try directory.read("n.archive")
    let place = try #require((4096...bytes.count - 4).first { Array(bytes[$0..<($0 + 4)]) == Array("lost".utf8) })
    try overwrite("n", at: place, count: 4)
    let newest = try #require(try archives.newest("n"))
    #expect(newest.position == durable && newest.record.payload?.bytes == Array("safe".utf8))
    // So is a listener that has heard nothing yet; one that has heard it is told of the damage.
    guard case .records(let given, _, _) = archives.look(at: "n", after: nil, every: false) else {
      Issue.record("nothing is given")
      return
    }
    #expect(given.map(\.sequence) == [durable.sequence])
    guard case .unreadable(let error, _) = archives.look(at: "n", after: durable, every: false) else {
      Issue.record("the damage is not told")
      return
    }
    #expect(error.code == .damagedArchive)
    #expect(try archives.append(.text("x"), to: "n", expecting: .some(.none)) == nil)
    let next = try #require(try archives.append(.text("next"), to: "n", expecting: .position(durable)))
    #expect(try next.sequence == 3 && archives.newest("n")?.record.sequence == 3)
  }

  @Test("The durable message survives any number of later ones, in place and through growth")
  func durableStays() throws {
    try archives.append(.text("safe", .durable), to: "n")
    for index in 0..<500 { try archives.append(.text(String(repeating: "y", count: index * 13)), to: "n") }
    let all = try directory.read("n.archive")
    #expect(all.indices.contains { all[$0...].starts(with: "safe".utf8) })
    // A durable signal makes the newest message the durable one.
    try archives.append(Draft(payload: nil, sender: 1, origin: "", durability: .durable), to: "n")
    #expect(try archives.newest("n")?.record.sequence == 501)
  }

  @Test("No damaged byte makes a reader or a writer fail otherwise than with an error")
  func anyDamage() throws {
    for index in 1...4 { try archives.append(.text("message \(index)", index == 2 ? .durable : .cached), to: "n") }
    let bytes = try directory.read("n.archive")
    var random = FixedRandom(seed: 5)
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index =
          random.next() % 3 == 0
          ? Int.random(in: 0..<600, using: &random) : Int.random(in: 4096..<bytes.count, using: &random)
        damaged[index] = UInt8.random(in: 0...255, using: &random)
      }
      damaged.removeLast(random.next() % 4 == 0 ? Int.random(in: 0...400, using: &random) : 0)
      try directory.write(damaged, to: "n.archive")
      _ = archives.look(at: "n", after: nil, every: true)
      _ = archives.look(at: "n", after: nil, every: false)
      _ = try? archives.newest("n")
      do throws(WormholeError) {
        try archives.append(.text("after"), to: "n")
        #expect(try archives.newest("n")?.record.payload?.bytes == Array("after".utf8))
      } catch {
        #expect(error.code == .newerArchive)
      }
    }
  }

  private func overwrite(_ identifier: String, at offset: Int, count: Int) throws {
    var bytes = try directory.read(identifier + ".archive")
    for index in offset..<min(offset + count, bytes.count) { bytes[index] ^= 0x5A }
    try directory.write(bytes, to: identifier + ".archive")
  }
}

extension Archives {
  /// How many records a mailbox holds, -1 when it cannot be read.
  func heldCount(_ identifier: String) -> Int {
    if case .records(let records, _, _) = look(at: identifier, after: nil, every: true) { records.count } else { -1 }
  }
}
