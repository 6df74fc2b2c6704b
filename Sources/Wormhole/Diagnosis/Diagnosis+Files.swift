/// The files: which are locked for too long, which cannot be read, which are nobody's.
extension Diagnosis {
  /// How often and after which pauses a locked file is looked at again; a writer holds its lock for microseconds.
  private static let (lockLooks, lockPause): (Int, UInt64) = (20, 50_000_000)

  /// Looks at every mailbox and queue.
  mutating func checkFiles(_ files: FilesInUse) {
    var names: [FileName] = []
    do throws(Errno) { try FileSystem.forEachName(in: directory) { names.append($0) } } catch {
      problem("files", WormholeError(error, "read the directory", directory))
      return
    }
    names.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    let stuck = checkLocks(names, files)
    let archives = Archives(inspecting: directory, options: options)
    var (mailboxes, queues, faults, others) = (0, 0, 0, 0)
    for name in names {
      var fault: WormholeError?
      if let identifier = ArchiveName.identifier(of: name) {
        mailboxes += 1
        do throws(WormholeError) { _ = try archives.newest(identifier) } catch { fault = error }
      } else if ArchiveName.identifier(of: name, ending: ArchiveName.queue) != nil {
        queues += 1
        if !stuck.contains(name) { fault = Self.fault(ofQueue: directory.appending(name)) }
      } else if !name.bytes.elementsEqual(".wormhole".utf8) {
        others += 1
      }
      if let fault {
        faults += 1
        problem("files", fault)
      }
    }
    if faults == 0 {
      let text = Self.count(mailboxes, "mailbox", "mailboxes") + " and " + Self.count(queues, "queue", "queues")
      ok("files", "\(text) can be read")
    }
    if others > 0 {
      note(
        "others", Self.count(others, "name", "names") + " of no mailbox or queue",
        "they are left alone; rename them to IDENTIFIER.archive if they should be messages")
    }
  }

  /// Looks for files whose lock is held for a second; gives their names.
  private mutating func checkLocks(_ names: [FileName], _ files: FilesInUse) -> Set<FileName> {
    var paths: [(name: FileName, path: Path)] = names.map { ($0, directory.appending($0)) }
    try? FileSystem.forEachName(in: hidden) { name in
      let isShared = name.bytes.elementsEqual("replace".utf8) || name.bytes.starts(with: "r-".utf8)
      if isShared { paths.append((name, hidden.appending(name))) }
    }
    var locked = paths.filter { Self.isLocked($0.path) }
    for _ in 0..<Self.lockLooks where !locked.isEmpty {
      Clock.sleep(nanoseconds: Self.lockPause)
      locked = locked.filter { Self.isLocked($0.path) }
    }
    if locked.isEmpty { ok("locks", "no file is locked for long") }
    for (name, path) in locked {
      let holders = (files.lockers[name.description] ?? files.lockers[".wormhole/\(name)"] ?? []).map(ProcessLabel.of)
      let who = holders.isEmpty ? "a process that this user may not see" : holders.map(\.text).joined(separator: ", ")
      let remedy =
        holders.contains { $0.isStopped } ? "continue it with kill -CONT, or end it" : "end it if it does not go on"
      problem("locks", "\(path) stays locked by \(who)", remedy, .lockTimedOut)
    }
    return Set(locked.map(\.name))
  }

  private static func isLocked(_ path: Path) -> Bool {
    guard let file = try? FileDescriptor.open(path, OpenFlags.readOnly), (try? file.status().kind) == .regular else {
      return false
    }
    return (try? file.isLockedByAnother(against: .exclusive, at: 0)) == true
  }

  /// What is wrong with a queue, nil when its beginning can be read.
  private static func fault(ofQueue path: Path) -> WormholeError? {
    do throws(WormholeError) {
      guard let file = try QueueFile.open(path) else { return nil }
      _ = try file.withWriteLock { (_) throws(WormholeError) in }
      return nil
    } catch { return error }
  }

  /// Looks for what killed programs have left, and for what was put aside.
  mutating func checkLeftovers() {
    var (temporaries, replies, aside, unknown): (Int, Int, Int, [String]) = (0, 0, 0, [])
    var names: [FileName] = []
    try? FileSystem.forEachName(in: hidden) { names.append($0) }
    for name in names {
      let kind = name.bytes.prefix(2)
      let path = hidden.appending(name)
      let isShared = ["presence", "replace"].contains("\(name)") || kind.elementsEqual("r-".utf8)
      if isShared, (try? FileSystem.status(of: path).kind) != .regular {
        problem("files", "something other than a regular file stands at \(path)", "move it away", .notAnArchive)
      }
      if kind.elementsEqual("r-".utf8), (try? FileSystem.status(of: path).kind) == .regular, !Self.isLocked(path),
        let fault = Self.fault(ofQueue: path)
      {
        problem("files", fault)
      }
      if kind.elementsEqual("t-".utf8) {
        if !Self.isLocked(path) { temporaries += 1 }
      } else if kind.elementsEqual("p-".utf8) {
        let file = try? FileDescriptor.open(path, OpenFlags.readOnly)
        if (try? file?.isLockedByAnother(against: .exclusive, at: QueueLayout.cell(0))) == false { replies += 1 }
      } else if kind.elementsEqual("s-".utf8) {
        aside += 1
      } else if !kind.elementsEqual("r-".utf8), !kind.elementsEqual("f-".utf8), name.description != "presence",
        name.description != "replace"
      {
        unknown.append("\(name)")
      }
    }
    if temporaries + replies > 0 {
      note(
        "leftovers", Self.count(temporaries + replies, "file", "files") + " of programs that were ended",
        "nothing needs to be done: the next program that opens the wormhole removes them")
    }
    if aside > 0 {
      note(
        "set aside", Self.count(aside, "transfer", "transfers") + " set aside",
        "put them back with wormhole-listen --put-back IDENTIFIER")
    }
    if !unknown.isEmpty {
      note(
        "leftovers",
        Self.count(unknown.count, "file", "files") + " in \(hidden) of another program, such as \(unknown.min() ?? "")",
        "move them away")
    }
    if temporaries + replies + aside + unknown.count == 0 { ok("leftovers", "none") }
  }
}
