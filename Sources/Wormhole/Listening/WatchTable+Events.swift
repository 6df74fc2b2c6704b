/// What follows from an event of the kernel's.
extension WatchTable {
  /// Takes in one event.
  mutating func handle(_ event: InotifyEvent) {
    if event.mask.contains(.overflow) {
      rearmAll()
    } else if event.mask.contains(.ignored) {
      for spot in kernel?.forget(event.watch) ?? [] { lost(spot) }
    } else {
      for spot in kernel?.spots(of: event.watch) ?? [] where !spot.mask.isDisjoint(with: event.mask) {
        heard(event, at: spot)
      }
    }
  }

  /// The kernel has ended the watch of a place: its inode is gone, or its file system.
  private mutating func lost(_ spot: WatchSpot) {
    // Of a file the directory tells.
    if case .file = spot.role { return }
    rearm(spot.directory)
  }

  /// Something happened at a place.
  private mutating func heard(_ event: InotifyEvent, at spot: WatchSpot) {
    switch spot.role {
    case .file: tell(spot)
    case .directory:
      if event.mask.isDisjoint(with: [.deleteSelf, .moveSelf]) {
        heardName(event, in: spot.directory)
      } else {
        rearm(spot.directory)
      }
    case .above(let level):
      let isItself = !event.mask.isDisjoint(with: [.deleteSelf, .moveSelf])
      if isItself || spot.directory.isOnTheWay(event.name, below: level) { rearm(spot.directory) }
    }
  }

  /// A file of a directory came, went or was written.
  private mutating func heardName(_ event: InotifyEvent, in directory: WatchedDirectory) {
    if directory.sinks.isEmpty && directory.files.isEmpty { return }
    let name = FileName(Array(event.name))
    let file = directory.files[name]
    if directory.sinks.isEmpty && file == nil { return }
    if let file, !event.mask.contains(.closeWrite) {
      // Whatever stands there now: a later event about it finds it armed, an earlier look finds what it holds.
      arm(file)
    }
    if event.mask.contains(.create), isEmptyFile(directory.path.appending(name)) {
      filling.append((directory.path, name))
      return
    }
    tell(name, in: directory)
  }

  /// Notes that those who listen to a file, by name or among all, are to be told.
  mutating func tell(_ name: FileName, in directory: WatchedDirectory) {
    for sink in directory.sinks { calls.append(Call(sink: sink, name: name)) }
    if let file = directory.files[name] { tell(file) }
  }

  /// Notes that those who listen to a file that came empty are to be told now.
  mutating func tellFilled(_ name: FileName, in path: Path) {
    if let directory = directories[path] { tell(name, in: directory) }
  }

  /// Whether a file has nothing in it, as one that a copying program has just made.
  private func isEmptyFile(_ path: Path) -> Bool {
    guard let status = try? FileSystem.status(of: path) else { return false }
    return status.kind == .regular && status.size == 0
  }
}
