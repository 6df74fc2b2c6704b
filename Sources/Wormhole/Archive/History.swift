/// What an archive holds of the time after some record, read without a lock.
struct History {
  /// The records, oldest first.
  var records: [Record] = []
  /// A record that is there and larger than what may be read: its length.
  var tooLarge: Int?
  /// Whether a record that the commit block names failed its checks: overwritten since, or damaged.
  var isBroken = false

  /// A ring up to this size is read in one call when several records of it are wanted.
  private static let smallRing = 64 << 10

  /// Walks from the newest record back to, not including, the one numbered `base`.
  ///
  /// The chain ends where a record does not fit: what was before it has been overwritten. The newest payload and the
  /// durable record are held even then, since no writer overwrites them.
  static func every(
    _ file: borrowing FileDescriptor, _ header: ArchiveHeader, _ commit: Commit, after base: UInt64, limit: Int
  ) throws(Errno) -> History {
    if header.capacity <= smallRing, commit.newest.sequence > base + 1 {
      let bytes = try [UInt8](room: header.capacity) { (room, count) throws(Errno) in
        count = try file.read(into: room, at: ArchiveLayout.recordsOffset)
      }
      return try bytes.withUnsafeBufferPointer { (buffer) throws(Errno) in
        let ring = UnsafeRawBufferPointer(buffer)
        return try walk(commit, after: base) { (extent) throws(Errno) in
          RecordReading(ring, from: ArchiveLayout.recordsOffset, at: extent, of: header, limit: limit)
        }
      }
    }
    return try walk(commit, after: base) { (extent) throws(Errno) in
      try RecordReading(file, at: extent, of: header, limit: limit)
    }
  }

  /// The newest payload and then the newest signal, as far as they are newer than `base`.
  static func newest(
    _ file: borrowing FileDescriptor, _ header: ArchiveHeader, _ commit: Commit, after base: UInt64, limit: Int
  ) throws(Errno) -> History {
    var history = History()
    if commit.payload.sequence > base {
      history.add(try RecordReading(file, at: commit.payload, of: header, limit: limit))
      if history.isBroken, commit.durable.sequence > base, commit.durable != commit.payload {
        // A durable signal without any payload before it is no value to fall back to, but still news.
        if let record = try RecordReading(file, at: commit.durable, of: header, limit: limit).record {
          history.records.append(record)
        }
      }
    }
    if commit.newest.sequence > max(commit.payload.sequence, base) {
      history.add(try RecordReading(file, at: commit.newest, of: header, limit: limit))
    }
    return history
  }

  private static func walk(
    _ commit: Commit, after base: UInt64, _ read: (Extent) throws(Errno) -> RecordReading
  ) throws(Errno) -> History {
    var history = History()
    var next = commit.newest
    while next.sequence > base {
      let reading = try read(next)
      guard case .record(let record, let previous) = reading else {
        if next == commit.newest { history.add(reading) }
        break
      }
      history.records.append(record)
      next = previous
    }
    var oldest = history.records.last?.sequence ?? UInt64.max
    for extent in [commit.payload, commit.durable] where extent.sequence > base && extent.sequence < oldest {
      if extent == commit.newest { continue }
      history.add(try read(extent))
      oldest = min(oldest, extent.sequence)
    }
    history.records.reverse()
    return history
  }

  private mutating func add(_ reading: consuming RecordReading) {
    switch consume reading {
    case .record(let record, _): records.append(record)
    case .invalid: isBroken = true
    case .tooLarge(let length): tooLarge = length
    }
  }
}
