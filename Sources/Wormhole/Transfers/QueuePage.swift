/// The first page of a queue file, as it was read at one moment.
struct QueuePage: Sendable {
  /// The bytes.
  private(set) var bytes = [UInt8](repeating: 0, count: QueueLayout.pageSize)
  /// What the commit block says.
  private(set) var commit = QueueCommit()

  /// Reads the page anew; false when its commit block fails its checks.
  ///
  /// A cell may be read while its receiver writes it: one that fails its checks is read again.
  mutating func load(from descriptor: borrowing FileDescriptor) throws(Errno) -> Bool {
    for _ in 0..<5 {
      guard try loadOnce(from: descriptor) else { return false }
      if !(0..<QueueLayout.cellCount).contains(where: { isUsed($0) && cell($0) == .damaged }) { break }
      Clock.sleep(nanoseconds: 1_000)
    }
    return true
  }

  private func isUsed(_ index: Int) -> Bool { index == 0 || bytes[QueueLayout.cell(index) + 8] != 0 }

  private mutating func loadOnce(from descriptor: borrowing FileDescriptor) throws(Errno) -> Bool {
    let count = try bytes.withMutableRawBytes { buffer throws(Errno) in try descriptor.read(into: buffer, at: 0) }
    guard count == QueueLayout.pageSize,
      let commit = bytes.withUnsafeBytes({ QueueCommit(block: UnsafeRawBufferPointer(rebasing: $0[QueueCommit.range])) }
      )
    else {
      return false
    }
    self.commit = commit
    return true
  }

  /// Writes the commit block: from then on it is the truth.
  mutating func write(_ commit: QueueCommit, to descriptor: borrowing FileDescriptor) throws(Errno) {
    try bytes.withMutableRawBytes { buffer throws(Errno) in
      commit.store(in: buffer)
      try descriptor.write(UnsafeRawBufferPointer(rebasing: buffer[QueueCommit.range]), at: QueueLayout.commitBlock)
    }
    self.commit = commit
  }

  /// What a cell holds.
  func cell(_ index: Int) -> SubscriberCell.Reading {
    bytes.withUnsafeBytes { SubscriberCell.reading(index, page: $0) }
  }

  /// Whether some cell says that more is taken than there is, without a look at its checksum.
  var isAnyPlaceBehindEnd: Bool {
    bytes.withUnsafeBytes { page in
      (0..<QueueLayout.cellCount).contains { index in
        let cell = QueueLayout.cell(index)
        guard page[cell + 8] != 0 else { return false }
        return page.word(at: cell + 16) > commit.end.sequence || page.word(at: cell + 24) > commit.end.offset
      }
    }
  }

  /// The cells that keep items for their subscribers, with their indices.
  ///
  /// The default subscriber's is one of them from the start, so that items wait for it; once a named one has been there
  /// and the default one never, it holds nothing.
  var holders: [(index: Int, cell: SubscriberCell)] {
    var found: [(index: Int, cell: SubscriberCell)] = []
    for index in 0..<QueueLayout.cellCount where isUsed(index) {
      switch cell(index) {
      case .unused: break
      case .cell(var cell):
        // A place that no item has come to: a receiver begins with what there is, so that is what it keeps.
        if cell.done.offset > commit.end.offset || cell.done.sequence > commit.end.sequence { cell.done = commit.first }
        found.append((index, cell))
      // Whose it was is unknown until a subscriber takes it over; until then it keeps all.
      case .damaged: found.append((index, SubscriberCell(hasReceived: true, done: commit.first)))
      }
    }
    if found.count > 1, let first = found.first, first.index == 0, !first.cell.hasReceived { found.removeFirst() }
    return found
  }

  /// The place before the oldest item that some subscriber has not taken.
  var slowest: QueuePlace {
    var slowest = commit.end
    for (_, cell) in holders where cell.done.offset < slowest.offset { slowest = cell.done }
    return slowest.offset < commit.first.offset ? commit.first : slowest
  }

  /// The sequence that a sender awaits, 0 for none.
  var awaited: UInt64 { bytes.withUnsafeBytes { $0.word(at: QueueLayout.attention + 8) } }
  /// How often an item has been cancelled.
  var cancelGeneration: UInt64 { bytes.withUnsafeBytes { $0.word(at: QueueLayout.attention) } }
}
