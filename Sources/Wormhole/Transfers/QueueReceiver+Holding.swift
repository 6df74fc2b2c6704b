extension QueueReceiver.Holding {
  /// What comes next in the queue.
  enum Found: Sendable {
    case item(QueueReceiver.Delivery)
    /// What fails its checks was passed over up to here.
    case damaged(QueuePlace)
    /// There is nothing; the next sender rings.
    case empty
  }

  /// How long more is looked for in the middle of a stream of items before its end is believed, in nanoseconds.
  private static let patience: UInt64 = 50_000

  /// Takes the next item that is wanted in hand.
  mutating func next(_ queue: Queue) throws(Errno) -> Found {
    while true {
      switch try cursor.next(file.descriptor) {
      case .record(let record, let place):
        if let target = record.target, target != index {
          pass(to: place)
          continue
        }
        cell.inHand = record.sequence
        try write()
        guard try isWanted(record, place) else {
          pass(to: place)
          continue
        }
        run += 1
        return .item(
          QueueReceiver.Delivery(record: record, place: place, isRedelivered: record.sequence == redelivered))
      case .damaged(let place):
        pass(to: place)
        return .damaged(place)
      case .end:
        guard let isMore = try cursor.look(file.descriptor) else { throw Errno.badMessage }
        if isMore { continue }
        if try comesMore() { continue }
        run = 0
        if try isIdle(queue) { return .empty }
      }
    }
  }

  /// Looks for more for some microseconds, when several items have come one after the other.
  ///
  /// In a stream of items the next is there sooner than this thread could fall asleep and be woken, and its sender is
  /// spared the ringing. An item that comes alone costs no such looking.
  private mutating func comesMore() throws(Errno) -> Bool {
    if run < 2 { return false }
    let end = Clock.monotonic + Self.patience
    repeat {
      Thread.yield()
      guard let isMore = try cursor.look(file.descriptor) else { throw Errno.inputOutput }
      if isMore { return true }
    } while Clock.monotonic < end
    return false
  }

  /// Notes that everything up to `place` is done with.
  mutating func pass(to place: QueuePlace) {
    cell.done = place
    cell.inHand = 0
    isUnwritten = true
  }

  /// Writes the cell, then tells senders who await what it passed.
  mutating func write() throws(Errno) {
    try file.writeCell(cell, at: index)
    let attention = try readAttention()
    // A sender that awaits writes the sequence first and looks at the cells then: one of the two sees the other.
    if attention.awaited > written, attention.awaited <= cell.done.sequence {
      let none: [UInt8] = [UInt8](repeating: 0, count: 8)
      try none.withRawBytes { bytes throws(Errno) in try file.descriptor.write(bytes, at: QueueLayout.attention + 8) }
      owesRing = true
    }
    // Only now: where a call before this fails, all of it is done again.
    written = cell.done.sequence
    isUnwritten = false
    if owesRing, file.ring() { owesRing = false }
    latest = attention
  }

  /// Goes back behind the last item that is done, keeping what the file does not yet say.
  mutating func startAgain(limit: Int) {
    // An item that no handler of this receiver has had keeps the mark that the last receiver left.
    cell.inHand = redelivered > cell.done.sequence ? redelivered : 0
    isUnwritten = true
    cursor = QueueCursor(place: cell.done, commit: cursor.commit, limit: limit)
  }

  /// Whether the item just written as in hand is still wanted: looked at after that write.
  mutating func isWanted(_ record: QueueRecord, _ place: QueuePlace) throws(Errno) -> Bool {
    if record.state == .open, latest.cancelGeneration == cancelGeneration { return true }
    if latest.cancelGeneration != cancelGeneration {
      cancelGeneration = latest.cancelGeneration
      cursor.forgetChunk()
    }
    let position = cursor.commit.position(of: place.offset - UInt64(record.readLength))
    guard try file.mark(at: position) != QueueRecord.State.open.rawValue else { return true }
    // Marked just now: who marks takes the mark off again, under the lock, where he sees the item in hand.
    guard try file.descriptor.lock(.exclusive, at: 0, timeout: QueueFile.lockTimeout) else {
      // Undecided: to pass it over might lose it.
      throw .timedOut
    }
    defer { try? file.descriptor.unlock(at: 0) }
    return try file.mark(at: position) == QueueRecord.State.open.rawValue
  }

  /// Called when there is nothing behind the cursor: false when something has come meanwhile.
  mutating func isIdle(_ queue: Queue) throws(Errno) -> Bool {
    if isUnwritten { try write() }
    if owesRing {
      // Those who wait would wait for ever: it is told and tried again.
      guard file.ring() else { throw .inputOutput }
      owesRing = false
    }
    let commit = cursor.commit
    if commit.end.offset - commit.base > QueueLayout.keptSize, commit.end.offset - reclaimed > QueueLayout.keptSize {
      reclaim(queue)
    }
    // The flag first, then the look: a sender commits first and looks at the flags then.
    let flag: [UInt8] = [1]
    try flag.withRawBytes { bytes throws(Errno) in
      try file.descriptor.write(bytes, at: QueueLayout.waitingFlags + index)
    }
    guard let isMore = try cursor.look(file.descriptor) else { throw Errno.inputOutput }
    return !isMore
  }

  /// Gives back what nobody needs any more; a failure leaves it to the next sender.
  mutating func reclaim(_ queue: Queue) {
    reclaimed = cell.done.offset
    _ = try? file.withWriteLock { page throws(WormholeError) in
      try QueueFile.reading("cannot give space of the queue back", file.path) { () throws(Errno) in
        try page.giveSpaceBack(before: page.slowest, in: file.descriptor)
      }
    }
  }

  /// Reads what senders want to tell.
  func readAttention() throws(Errno) -> QueueAttention {
    let wish = index
    return try withUnsafeTemporaryBytes(QueueLayout.attentionLength) { bytes throws(Errno) in
      _ = try file.descriptor.read(into: bytes, at: QueueLayout.attention)
      let bytes = UnsafeRawBufferPointer(bytes)
      return QueueAttention(
        cancelGeneration: bytes.word(at: 0), awaited: bytes.word(at: 8), wish: bytes.word(at: 16 + 8 * wish))
    }
  }
}

/// What a receiver looks at once an item.
struct QueueAttention: Hashable, Sendable {
  /// How often an item has been cancelled.
  var cancelGeneration: UInt64 = 0
  /// The sequence that a sender awaits, 0 for none.
  var awaited: UInt64 = 0
  /// The sequence that this receiver is asked to set aside.
  var wish: UInt64 = 0
}

extension QueueFile {
  /// The state byte of the record at a position.
  func mark(at position: Int) throws(Errno) -> UInt8 {
    try withUnsafeTemporaryBytes(1) { bytes throws(Errno) in
      _ = try descriptor.read(into: bytes, at: position)
      return bytes[0]
    }
  }

  /// Sets the state byte of the record at a position.
  func setMark(_ state: QueueRecord.State, at position: Int) throws(Errno) {
    try [state.rawValue].withRawBytes { bytes throws(Errno) in try descriptor.write(bytes, at: position) }
  }
}
