/// How a record is added in place. The steps, each one system call, and what a crash after it leaves:
///
/// 1. Open the archive by its path, never through a link, never waiting. — Nothing has happened.
/// 2. Lock byte 0 for writing, as an open file description lock, tried again in growing pauses for a bounded time. — The
///    kernel gives the lock back with the process.
/// 3. fstat: with no link left, the file was replaced or cleared before the lock was had: begin again. From here on nobody
///    but a holder of this lock takes the name away; a foreign `mv` or `rm` in this moment is the same as one just after.
/// 4. Read header and commit block, and beside them the mark that a holder of the lock sets before it takes the name
///    away. The number of links alone would not tell: a file that has a hard link elsewhere keeps one when it loses its
///    name. Where the mark is set, the name is compared: whoever set it may have been killed before it went on.
/// 5. Write the record where the commit block leads nobody. — The record is there and is nothing.
/// 6. Write the commit block, which is one sector. — The record counts. A killed process cannot leave half of these 88
///    bytes: the kernel copies them without returning to it. A power cut leaves the sector old or new.
/// 7. Unlock, explicitly, since a child between fork and exec may share the descriptor and so the lock.
/// 8. Close, which raises the one event of the send.
///
/// A durable send goes on after step 6, still under the lock:
///
/// a. fdatasync. — The record and the commit block come to the disk in any order. Until both are there, whatever commit
///    block a power cut leaves still names the durable record of before, which nobody has overwritten.
/// b. fsync of the directory, for a name that a killed program may have left unsynced. — The message is safe.
/// c. Write the commit block again, now naming the newest message as the durable one, so that the old one may give way. —
///    It need not reach the disk: the one that is there names the same record as the newest.
///
/// When a or b fails, the message can be seen but is not promised, and the old durable record stays protected.
///
/// Never overwritten: the newest record, the newest with a payload, the durable one. So whatever a reader or a power cut
/// sees of the commit block, old or new, leads to whole records.
extension Archives {
  /// How often a send begins again because the archive was replaced under it.
  private static let mostTries = 200

  /// What one try to change an archive came to.
  enum Outcome {
    /// The record is at this place.
    case done(Position)
    /// The newest message is not the expected one.
    case unexpected
    /// Nothing stands at the name any more.
    case removed
    /// The archive was replaced, cleared or made meanwhile: begin again.
    case again
    /// No archive stands there, but something else.
    case foreign
  }

  /// Adds a record as the newest.
  ///
  /// - Returns: Its place, or nil when the newest message is not `expected`.
  /// - Throws: `.messageTooLarge`, `.lockTimedOut`, `.notAnArchive` for a directory, `.newerArchive`, or what the system
  ///   says. A send that throws is not visible, unless it was a durable one that could be written but not synced.
  package func append(
    _ draft: Draft, to identifier: String, expecting expected: StoredVersion? = nil
  ) throws(WormholeError) -> Position? {
    let path = try path(of: identifier)
    let count = draft.payload?.bytes.count ?? 0
    guard count <= limit else {
      throw WormholeError(
        .messageTooLarge, path: path.description,
        reason: "the message has \(count) bytes, the limit is \(limit); "
          + "send less or open the wormhole with a larger messageSizeLimit")
    }
    let record = Record(
      payload: draft.payload, sequence: 0, sent: Clock.realtime, sender: draft.sender, origin: draft.origin)
    let addition = Addition(record: record, isDurable: draft.durability == .durable, expected: expected)
    for _ in 0..<Self.mostTries {
      switch try appendOnce(addition, path) {
      case .done(let position): return position
      case .unexpected: return nil
      case .again, .removed: continue
      case .foreign:
        switch try replaceForeign(addition, path) {
        case .done(let position): return position
        case .unexpected: return nil
        case .again, .removed, .foreign: continue
        }
      }
    }
    throw WormholeError(
      .inputOutput, path: path.description,
      reason: "the archive is replaced faster than it can be locked; look for a program that does so, and send again")
  }

