/// Which item of a queue is meant: numbers alone would mean another one after the queue was removed and made again.
struct QueueItem: Hashable, Sendable {
  /// The queue's number.
  let identity: UInt64
  /// The item's number.
  let sequence: UInt64
  /// Where its record begins.
  let start: UInt64
}

/// What became of an item.
enum ItemFate: Hashable, Sendable {
  /// Some subscriber has not taken it.
  case outstanding
  /// Every subscriber has taken it.
  case delivered
  /// It was taken back.
  case cancelled
  /// The queue that held it is no more.
  case lost
}

extension Queue {
  /// The items that some subscriber has not taken, oldest first; complexity: linear in their bytes.
  func outstanding(limit: Int) throws(WormholeError) -> [(item: QueueItem, record: QueueRecord)] {
    var found: [(QueueItem, QueueRecord)] = []
    try forEachOutstanding(limit: limit) { found.append(($0, $1)) }
    return found
  }

  /// Hands each item that some subscriber has not taken to `body`, oldest first, one at a time in memory.
  func forEachOutstanding(limit: Int, _ body: (QueueItem, QueueRecord) -> Void) throws(WormholeError) {
    _ = try withWriteLock(creating: false) { file, page throws(WormholeError) in
      var cursor = QueueCursor(place: page.slowest, commit: page.commit, limit: limit)
      while true {
        let step = try QueueFile.reading("cannot read the queue", file.path) { () throws(Errno) in
          try cursor.next(file.descriptor)
        }
        switch step {
        case .end: return
        case .damaged: break
        case .record(let record, let place):
          if record.state != .open { continue }
          let start = place.offset - UInt64(record.readLength)
          body(QueueItem(identity: file.identity, sequence: record.sequence, start: start), record)
        }
      }
    }
  }

  /// Whether no subscriber but the one of this cell has still to take the item.
  func isLast(_ index: Int, of item: QueueItem) throws(WormholeError) -> Bool {
    try withWriteLock(creating: false) { file, page throws(WormholeError) in
      file.identity == item.identity
        && page.holders.allSatisfy { $0.index == index || $0.cell.done.sequence >= item.sequence }
    } ?? false
  }

  /// Throws when `length` more bytes do not fit; before a long copy, since `append` looks again.
  func checkRoom(for length: Int, limit: Int) throws(WormholeError) {
    _ = try withWriteLock(creating: false) { file, page throws(WormholeError) in
      try Self.checkRoom(for: length, limit: limit, from: page.slowest, to: page.commit.end, file.path)
    }
  }

  /// The record of an item that some subscriber has not taken, nil when there is no such item any more.
  func record(of item: QueueItem, limit: Int) throws(WormholeError) -> QueueRecord? {
    let found = try withWriteLock(creating: false) { file, page throws(WormholeError) -> QueueRecord? in
      try QueueFile.reading("cannot read the queue", file.path) { () throws(Errno) -> QueueRecord? in
        guard try page.fate(of: item, in: file) == .outstanding else { return nil }
        let place = QueuePlace(sequence: item.sequence - 1, offset: item.start)
        var cursor = QueueCursor(place: place, commit: page.commit, limit: limit)
        guard case .record(let record, _) = try cursor.next(file.descriptor) else { return nil }
        return record
      }
    }
    return found ?? nil
  }

  /// What became of an item.
  func fate(of item: QueueItem) throws(WormholeError) -> ItemFate {
    try withWriteLock(creating: false) { file, page throws(WormholeError) in
      try QueueFile.reading("cannot read the queue", file.path) { () throws(Errno) in try page.fate(of: item, in: file)
      }
    } ?? .lost
  }

  /// As `fate`, and when the item is outstanding the receivers are asked to ring once it is taken.
  func awaitedFate(of item: QueueItem) throws(WormholeError) -> ItemFate {
    try withWriteLock(creating: false) { file, page throws(WormholeError) in
      try QueueFile.reading("cannot write to the queue", file.path) { () throws(Errno) in
        let done = page.holders.map(\.cell.done.sequence).min() ?? 0
        // One number for all who await: the lowest that is not taken. Its ring makes the others ask again.
        if page.awaited <= done || page.awaited > item.sequence {
          var sequence = [UInt8](repeating: 0, count: 8)
          try sequence.withMutableRawBytes { bytes throws(Errno) in
            bytes.store(item.sequence, at: 0)
            try file.descriptor.write(UnsafeRawBufferPointer(bytes), at: QueueLayout.attention + 8)
          }
        }
        // The cells after the number: a receiver writes its cell first and looks at the number then.
        _ = try page.load(from: file.descriptor)
        return try page.fate(of: item, in: file)
      }
    } ?? .lost
  }

  /// Takes an item back; false when a receiver has it in hand or a subscriber has taken it.
  func cancel(_ item: QueueItem) throws(WormholeError) -> Bool {
    var rung: QueueFile?
    let isCancelled = try withWriteLock(creating: false) { file, page throws(WormholeError) -> Bool in
      let isCancelled = try QueueFile.reading("cannot write to the queue", file.path) { () throws(Errno) in
        guard try page.fate(of: item, in: file) == .outstanding, page.isUntouched(item) else { return false }
        let position = page.commit.position(of: item.start)
        try file.setMark(.cancelled, at: position)
        var generation = [UInt8](repeating: 0, count: 8)
        let next = page.cancelGeneration &+ 1
        try generation.withMutableRawBytes { bytes throws(Errno) in
          bytes.store(next, at: 0)
          try file.descriptor.write(UnsafeRawBufferPointer(bytes), at: QueueLayout.attention)
        }
        // The cells after the mark: a receiver writes in hand first and looks at the generation then.
        _ = try page.load(from: file.descriptor)
        if page.isUntouched(item) { return true }
        // A receiver that has seen the mark waits for the lock that is held here, and looks again.
        try file.setMark(.open, at: position)
        return false
      }
      if isCancelled { rung = file }
      return isCancelled
    }
    if let rung { ring(rung) }
    return isCancelled ?? false
  }
}

extension QueuePage {
  /// Whether no subscriber has taken the item or has it in hand.
  func isUntouched(_ item: QueueItem) -> Bool {
    holders.allSatisfy { $0.cell.done.sequence < item.sequence && $0.cell.inHand != item.sequence }
  }

  /// What became of an item; called under the write lock.
  func fate(of item: QueueItem, in file: QueueFile) throws(Errno) -> ItemFate {
    guard file.identity == item.identity, item.sequence <= commit.end.sequence else { return .lost }
    let isKept = item.start >= commit.first.offset && item.sequence > commit.first.sequence
    if isKept, try file.mark(at: commit.position(of: item.start)) == QueueRecord.State.cancelled.rawValue {
      return .cancelled
    }
    return holders.contains { $0.cell.done.sequence < item.sequence } ? .outstanding : .delivered
  }
}
