/// How an archive is replaced as a whole: when it is the first message, when the ring must get another size, when the
/// commit block is damaged, when something foreign stands at the name. The steps, and what a crash after each leaves:
///
/// 1. Make a locked temporary in the hidden folder. — A leftover whose lock is free, swept by whoever comes next.
/// 2. Write the records and the new one, then header and commit block. — The same.
/// 3. fsync, when it holds a durable record. — The same. After a power cut the name leads to the old file or to this
///    whole one, never to one whose name came to the disk before its bytes.
/// 4. Mark the old archive as one that loses its name, where there is one. — Senders compare the name, and find it.
/// 5. Rename to the archive's name. — The message counts. Who waited for the old file's lock sees the mark.
/// 6. fsync of the directory, when it holds a durable record. — The message is also safe from a power cut.
/// 7. Unlock and close.
///
/// What keeps two of these apart: the first message does not replace (RENAME_NOREPLACE, or link where that is missing);
/// another ring is made under the old one's lock; foreign things are replaced under the lock of one file for all,
/// `.wormhole/replace`, having been looked at again under it, since they have no lock of their own to be trusted.
extension Archives {
  /// Makes the archive with its first record.
  func makeFirst(_ addition: Addition, _ path: Path) throws(WormholeError) -> Outcome {
    if case .position? = addition.expected { return .unexpected }
    let replacement = Replacement(addition, retention: retention)
    do throws(Errno) {
      var temporary = try Temporary.make(in: hidden, mode: fileMode)
      try replacement.write(to: temporary.file)
      if replacement.isDurable { try temporary.file.synchronize() }
      try temporary.renameWithoutReplacing(to: path)
      if replacement.isDurable { try FileSystem.synchronizeDirectory(directory) }
    } catch {
      if error == .exists { return .again }
      guard error == .noEntry else { throw WormholeError(error, "make the archive", path) }
      // The directory was removed under the open wormhole: it comes into being again, as when opening.
      try makeDirectories()
      return .again
    }
    return .done(replacement.position)
  }

  /// Makes the ring anew in another size, with identity and sequence kept; under the old one's lock.
  func rebuild(
    _ addition: Addition, _ file: borrowing FileDescriptor, _ status: FileStatus, _ header: ArchiveHeader,
    _ commit: Commit, _ path: Path
  ) throws(WormholeError) -> Outcome {
    let retention = max(header.retention, self.retention)
    let carried = try carried(addition, file, header, commit, retention, path)
    return try replace(
      Replacement(addition, retention: retention, carried: carried), mode: status.mode & 0o777, path,
      marking: { () throws(Errno) in try file.markAsLosingName() })
  }

  /// What of the old archive goes into the new one: what must not be lost, and history as far as the retention goes.
  private func carried(
    _ addition: Addition, _ file: borrowing FileDescriptor, _ header: ArchiveHeader, _ commit: Commit,
    _ retention: Int, _ path: Path
  ) throws(WormholeError) -> Carried {
    var carried = Carried(identity: header.identity, sequence: commit.sequence)
    let isPayload = addition.record.payload != nil
    for extent in [commit.durable, commit.payload] where !extent.isNone {
      // What the new record takes the place of is history like any other.
      if isPayload, extent != commit.durable || addition.isDurable { continue }
      switch try attempt(
        "read the archive", path,
        { () throws(Errno) in
          try RecordReading(file, at: extent, of: header, limit: limit)
        })
      {
      case .record(let record, _):
        carried.hold(record)
        if extent == commit.durable { carried.durable = record.sequence }
      case .tooLarge(let length): throw .storedTooLarge(length, limit: limit, path)
      case .invalid: break
      }
    }
    // The new record has its place in the retention too.
    let room = retention - Carried.length(of: addition.record)
    var next = commit.newest
    while !next.isNone,
      case .record(let record, let previous) = try attempt(
        "read the archive", path,
        { () throws(Errno) in
          try RecordReading(file, at: next, of: header, limit: limit)
        }),
      carried.goesBack(to: record, within: room)
    { next = previous }
    return carried
  }

