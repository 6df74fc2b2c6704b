/// How directories and files get their kernel watches, and get them again.
extension WatchTable {
  /// Arms a directory from the root down: each step is guarded before the next is taken, so that whatever is renamed or
  /// made on the way after that raises an event.
  ///
  /// While it is not there, the nearest directory above it waits for it.
  mutating func arm(_ directory: WatchedDirectory) throws(Errno) {
    directory.isArmed = false
    directory.lacksFileWatches = false
    poll(directory, kernel == nil ? .noInstance : .no)
    guard kernel != nil else { return }
    defer {
      if directory.polling == .no { poll(directory, Self.blindness(of: directory)) }
      if directory.polling == .no { directory.toldPolling = .no }
    }
    for level in stride(from: directory.above.count, through: 1, by: -1) {
      let spot = directory.above[level - 1]
      // A directory that is held open by somebody tells of its removal only through the one above it.
      let guarding: WatchMask = level == 1 ? [.moveSelf, .delete] : .moveSelf
      let isThere = try step(directory, spot, guarding)
      if !isThere {
        for lower in directory.above[..<(level - 1)] { kernel?.detach(lower) }
        kernel?.detach(directory.own)
        for file in directory.files.values { kernel?.detach(file) }
        return
      }
    }
    directory.isTellingWrites = directory.mustTellWrites
    guard try step(directory, directory.own, directory.mask) else {
      for file in directory.files.values { kernel?.detach(file) }
      return
    }
    directory.isArmed = directory.own.watch != nil
    for file in directory.files.values { arm(file) }
  }

  /// Attaches one place of the chain; false when it is not there and the place above it waits for it to come.
  private mutating func step(
    _ directory: WatchedDirectory, _ spot: WatchSpot, _ mask: WatchMask
  ) throws(Errno) -> Bool {
    if try attach(directory, spot, mask) { return true }
    let level = if case .above(let level) = spot.role { level } else { 0 }
    guard level < directory.above.count else { return false }
    if level + 1 < directory.above.count {
      // The place where it is waited for may be removed too, and does not tell of that while somebody holds it, or
      // something that was in it, open. So the one above it tells, and only now, as it tells of all that goes from there.
      _ = try attach(directory, directory.above[level + 1], [.moveSelf, .delete])
    }
    let waiting: WatchMask = [.create, .movedTo, .deleteSelf, .moveSelf]
    if try !attach(directory, directory.above[level], waiting) {
      // What it is waited for in has gone meanwhile: that is waited for first.
      guard try step(directory, directory.above[level], waiting) else { return false }
    }
    // It may have come before the watch for it stood.
    return try attach(directory, spot, mask)
  }

  /// Attaches a directory; false when it is not there.
  private mutating func attach(
    _ directory: WatchedDirectory, _ spot: WatchSpot, _ mask: WatchMask
  ) throws(Errno) -> Bool {
    do throws(Errno) {
      try kernel?.attach(spot, mask)
      return true
    } catch {
      switch error {
      case .noEntry, .notDirectory, .symbolicLinkLoop: return false
      case .noSpace, .noMemory:
        if directory.polling == .no { poll(directory, .noWatch) }
        return true
      case .accessDenied where spot !== directory.own:
        // Directories above need not be readable; they are guarded where they are.
        return true
      default: throw error
      }
    }
  }

  /// Watches a listened file by its inode, if it is there and the directory's own watch does not tell of its writes.
  mutating func arm(_ file: WatchSpot) {
    guard !file.directory.isTellingWrites else {
      kernel?.detach(file)
      return
    }
    do throws(Errno) {
      try kernel?.attach(file, .closeWrite)
    } catch {
      // It is not there: its coming is told by the directory. One that may not be read is, so that its listener is told
      // why nothing comes; the directory's watch needs no leave of the file.
      if [.noEntry, .notDirectory, .symbolicLinkLoop].contains(error) { return }
      file.directory.lacksFileWatches = true
      tellWrites(of: file.directory)
    }
  }

  /// Lets the directory's own watch tell of writes to all its files, since the kernel gives none for one of them.
  private mutating func tellWrites(of directory: WatchedDirectory) {
    guard !directory.isTellingWrites else { return }
    directory.isTellingWrites = true
    guard (try? attach(directory, directory.own, directory.mask)) == true, directory.own.watch != nil else {
      directory.isTellingWrites = false
      if directory.polling == .no { poll(directory, .noWatch) }
      return
    }
    for file in directory.files.values { kernel?.detach(file) }
    tellAll(in: directory)
  }

  /// Arms a directory again, after it may have gone or come or when other things are to be heard, and tells everybody.
  mutating func rearm(_ directory: WatchedDirectory) {
    do throws(Errno) {
      try arm(directory)
    } catch {
      // It was good before: what stands in the way may go as it came.
      if directory.polling == .no { poll(directory, error == .accessDenied ? .notPermitted : .noWatch) }
    }
    tellAll(in: directory)
  }

  /// Arms everything again and tells everybody.
  mutating func rearmAll() {
    for directory in directories.values { rearm(directory) }
  }

  /// Tells everybody whose directory is to be looked at by `now`, trying first to get what the kernel had not enough of;
  /// gives when the next is to be looked at.
  mutating func poll(at now: UInt64) -> UInt64? {
    hasUnplannedPoll = false
    let due = directories.values.filter { $0.polling != .no && $0.nextPoll ?? now <= now }
    if kernel == nil, due.contains(where: { $0.nextPoll != nil }), let instance = try? KernelWatches.Instance() {
      kernel = KernelWatches(instance)
      rearmAll()
    } else {
      for directory in due where directory.nextPoll != nil {
        switch directory.polling {
        case .no: break
        case .noWatch, .notPermitted: rearm(directory)
        case .noInstance, .othersUnseen, .unheard: tellAll(in: directory)
        }
      }
    }
    for directory in due { directory.nextPoll = now + directory.pollingInterval }
    settle()
    var next: UInt64?
    for directory in directories.values {
      if directory.polling == .no { directory.nextPoll = nil; continue }
      next = min(next ?? UInt64.max, directory.nextPoll ?? now)
    }
    return next
  }
}
