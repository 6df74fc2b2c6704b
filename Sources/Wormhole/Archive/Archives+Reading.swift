/// Readers never lock and never write.
///
/// They believe bytes only after their checksum. A check fails for one of two reasons. A writer was at work between two
/// of the reader's calls: then the commit block differs when it is read again, and so is the rest. Or the file is
/// damaged: then the same commit block fails again and again, with pauses in which a writer that was just inside its
/// write can end it, and what the commit block still leads to is taken: the newest payload, else the durable record.
extension Archives {
  /// How often a head that changes each time is read before the reader takes what it has got.
  private static let mostTries = 10_000
  /// How often the same head must fail to count as damaged.
  private static let triesOfSame = 8

  /// The newest record with a payload, nil when there is none.
  package func newest(_ identifier: String) throws(WormholeError) -> (position: Position, record: Record)? {
    let path = try path(of: identifier)
    guard let file = try openToRead(path) else { return nil }
    switch try visit(
      file, path,
      { (header, commit, isLast) throws(WormholeError) -> Visible? in
        try self.visible(file, path, header, commit, isLast: isLast)
      })
    {
    case .value(.record(let position, let record)): return (position, record)
    case .value(.nothing): return nil
    case .foreign(let foreign): return (foreign.position, foreign.record)
    }
  }

  /// What has come since `position`; errors are part of the answer, each told once for a state of the archive.
  package func look(at identifier: String, after position: Position?, every: Bool) -> Look {
    do throws(WormholeError) {
      let path = try path(of: identifier)
      do throws(WormholeError) {
        return try look(path, after: position?.readable, every: every)
      } catch {
        let state = (try? FileSystem.status(of: path).version) ?? 0
        let code = UInt64(error.code.hashNumber)
        let told = Position.unreadable(
          state: Checksum.of(state, code, UInt64(bitPattern: Int64(error.errno))), after: position)
        return told == position ? .unchanged : .unreadable(error, told)
      }
    } catch {
      return .unreadable(error, .unreadable(state: 0, after: position))
    }
  }

  private func look(_ path: Path, after base: Position?, every: Bool) throws(WormholeError) -> Look {
    guard let file = try openToRead(path) else { return .absent }
    switch try visit(
      file, path,
      { (header, commit, isLast) throws(WormholeError) -> Look? in
        try self.news(file, path, header, commit, after: base, every: every, isLast: isLast)
      })
    {
    case .value(let look): return look
    case .foreign(let foreign):
      return foreign.position == base ? .unchanged : .records([foreign.record], missed: 0, foreign.position)
    }
  }

  /// What an archive holds that is newer than `base`; nil when a check failed and it is not the last try.
  private func news(
    _ file: borrowing FileDescriptor, _ path: Path, _ header: ArchiveHeader, _ commit: Commit, after base: Position?,
    every: Bool, isLast: Bool
  ) throws(WormholeError) -> Look? {
    // Another identity is another history, which begins at 1.
    let from = base?.identity == header.identity ? base?.sequence ?? 0 : 0
    let now = Position(identity: header.identity, sequence: commit.newest.sequence)
    if commit.newest.sequence <= from { return .unchanged }
    let history = try attempt("read the archive", path) { () throws(Errno) in
      every
        ? try History.every(file, header, commit, after: from, limit: limit)
        : try History.newest(file, header, commit, after: from, limit: limit)
    }
    if history.isBroken, !isLast { return nil }
    if history.records.isEmpty {
      if let length = history.tooLarge { throw .storedTooLarge(length, limit: limit, path) }
      throw .damagedArchive("newest record", path)
    }
    let missed = base == nil ? 0 : Int(commit.newest.sequence - from) - history.records.count
    return .records(history.records, missed: missed, now)
  }

  /// The newest message with a payload as a reader sees it.
  enum Visible {
    /// There is none.
    case nothing
    /// This one.
    case record(Position, Record)
  }