  private func appendOnce(_ addition: Addition, _ path: Path) throws(WormholeError) -> Outcome {
    var failure = Errno.noEntry
    guard let file = FileDescriptor.open(path, OpenFlags.readWrite, failure: &failure) else {
      if failure == .noEntry { return try makeFirst(addition, path) }
      return try outcome(ofOpening: failure, path)
    }
    return try withLock(file, path) { (status) throws(WormholeError) -> Outcome in
      let read = try attempt("read the archive", path) { () throws(Errno) in try file.readHead() }
      if read.isMarked, try !isNamed(path, status) { return .again }
      switch read.head {
      case .foreign: return .foreign
      case .newer(let version): throw .newerArchive(version, path)
      case .damagedHeader(let identity):
        return try salvage(file, status, identity: identity, header: nil, addition, path)
      case .damagedCommit(let header):
        return try salvage(file, status, identity: header.identity, header: header, addition, path)
      case .archive(let header, let commit):
        guard try isExpected(addition.expected, file, header, commit, path) else { return .unexpected }
        return try add(addition, file, status, header, commit, path)
      }
    }
  }

  /// What stands in the way when an archive cannot be opened for writing.
  func outcome(ofOpening error: Errno, _ path: Path) throws(WormholeError) -> Outcome {
    guard let kind = try? FileSystem.status(of: path).kind else {
      throw WormholeError(error, "open the archive", path)
    }
    if kind != .regular { return .foreign }
    // A file of another program that may be read but not written is replaced like any other.
    if error == .accessDenied, case .foreign? = try? Occupant.at(path) { return .foreign }
    throw WormholeError(error, "open the archive", path)
  }

  /// Runs `body` under the write lock, if the name still leads to this file and it is a regular one.
  func withLock(
    _ file: borrowing FileDescriptor, _ path: Path, _ body: (FileStatus) throws(WormholeError) -> Outcome
  ) throws(WormholeError) -> Outcome {
    let isLocked: Bool
    do throws(Errno) {
      isLocked = try file.lock(.exclusive, at: 0, timeout: patience)
    } catch {
      if let kind = try? file.status().kind, kind != .regular { return .foreign }
      throw WormholeError(error, "lock the archive", path)
    }
    guard isLocked else { throw .lockTimedOut(path, after: patience) }
    // The lock ends with the descriptor at the latest, so nothing is lost when this fails.
    defer { try? file.unlockAll() }
    let status = try attempt("look at the archive", path) { () throws(Errno) in try file.status() }
    guard status.kind == .regular else { return .foreign }
    if status.linkCount == 0 { return .again }
    return try body(status)
  }

  /// Whether the name still leads to this file.
  func isNamed(_ path: Path, _ status: FileStatus) throws(WormholeError) -> Bool {
    do throws(Errno) { return try FileSystem.status(of: path).isSameFile(as: status) } catch {
      guard error == .noEntry else { throw WormholeError(error, "look at the archive", path) }
      return false
    }
  }

  /// Whether the newest message is the expected one; under the lock.
  private func isExpected(
    _ expected: StoredVersion?, _ file: borrowing FileDescriptor, _ header: ArchiveHeader, _ commit: Commit,
    _ path: Path
  ) throws(WormholeError) -> Bool {
    switch expected {
    case nil: return true
    case .some(.none): return commit.payload.isNone
    case .position(let position):
      guard position.identity == header.identity else { return false }
      if position.sequence == commit.payload.sequence { return true }
      // Where the newest message is damaged, readers are given the durable one: so that is what can be expected.
      guard position.sequence == commit.durable.sequence,
        case .record(let seen, _)? = try visible(
          file, path, header, commit, isLast: true)
      else { return false }
      return seen == position
    }
  }

