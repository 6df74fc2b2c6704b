import Testing
import Wormhole

/// Where records go, and what header and commit block say of it.
@Suite("Ring")
struct RingTests {
  private static let header = ArchiveHeader(identity: 42, capacity: 16 << 10, retention: 16 << 10)

  @Test("No record is ever placed over a protected one or out of the ring", arguments: 1...40 as ClosedRange<UInt64>)
  func placement(seed: UInt64) {
    var random = FixedRandom(seed: seed)
    let capacity = Int.random(in: 1...64, using: &random) * 512
    let header = ArchiveHeader(identity: seed, capacity: capacity, retention: capacity)
    var commit = Commit(sequence: 0)
    var refused = 0
    for sequence in 1...2000 as ClosedRange<UInt64> {
      let length = 128 + (Bool.random(using: &random) ? 0 : Int.random(in: 0...(capacity / 3), using: &random))
      guard let place = Ring.place(length: length, after: commit, capacity: capacity) else {
        refused += 1
        let protected = commit.protected.reduce(0) { $0 + ArchiveLayout.aligned($1.length) }
        // Three gaps between three protected records: one of them has a third of what is free, less the alignment.
        #expect(capacity - protected < 4 * (length + 8), "refused though there was room")
        if refused % 3 == 0 { commit = Commit(sequence: sequence - 1) }
        continue
      }
      let extent = Extent(offset: place.offset, length: length, sequence: sequence)
      #expect(extent.isInside(header))
      for other in commit.protected where !other.isNone {
        #expect(extent.end <= other.offset || other.end <= extent.offset)
      }
      commit = commit.adding(extent, hasPayload: Bool.random(using: &random))
      if sequence % 7 == 0 { commit = commit.beingDurable }
    }
  }

  @Test("A ring made for a record takes it again and again beside what is protected")
  func capacity() {
    for length in [128, 4000, 8192, 10_368, 70_000, 1 << 20, 64 << 20] {
      let capacity = Ring.capacity(for: length, protected: 0, retention: 0)
      var commit = Commit(sequence: 0)
      for sequence in 1...9 as ClosedRange<UInt64> {
        guard let place = Ring.place(length: length, after: commit, capacity: capacity) else {
          Issue.record("a record of \(length) bytes does not fit a ring of \(capacity)")
          break
        }
        let extent = Extent(offset: place.offset, length: length, sequence: sequence)
        commit = commit.adding(extent, hasPayload: true)
      }
      #expect(capacity < 3 * length + 8192)
    }
  }

  @Test("Header and commit block come back as they were written")
  func layout() throws {
    var commit = Commit(sequence: 9)
    commit.newest = Extent(offset: 4096, length: 128, sequence: 9)
    commit.payload = Extent(offset: 4224, length: 1001, sequence: 4)
    commit.durable = Extent(offset: 8192, length: 130, sequence: 2)
    let bytes = Self.head(Self.header, commit)
    #expect(bytes.prefix(8) == Array("WORMHOLE".utf8)[...] && bytes[8..<12] == [1, 0, 0, 0])
    #expect(bytes.withUnsafeBytes { ArchiveHeader($0) } == Self.header)
    #expect(
      bytes.withUnsafeBytes { Commit(UnsafeRawBufferPointer(rebasing: $0[512...]), of: Self.header) } == commit)
  }

  @Test("One flipped bit anywhere in header or commit block is found")
  func flippedBits() {
    var commit = Commit(sequence: 3)
    commit.newest = Extent(offset: 4096, length: 128, sequence: 3)
    let bytes = Self.head(Self.header, commit)
    for index in Array(0..<48) + Array(512..<600) {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << bit
        if case .archive = damaged.withUnsafeBytes({ ArchiveHead($0) }) { Issue.record("byte \(index), bit \(bit)") }
      }
    }
  }

  @Test("A commit block with the right checksum and senseless places is not believed")
  func senseless() {
    let good = Extent(offset: 4096, length: 128, sequence: 5)
    let bad = [
      Extent(offset: 4095, length: 128, sequence: 5), Extent(offset: 0, length: 128, sequence: 5),
      Extent(offset: 4096, length: 127, sequence: 5), Extent(offset: 4096, length: 128, sequence: 6),
      Extent(offset: Int.max & ~7, length: 128, sequence: 5), Extent(offset: 4096, length: Int.max, sequence: 5),
      Extent(offset: 4096 + (16 << 10), length: 128, sequence: 5), Extent(offset: -8, length: 128, sequence: 5),
    ]
    for extent in bad {
      var commit = Commit(sequence: 5)
      commit.newest = extent
      if case .archive = Self.head(Self.header, commit).withUnsafeBytes({ ArchiveHead($0) }) {
        Issue.record("\(extent) as newest")
      }
      commit.newest = good
      commit.durable = extent
      if case .archive = Self.head(Self.header, commit).withUnsafeBytes({ ArchiveHead($0) }) {
        Issue.record("\(extent) as durable")
      }
    }
    var endless = Commit(sequence: UInt64.max)
    endless.newest = good
    if case .archive = Self.head(Self.header, endless).withUnsafeBytes({ ArchiveHead($0) }) {
      Issue.record("a sequence without a next one")
    }
  }

  static func head(_ header: ArchiveHeader, _ commit: Commit) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xFF, count: ArchiveLayout.headLength)
    bytes.withUnsafeMutableBytes { ArchiveHead.encode(header, commit, into: $0) }
    return bytes
  }
}
