import TestSupport
import Testing
import Wormhole

/// What a disk holds after a power cut: of each sector written since the last sync, the old content or any later one.
@Suite("Power cuts", .ownThread)
struct PowerCutTests {
  @Test("A durable message, or a newer one, is read after any power cut", arguments: 1...12 as ClosedRange<UInt64>)
  func mixedSectors(seed: UInt64) throws {
    let directory = try TemporaryDirectory(.memory)
    let archives = try Archives(directory: directory.path, options: WormholeOptions(retention: 4096))
    var random = FixedRandom(seed: seed)
    var texts: [UInt64: String] = [:]
    func send(_ durability: Durability) throws -> UInt64 {
      let text = String(repeating: "\(texts.count % 10)", count: Int.random(in: 0...900, using: &random))
      let draft: Draft =
        Int.random(in: 0..<4, using: &random) == 0 && durability == .cached ? .signal : .text(text, durability)
      let sequence = try #require(try archives.append(draft, to: "n")).sequence
      if draft.payload != nil { texts[sequence] = text }
      return sequence
    }
    for _ in 0..<Int.random(in: 0...20, using: &random) { _ = try send(.cached) }
    let durable = try send(.durable)
    var states = [try directory.read("n.archive")]
    let identity = try archives.newest("n")?.position.identity
    for _ in 0..<30 {
      _ = try send(.cached)
      states.append(try directory.read("n.archive"))
      // A ring that was made anew is synced before it has the name; only what was written in place can be torn.
      #expect(try archives.newest("n")?.position.identity == identity)
    }
    for _ in 0..<200 {
      var disk: [UInt8] = []
      let length = states.map(\.count).max() ?? 0
      for sector in stride(from: 0, to: length, by: 512) {
        let range = sector..<min(sector + 512, length)
        let state = states[Int.random(in: 0..<states.count, using: &random)]
        disk += range.map { $0 < state.count ? state[$0] : 0 }
      }
      try directory.write(disk, to: "cut.archive")
      let newest = try #require(try archives.newest("cut"))
      #expect(newest.record.sequence >= durable)
      #expect(texts[newest.record.sequence] == String(decoding: newest.record.payload?.bytes ?? [], as: UTF8.self))
      // And sending goes on from there.
      let next = try #require(try archives.append(.text("next"), to: "cut"))
      #expect(next.sequence > durable && next.identity == identity)
    }
  }
}