  /// The newest message with a payload that passes its checks; nil when one failed and it is not the last try.
  func visible(
    _ file: borrowing FileDescriptor, _ path: Path, _ header: ArchiveHeader, _ commit: Commit, isLast: Bool
  ) throws(WormholeError) -> Visible? {
    if commit.payload.isNone { return .nothing }
    for extent in isLast ? [commit.payload, commit.durable] : [commit.payload] where !extent.isNone {
      let reading = try attempt("read the archive", path) { () throws(Errno) in
        try RecordReading(file, at: extent, of: header, limit: limit)
      }
      switch reading {
      case .record(let record, _):
        if record.payload == nil { continue }
        return .record(Position(identity: header.identity, sequence: record.sequence), record)
      case .tooLarge(let length): throw .storedTooLarge(length, limit: limit, path)
      case .invalid: continue
      }
    }
    if isLast { throw .damagedArchive("newest message", path) }
    return nil
  }

  /// What a visit found.
  private enum Visit<Value> {
    /// What the visitor made of the archive.
    case value(Value)
    /// The file is no archive.
    case foreign(ForeignFile)
  }

  /// Opens what stands at the path; nil when nothing does.
  private func openToRead(_ path: Path) throws(WormholeError) -> FileDescriptor? {
    do throws(Errno) {
      return try FileDescriptor.open(path, OpenFlags.readOnly)
    } catch {
      if error == .noEntry { return nil }
      if let kind = try? FileSystem.status(of: path).kind, kind != .regular { throw .notAnArchive(kind, path) }
      throw WormholeError(error, "open the archive", path)
    }
  }

  /// Reads the head until it fits and `body` finds what it leads to, or until it is certain that neither will be.
  private func visit<Value>(
    _ file: borrowing FileDescriptor, _ path: Path,
    _ body: (ArchiveHeader, Commit, _ isLast: Bool) throws(WormholeError) -> Value?
  ) throws(WormholeError) -> Visit<Value> {
    var last: UInt64?
    var same = 0
    for attempt in 1... {
      let head = try readHead(file, path)
      same = head.digest == last ? same + 1 : 0
      last = head.digest
      let isLast = same >= Self.triesOfSame || attempt >= Self.mostTries
      switch head.head {
      case .foreign:
        if let foreign = try readForeign(file, path, isLast: isLast) { return .foreign(foreign) }
      case .newer(let version): throw .newerArchive(version, path)
      case .archive(let header, let commit):
        if let value = try body(header, commit, isLast) { return .value(value) }
      case .damagedHeader: if isLast { throw .damagedArchive("header", path) }
      case .damagedCommit: if isLast { throw .damagedArchive("commit block", path) }
      }
      if same > 0 { Clock.sleep(nanoseconds: 10_000 << UInt64(same)) }
    }
    throw .damagedArchive("header", path)
  }

  private func readHead(
    _ file: borrowing FileDescriptor, _ path: Path
  ) throws(WormholeError) -> HeadReading {
    do throws(Errno) {
      return try file.readHead()
    } catch {
      // A directory, a pipe or a device tells itself by what reading at an offset says.
      if let kind = try? file.status().kind, kind != .regular { throw .notAnArchive(kind, path) }
      throw WormholeError(error, "read the archive", path)
    }
  }

  /// The file as one message; nil when it changed while it was read and it is not the last try.
  private func readForeign(
    _ file: borrowing FileDescriptor, _ path: Path, isLast: Bool
  ) throws(WormholeError) -> ForeignFile? {
    let status = try attempt("read the file", path) { () throws(Errno) in try file.status() }
    guard status.kind == .regular else { throw .notAnArchive(status.kind, path) }
    guard status.size <= limit else {
      throw .storedTooLarge(status.size, limit: limit, path)
    }
    let foreign = try attempt("read the file", path) { () throws(Errno) in try ForeignFile(file, status) }
    if foreign == nil, isLast {
      throw WormholeError(
        .inputOutput, path: path.description, reason: "the file is being written; move it here when it is whole")
    }
    return foreign
  }
}

extension WormholeError.Code {
  /// A number of the code, the same in every process.
  fileprivate var hashNumber: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
