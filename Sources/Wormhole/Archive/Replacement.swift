/// What of an old archive goes into the one that replaces it.
struct Carried {
  /// The old archive's identity, which the new one keeps.
  let identity: UInt64
  /// The old archive's newest sequence, which the new one goes on from.
  let sequence: UInt64
  /// The record that is durable, 0 for none.
  var durable: UInt64 = 0
  /// The bytes that the records take in a ring.
  private var length = 0
  /// The bytes that those of them take that must not be lost.
  private(set) var heldLength = 0
  /// Records without a gap from the newest back.
  private var history: [Record] = []
  /// Records that must not be lost: two at most.
  private var held: [Record] = []

  /// Carries nothing yet.
  init(identity: UInt64, sequence: UInt64) {
    self.identity = identity
    self.sequence = sequence
  }

  /// All of it, oldest first.
  var records: [Record] {
    let lowest = history.last?.sequence ?? UInt64.max
    return held.filter { $0.sequence < lowest }.sorted { $0.sequence < $1.sequence } + history.reversed()
  }

  /// Carries a record wherever it lies.
  mutating func hold(_ record: Record) {
    if held.contains(where: { $0.sequence == record.sequence }) { return }
    held.append(record)
    heldLength += Self.length(of: record)
    length += Self.length(of: record)
  }

  /// Carries the record before those of the history; false when it is not that one or the bytes would be too many.
  mutating func goesBack(to record: Record, within bytes: Int) -> Bool {
    if let last = history.last, last.sequence != record.sequence + 1 { return false }
    let isHeld = held.contains { $0.sequence == record.sequence }
    let added = isHeld ? 0 : Self.length(of: record)
    guard isHeld || length + added <= bytes else { return false }
    history.append(record)
    length += added
    return true
  }

  /// The bytes that a record takes in a ring.
  static func length(of record: Record) -> Int {
    ArchiveLayout.aligned(RecordHeader.length + (record.payload?.bytes.count ?? 0))
  }
}

/// A whole archive that is about to be written: records of an old one, then the new record.
struct Replacement {
  /// Whether it must come to the disk before its name, and its name after that.
  let isDurable: Bool
  private let header: ArchiveHeader
  private let records: [Record]
  private let durable: UInt64
  private let addsDurably: Bool

  /// Puts an archive together.
  init(_ addition: Addition, retention: Int, carried: Carried? = nil) {
    var record = addition.record
    record.sequence = (carried?.sequence ?? 0) + 1
    let length = RecordHeader.length + (record.payload?.bytes.count ?? 0)
    records = (carried?.records ?? []) + [record]
    durable = carried?.durable ?? 0
    addsDurably = addition.isDurable
    isDurable = addition.isDurable || durable > 0
    header = ArchiveHeader(
      identity: carried?.identity ?? randomNumber(),
      capacity: Ring.capacity(for: length, protected: carried?.heldLength ?? 0, retention: retention),
      retention: retention)
  }

  /// The place of the new record.
  var position: Position { Position(identity: header.identity, sequence: records.last?.sequence ?? 0) }

  /// Writes all of it to a new file.
  func write(to file: borrowing FileDescriptor) throws(Errno) {
    var commit = Commit(sequence: 0)
    var offset = ArchiveLayout.recordsOffset
    for (index, record) in records.enumerated() {
      let isLast = index == records.count - 1
      let length = RecordHeader.length + (record.payload?.bytes.count ?? 0)
      let extent = Extent(offset: offset, length: length, sequence: record.sequence)
      // A link says that the record before has the number before; across a gap there is none.
      let follows = commit.newest.sequence + 1 == record.sequence
      try file.write(record, at: offset, previous: follows ? commit.newest : .none, identity: header.identity)
      commit = commit.adding(extent, hasPayload: record.payload != nil)
      if isLast, addsDurably { commit = commit.beingDurable }
      if record.sequence == durable { commit.durable = extent }
      offset = extent.end
    }
    try withUnsafeTemporaryAllocation(byteCount: ArchiveLayout.headLength, alignment: 8) { (head) throws(Errno) in
      ArchiveHead.encode(header, commit, into: head)
      try file.write(UnsafeRawBufferPointer(head), at: 0)
    }
  }
}