  /// Writes the record and commits it, or makes a larger ring.
  private func add(
    _ addition: Addition, _ file: borrowing FileDescriptor, _ status: FileStatus, _ header: ArchiveHeader,
    _ commit: Commit, _ path: Path
  ) throws(WormholeError) -> Outcome {
    var record = addition.record
    record.sequence = commit.sequence + 1
    guard record.sequence <= ArchiveLayout.largestSequence else { throw .damagedArchive("sequence", path) }
    let length = RecordHeader.length + (record.payload?.bytes.count ?? 0)
    guard retention <= header.retention,
      let place = Ring.place(length: length, after: commit, capacity: header.capacity),
      !(place.hasWrapped && isOversized(header, commit, length))
    else { return try rebuild(addition, file, status, header, commit, path) }
    let extent = Extent(offset: place.offset, length: length, sequence: record.sequence)
    let next = commit.adding(extent, hasPayload: record.payload != nil)
    try attempt("write the archive", path) { () throws(Errno) in
      try file.write(record, at: place.offset, previous: commit.newest, identity: header.identity)
      try file.write(next, identity: header.identity)
      if addition.isDurable {
        try file.synchronizeData()
        try FileSystem.synchronizeDirectory(directory)
        try file.write(next.beingDurable, identity: header.identity)
      }
    }
    return .done(Position(identity: header.identity, sequence: record.sequence))
  }

  /// Whether a ring that begins again is much larger than it would be made today: then it is made anew, smaller.
  private func isOversized(_ header: ArchiveHeader, _ commit: Commit, _ length: Int) -> Bool {
    let protected = commit.protected.reduce(0) { $0 + ArchiveLayout.aligned($1.length) }
    return header.capacity > 2 * Ring.capacity(for: length, protected: protected, retention: header.retention)
  }
}

/// A record on its way into an archive.
struct Addition {
  /// The record; its sequence is decided under the lock.
  var record: Record
  /// Whether it must be on the disk before the call returns.
  var isDurable: Bool
  /// What the newest message must still be.
  var expected: StoredVersion?
}

extension FileDescriptor {
  /// Opens a file, or sets `failure`: for places that go on with either.
  static func open(_ path: Path, _ flags: Int32, mode: UInt32 = 0, failure: inout Errno) -> FileDescriptor? {
    do throws(Errno) {
      return try open(path, flags, mode: mode)
    } catch {
      failure = error
      return nil
    }
  }

  /// Writes the commit block in one call.
  borrowing func write(_ commit: Commit, identity: UInt64) throws(Errno) {
    try withUnsafeTemporaryAllocation(byteCount: Commit.length, alignment: 8) { (sector) throws(Errno) in
      commit.encode(into: sector, identity: identity)
      try write(UnsafeRawBufferPointer(sector), at: ArchiveLayout.commitOffset)
    }
  }

  /// Writes header and payload of a record in one call.
  borrowing func write(_ record: Record, at offset: Int, previous: Extent, identity: UInt64) throws(Errno) {
    try withUnsafeTemporaryAllocation(byteCount: RecordHeader.length, alignment: 8) { (header) throws(Errno) in
      let empty: [UInt8] = []
      try (record.payload?.bytes ?? empty).withUnsafeBufferPointer { (buffer) throws(Errno) in
        let payload = UnsafeRawBufferPointer(buffer)
        RecordHeader.encode(record, payload: payload, previous: previous, identity: identity, into: header)
        try write(UnsafeRawBufferPointer(header), and: payload, at: offset)
      }
    }
  }
}

extension WormholeError {
  /// Another process keeps the archive's lock.
  static func lockTimedOut(_ path: Path, after nanoseconds: UInt64) -> WormholeError {
    WormholeError(
      .lockTimedOut, path: path.description,
      reason: "another program has held the archive's lock for \(nanoseconds / 1_000_000) ms; "
        + "look for a stopped one (lslocks names it) and send again")
  }
}
