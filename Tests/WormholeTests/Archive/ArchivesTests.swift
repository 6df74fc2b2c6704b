import TestSupport
import Testing

import Wormhole

/// Archives on real files: the promises of a mailbox.
@Suite("Archives", .ownThread)
struct ArchivesTests {
  private let directory: TemporaryDirectory
  private let archives: Archives

  init() throws {
    directory = try TemporaryDirectory()
    archives = try Archives(directory: directory.path, options: WormholeOptions(origin: "tests"))
  }

  @Test("What was sent is read, with its number, sender and origin")
  func roundTrip() throws {
    let before = Clock.realtime
    let first = try #require(try archives.append(.text("one"), to: "note"))
    let second = try #require(try archives.append(.text("two"), to: "note"))
    #expect(first.identity == second.identity && first.sequence == 1 && second.sequence == 2)
    let newest = try #require(try archives.newest("note"))
    #expect(newest.position == second)
    #expect(newest.record.payload == Payload(bytes: Array("two".utf8), codec: .bytes))
    #expect((before...Clock.realtime).contains(newest.record.sent))
    #expect(newest.record.origin == "tests" && newest.record.sender == 7 && newest.record.sequence == 2)
    #expect(try archives.identifiers() == ["note"])
    #expect(try directory.names() == [".wormhole", "note.archive"])
  }

  @Test(
    "A message of any length comes back, and one of its bytes turned is told as damage",
    arguments: [0, 1, 895, 896, 897, 4096, 65_407, 65_408, 65_409, 200_000])
  func lengths(length: Int) throws {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try archives.append(Draft(payload: Payload(bytes: bytes, codec: .bytes), sender: 7, origin: "t"), to: "note")
    #expect(try archives.newest("note")?.record.payload?.bytes == bytes)
    guard case .records(let records, _, _) = archives.look(at: "note", after: nil, every: false) else {
      Issue.record("nothing to look at")
      return
    }
    #expect(records.map { $0.payload?.bytes } == [bytes])
    var file = try directory.read("note.archive")
    let last = ArchiveLayout.recordsOffset + 128 + max(length - 1, -1)
    file[last] ^= 1
    try directory.write(file, to: "note.archive")
    let error = #expect(throws: WormholeError.self) { try archives.newest("note") }
    #expect(error?.code == .damagedArchive)
  }

  @Test(
    "A label that is too long ends before the character that would not be whole",
    arguments: [
      (String(repeating: "a", count: 64), 64), (String(repeating: "a", count: 65), 64),
      (String(repeating: "ä", count: 40), 32), ("a" + String(repeating: "ä", count: 40), 32),
      ("ab" + String(repeating: "🍦", count: 20), 17), ("", 0),
    ])
  func labels(label: String, kept: Int) throws {
    try archives.append(Draft(payload: nil, sender: 1, origin: label), to: "note")
    try archives.append(Draft(payload: Payload(bytes: [1], codec: .bytes), sender: 1, origin: label), to: "note")
    #expect(try archives.newest("note")?.record.origin == String(label.prefix(kept)))
  }

  @Test("A signal leaves the stored message alone, also after two thousand of them")
  func signals() throws {
    try archives.append(.text("kept"), to: "note")
    for _ in 0..<2000 { try archives.append(.signal, to: "note") }
    let newest = try #require(try archives.newest("note"))
    #expect(newest.record.payload?.bytes == Array("kept".utf8) && newest.record.sequence == 1)
    guard case .records(let records, let missed, let now) = archives.look(at: "note", after: nil, every: false) else {
      Issue.record("nothing to look at")
      return
    }
    #expect(records.map(\.sequence) == [1, 2001] && missed == 0 && now.sequence == 2001)
    guard case .records(let all, _, _) = archives.look(at: "note", after: nil, every: true) else {
      Issue.record("nothing to look at")
      return
    }
    #expect(all.first?.sequence == 1 && all.last?.sequence == 2001 && all.count < 2001)
    #expect(try directory.read("note.archive").count <= 4096 + (16 << 10))
  }

  @Test("An absent mailbox is absent, a cleared one too, and clearing nothing is no error")
  func absence() throws {
    #expect(try archives.newest("note") == nil)
    guard case .absent = archives.look(at: "note", after: nil, every: true) else { Issue.record("not absent"); return }
    try archives.clear("note")
    try archives.append(.text("x"), to: "note")
    try archives.clear("note")
    #expect(try archives.newest("note") == nil)
    #expect(try directory.names() == [".wormhole"])
  }

  @Test("An expected version decides whether a message is added")
  func expecting() throws {
    #expect(try archives.append(.text("a"), to: "n", expecting: .position(Position(identity: 1, sequence: 1))) == nil)
    let first = try #require(try archives.append(.text("a"), to: "n", expecting: .some(.none)))
    #expect(try archives.append(.text("b"), to: "n", expecting: .some(.none)) == nil)
    try archives.append(.signal, to: "n")
    let second = try #require(try archives.append(.text("b"), to: "n", expecting: .position(first)))
    #expect(second.sequence == 3)
    #expect(try archives.append(.text("c"), to: "n", expecting: .position(first)) == nil)
    #expect(try archives.newest("n")?.record.payload?.bytes == Array("b".utf8))
    // The same number in another history is another message.
    try archives.clear("n")
    let anew = try #require(try archives.append(.text("d"), to: "n"))
    #expect(anew.sequence == first.sequence)
    #expect(try archives.append(.text("e"), to: "n", expecting: .position(first)) == nil)
    #expect(try archives.append(.text("e"), to: "n", expecting: .position(anew)) != nil)
  }

  @Test("Every version that the ring holds is given once, in order, and the rest is counted")
  func every() throws {
    var position: Position?
    var heard: UInt64 = 0
    var missed = 0
    for round in 1...40 {
      for _ in 0..<(round * 5) { try archives.append(.text("message \(round)"), to: "note") }
      guard case .records(let records, let lost, let now) = archives.look(at: "note", after: position, every: true)
      else { Issue.record("nothing new"); return }
      if let position { #expect(records.first?.sequence == position.sequence + UInt64(lost) + 1) }
      for (index, record) in records.enumerated() { #expect(record.sequence == records[0].sequence + UInt64(index)) }
      heard += UInt64(records.count)
      missed += lost
      position = now
    }
    #expect(heard + UInt64(missed) == position?.sequence && missed > 0)
    guard case .unchanged = archives.look(at: "note", after: position, every: true) else {
      Issue.record("news of nothing")
      return
    }
  }
}

extension Draft {
  /// A message of these bytes.
  static func text(_ text: String, _ durability: Durability = .cached) -> Draft {
    Draft(
      payload: Payload(bytes: Array(text.utf8), codec: .bytes), sender: 7, origin: "tests", durability: durability)
  }

  /// A signal.
  static let signal = Draft(payload: nil, sender: 7, origin: "tests")
}

extension Archives {
  /// Adds a record, whatever is there.
  @discardableResult
  func append(_ draft: Draft, to identifier: String) throws(WormholeError) -> Position? {
    try append(draft, to: identifier, expecting: nil)
  }
}
