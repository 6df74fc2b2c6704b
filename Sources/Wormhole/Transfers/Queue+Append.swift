/// Putting items behind the end.
extension Queue {
  /// Who is woken by an append.
  enum Ringing: Sendable {
    /// Receivers that have said in the file that they sleep.
    case waiting
    /// All who watch, which saves them the saying; for queues that hold one item at a time as a rule.
    case always
  }

  /// Appends records as one batch under one lock and says which each has become; what is outstanding stays under `limit`.
  ///
  /// Without `creating`, nothing becomes of them when there is no queue.
  func append(
    _ records: [QueueRecord], limit: Int, durability: Durability = .cached, creating: Bool = true,
    rings: Ringing = .waiting
  ) throws(WormholeError) -> [QueueItem] {
    var rung: QueueFile?
    let places = try withWriteLock(creating: creating) { file, page throws(WormholeError) -> [QueueItem] in
      let places = try Self.append(records, to: file, &page, limit: limit, durability: durability)
      if rings == .always {
        rung = file
        return places
      }
      // After the commit: a receiver that has found nothing has set its flag, or will find this.
      // The items are there: where the flags cannot be read, all are rung instead of telling the sender that it failed.
      if (try? Self.clearWaitingFlags(file)) ?? true { rung = file }
      return places
    }
    if let rung { ring(rung) }
    return places ?? []
  }

  /// Wakes the receivers; where no further file can be opened, giving up the kept one rings as well.
  func ring(_ file: QueueFile) {
    if !file.ring() { forget(file) }
  }

  private static func append(
    _ records: [QueueRecord], to file: QueueFile, _ page: inout QueuePage, limit: Int, durability: Durability
  ) throws(WormholeError) -> [QueueItem] {
    let slowest = try QueueFile.reading("cannot give space of the queue back", file.path) { () throws(Errno) in
      try page.bringPlacesBack(in: file)
      let slowest = page.slowest
      try page.giveSpaceBack(before: slowest, in: file.descriptor)
      return slowest
    }
    var commit = page.commit
    let length = records.reduce(0) { $0 + $1.storedLength }
    // One alone always goes: it is no larger than a message may be.
    if records.count > 1 || slowest.offset < commit.end.offset {
      try checkRoom(for: length, limit: limit, from: slowest, to: commit.end, file.path)
    }
    let start = commit.position(of: commit.end.offset)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    var places: [QueueItem] = []
    places.reserveCapacity(records.count)
    for record in records {
      commit.end.sequence += 1
      record.append(sequence: commit.end.sequence, to: &bytes)
      places.append(
        QueueItem(identity: file.identity, sequence: commit.end.sequence, start: commit.end.offset))
      commit.end.offset += UInt64(record.storedLength)
    }
    try QueueFile.reading("cannot write to the queue", file.path) { () throws(Errno) in
      // The record first: until the commit block leads to it, it is nothing.
      try bytes.withRawBytes { bytes throws(Errno) in try file.descriptor.write(bytes, at: start) }
      if durability == .durable { try file.descriptor.synchronizeData() }
      try page.write(commit, to: file.descriptor)
      if durability == .durable {
        try file.descriptor.synchronizeData()
        // Its name may be one that a killed program, or a default transfer, has left unsynced.
        try FileSystem.synchronizeDirectory(file.path.parent ?? Path("."))
      }
    }
    return places
  }

  /// Throws when `length` more bytes would pass the limit.
  static func checkRoom(
    for length: Int, limit: Int, from slowest: QueuePlace, to end: QueuePlace, _ path: Path
  ) throws(WormholeError) {
    let outstanding = Int(end.offset - slowest.offset)
    guard outstanding + length <= limit else {
      throw WormholeError(
        .queueFull, path: path.description,
        reason: "\(outstanding) bytes are outstanding and \(length) more pass the limit of \(limit); "
          + "start a receiver, or raise queueLimit")
    }
  }

  /// Clears the flags of the receivers that sleep; true when there were any, who are then to be rung.
  private static func clearWaitingFlags(_ file: QueueFile) throws(WormholeError) -> Bool {
    try QueueFile.reading("cannot look for the queue's receivers", file.path) { () throws(Errno) in
      try withFlags { flags throws(Errno) in
        _ = try file.descriptor.read(into: flags, at: QueueLayout.waitingFlags)
        guard flags.contains(where: { $0 != 0 }) else { return false }
        for index in flags.indices { flags[index] = 0 }
        try file.descriptor.write(UnsafeRawBufferPointer(flags), at: QueueLayout.waitingFlags)
        return true
      }
    }
  }

  private static func withFlags<R>(_ body: (UnsafeMutableRawBufferPointer) throws(Errno) -> R) throws(Errno) -> R {
    var flags: (UInt64, UInt64, UInt64) = (0, 0, 0)
    return try withUnsafeMutableBytes(of: &flags) { buffer throws(Errno) in try body(buffer) }
  }
}

extension QueuePage {
  /// Brings subscribers back to what there is whose places lie behind the end; called under the write lock.
  ///
  /// A power cut may leave a cell newer than the commit block. Were it left so, what is appended now would count as taken.
  fileprivate mutating func bringPlacesBack(in file: QueueFile) throws(Errno) {
    guard isAnyPlaceBehindEnd else { return }
    for index in 0..<QueueLayout.cellCount {
      guard case .cell(var cell) = cell(index) else { continue }
      if cell.done.offset <= commit.end.offset, cell.done.sequence <= commit.end.sequence { continue }
      cell.done = commit.first
      cell.inHand = 0
      try file.writeCell(cell, at: index)
    }
    _ = try load(from: file.descriptor)
  }

  /// Gives back the space before the slowest subscriber; called under the write lock.
  ///
  /// The commit comes first, so that nothing leads to what is then cut off or emptied. No receiver reads there: its own
  /// cell holds what it has not taken. A file system that punches no holes keeps the space until all is taken.
  mutating func giveSpaceBack(
    before slowest: QueuePlace, in descriptor: borrowing FileDescriptor
  ) throws(Errno) {
    var commit = self.commit
    if slowest.offset == commit.end.offset {
      guard commit.end.offset - commit.base > QueueLayout.keptSize else { return }
      commit.base = commit.end.offset
      commit.first = commit.end
      try write(commit, to: descriptor)
      try? descriptor.truncate(to: QueueLayout.pageSize)
    } else if slowest.offset - commit.first.offset >= QueueLayout.holeStep {
      let block = 4095
      let start = commit.position(of: commit.first.offset) & ~block
      let end = commit.position(of: slowest.offset) & ~block
      commit.first = slowest
      try write(commit, to: descriptor)
      try? descriptor.punchHole(at: start, length: end - start)
    }
  }
}