  /// Makes an archive anew out of the records that a scan finds in a damaged one; under its lock.
  func salvage(
    _ file: borrowing FileDescriptor, _ status: FileStatus, identity: UInt64, header: ArchiveHeader?,
    _ addition: Addition, _ path: Path
  ) throws(WormholeError) -> Outcome {
    let retention = max(header?.retention ?? 0, self.retention)
    let found = try attempt("read the archive", path) { () throws(Errno) in
      try Salvage.records(
        in: file, size: status.size, identity: identity, capacity: header?.capacity,
        limit: limit)
    }
    var carried: Carried?
    if let newest = found.last {
      // With nothing to show for the old sequence, another identity begins another history.
      var kept = Carried(identity: identity, sequence: newest.sequence)
      if let payload = found.last(where: { $0.payload != nil }) {
        kept.hold(payload)
        // Which one was durable is not known any more; this one is newer or the same.
        kept.durable = payload.sequence
      }
      let room = retention - Carried.length(of: addition.record)
      for record in found.reversed() { guard kept.goesBack(to: record, within: room) else { break } }
      carried = kept
    }
    switch addition.expected {
    case nil: break
    // Readers were given an error here, so whoever expects anything has to look again.
    case .some: return .unexpected
    }
    return try replace(
      Replacement(addition, retention: retention, carried: carried), mode: status.mode & 0o777, path,
      marking: { () throws(Errno) in try file.markAsLosingName() })
  }

  /// Replaces something that is no archive.
  func replaceForeign(_ addition: Addition, _ path: Path) throws(WormholeError) -> Outcome {
    try withReplaceLock(path) { () throws(WormholeError) -> Outcome in
      switch try Occupant.at(path) {
      case .absent, .archive: return .again
      case .special(.directory): throw .notAnArchive(.directory, path)
      case .special:
        guard addition.expected == nil else { return .unexpected }
      case .foreign(let status):
        let seen = StoredVersion.position(Position(identity: status.version, sequence: 1))
        guard addition.expected == nil || addition.expected == seen else { return .unexpected }
      }
      return try replace(Replacement(addition, retention: retention), mode: fileMode, path)
    }
  }

  /// Runs `body` while nobody else replaces or clears foreign things in this directory.
  func withReplaceLock(
    _ path: Path, _ body: () throws(WormholeError) -> Outcome
  ) throws(WormholeError) -> Outcome {
    let lockPath = hidden.appending("replace")
    var failure = Errno.noEntry
    guard let lock = FileDescriptor.open(lockPath, OpenFlags.createOrOpen, mode: 0o600, failure: &failure) else {
      guard failure == .noEntry else { throw WormholeError(failure, "open the lock file", lockPath) }
      try makeDirectories()
      return .again
    }
    // A lock of a pipe or a device is none; whoever put it there keeps everybody else from replacing anything.
    let status = try attempt("look at the lock file", lockPath) { () throws(Errno) in try lock.status() }
    guard status.kind == .regular else {
      throw WormholeError(Errno.noDeviceOrAddress, "lock the lock file", lockPath)
    }
    // Only its owner can widen it, so others are not told when they cannot.
    if fileMode != 0o600 { try? lock.setMode(fileMode) }
    return try withLock(lock, lockPath) { (_) throws(WormholeError) in try body() }
  }

  /// The permission bits of the files that are made.
  var fileMode: UInt32 { options.permissions == .group ? 0o660 : 0o600 }

  private func replace(
    _ replacement: Replacement, mode: UInt32, _ path: Path, marking: () throws(Errno) -> Void = {}
  ) throws(WormholeError) -> Outcome {
    do throws(Errno) {
      // Who could use the old archive can use the new one, whoever of them makes it.
      var temporary = try Temporary.make(in: hidden, mode: mode | 0o600)
      try replacement.write(to: temporary.file)
      if replacement.isDurable { try temporary.file.synchronize() }
      try marking()
      try temporary.rename(to: path)
      if replacement.isDurable { try FileSystem.synchronizeDirectory(directory) }
    } catch {
      guard error == .noEntry else { throw WormholeError(error, "replace the archive", path) }
      try makeDirectories()
      return .again
    }
    return .done(replacement.position)
  }
}
