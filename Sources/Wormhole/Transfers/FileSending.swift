/// What becomes of a file that is transferred.
public enum FilePassing: Sendable {
  /// It stays, and what it holds now is copied.
  case copying
  /// It is given away: nobody uses it any more, and it goes without being copied where it lies on the wormhole's file
  /// system. Should the transfer fail, it stays.
  case moving
}

/// A file on its way into a queue.
struct FileSending {
  /// The queues.
  let store: TransferStore
  /// Where it comes from.
  let path: Path
  /// What becomes of it there.
  let passing: FilePassing
  /// What a crash may take away.
  let durability: Durability
  /// Told how far the copying is.
  let progress: (FileProgress) -> Void

  /// Puts the file into the hidden folder and the record that `record` makes of it into the queue.
  func send(
    to identifier: String, options: WormholeOptions, _ record: (FileEnvelope) throws(WormholeError) -> QueueRecord
  ) throws(WormholeError) -> Transfer {
    let queue = try store.queue(identifier)
    let source = try open()
    var envelope = FileEnvelope(number: randomNumber(), size: source.status.size, name: path.fileName.bytes)
    // Before what takes long: whatever else stands in the way shows first.
    try queue.checkRoom(for: try record(envelope).storedLength, limit: options.queueLimit)
    try store.checkFileRoom(for: envelope.size, limit: options.fileLimit)
    if passing == .moving { try checkRemoval() }
    var temporary = try takeIn(source, &envelope)
    let hidden = store.archives.hidden
    let target = store.filePath(envelope.number)
    try attempt("cannot put the file into the wormhole", hidden) { () throws(Errno) in
      if durability == .durable { try temporary.file.synchronize() }
      try temporary.link(to: target)
    }
    let items = try store.recording(envelope.number) { () throws(WormholeError) in
      try attempt("cannot put the file into the wormhole", hidden) { () throws(Errno) in
        if durability == .durable { try FileSystem.synchronizeDirectory(hidden) }
      }
      return try queue.append([try record(envelope)], limit: options.queueLimit, durability: durability)
    }
    if passing == .moving { removeSource(source.status) }
    temporary.end()
    return Transfer(identifier: identifier, item: items[0], store: store, file: envelope.number)
  }

  /// A source that is open for reading.
  private struct Source: ~Copyable {
    let file: FileDescriptor
    let status: FileStatus
  }

  /// Opens the source.
  private func open() throws(WormholeError) -> Source {
    do throws(Errno) {
      // Looked at before it is opened: opening a device can do things.
      let kind = try FileSystem.statusFollowingLinks(of: path).kind
      guard kind == .regular else { throw kind == .directory ? .isDirectory : .invalidArgument }
      let file = try FileDescriptor.open(path, OpenFlags.source)
      let status = try file.status()
      guard status.kind == .regular else { throw .invalidArgument }
      return Source(file: file, status: status)
    } catch {
      throw unreadable(error)
    }
  }

  /// The error of a source that cannot be had.
  private func unreadable(_ error: Errno) -> WormholeError {
    let (what, remedy): (String, String) =
      switch error {
      case .noEntry, .notDirectory: ("\(error)", "give the path of a file that is there")
      case .symbolicLinkLoop: ("\(error)", "give the path of the file itself")
      case .isDirectory: ("it is a directory", "pack it into one file, for instance with tar")
      case .invalidArgument: ("it is a pipe, a socket or a device", "write what it gives into a file")
      default: ("", "")
      }
    guard !what.isEmpty else { return WormholeError(error, "cannot read the file", path) }
    return WormholeError(
      .unreadableFile, path: path.description, errno: error.rawValue,
      reason: "cannot read the file: \(what); \(remedy)")
  }

  /// A temporary that is the source, where it is given away and can be, or has a copy of it.
  private func takeIn(
    _ source: borrowing Source, _ envelope: inout FileEnvelope
  ) throws(WormholeError) -> Temporary {
    if passing == .moving, let temporary = try given(source.status) { return temporary }
    let temporary = try makeTemporary(source.status)
    let copy = FileCopy(from: path, to: store.archives.hidden)
    envelope.size = try copy.run(source.file, size: source.status.size, to: temporary.file) {
      progress throws(WormholeError) in
      guard !Task.isCancelled else {
        throw WormholeError(
          .cancelled, path: path.description, reason: "the task was cancelled before the file was copied")
      }
      self.progress(progress)
    }
    return temporary
  }

  private func makeTemporary(_ status: FileStatus) throws(WormholeError) -> Temporary {
    let (hidden, mode) = (store.archives.hidden, store.fileMode(of: status))
    do throws(Errno) { return try Temporary.make(in: hidden, mode: mode) } catch {
      guard error == .noEntry else { throw WormholeError(error, "cannot put the file into the wormhole", hidden) }
    }
    // The directory was removed under the open wormhole: it comes into being again, as when opening.
    try store.archives.makeDirectories()
    return try attempt("cannot put the file into the wormhole", hidden) { () throws(Errno) in
      try Temporary.make(in: hidden, mode: mode)
    }
  }

  /// A temporary that is the source itself under a second name; nil when it must be copied.
  private func given(_ status: FileStatus) throws(WormholeError) -> Temporary? {
    // Another name than the one that is given away would lead to the file too.
    guard passing == .moving, status.linkCount == 1, status.owner == Program.user,
      let file = try? FileDescriptor.open(path, OpenFlags.readWrite),
      (try? file.status().isSameFile(as: status)) == true,
      (try? file.tryLock(.exclusive, at: 0)) == true, (try? file.setMode(store.fileMode(of: status))) != nil
    else { return nil }
    do throws(Errno) {
      let temporary = try Temporary.another(nameFor: file, at: path, in: store.archives.hidden)
      guard try FileSystem.status(of: temporary.path).isSameFile(as: status) else { return nil }
      progress(FileProgress(bytes: status.size, total: status.size))
      return temporary
    } catch {
      guard Temporary.linkRefusals.contains(error) else {
        throw WormholeError(error, "cannot put the file into the wormhole", store.archives.hidden)
      }
      return nil
    }
  }

  /// Throws when the source could not be removed.
  private func checkRemoval() throws(WormholeError) {
    try attempt("cannot give the file away", path) { () throws(Errno) in
      try FileSystem.checkAccess(path.parent ?? Path("."), 0o3)
    }
  }

  /// Removes the name of a source that was given away, unless another file has it by now.
  private func removeSource(_ status: FileStatus) {
    guard let current = try? FileSystem.status(of: path),
      current.kind == .symbolicLink || current.isSameFile(as: status)
    else { return }
    try? FileSystem.remove(path)
  }
}

extension TransferStore {
  /// The mode of a file in transit: that of all files here, and whether it can be run.
  func fileMode(of status: FileStatus) -> UInt32 { mode | (status.mode & 0o100 == 0 ? 0 : mode >> 2 & 0o111) }
}
