/// Who listens where, and what the kernel must tell for it: the state behind the lock of a `Watcher`.
///
/// It calls nobody. What is to be told is left in `calls`, for the thread to do without the lock.
struct WatchTable {
  /// A sink that is to be told, and of what.
  struct Call {
    let sink: any WatchSink
    let name: FileName?
    /// Why its directory is looked at every so often from now on, when that is what it is told.
    var notice: WormholeError?
  }

  /// How long an empty file that has just come is given to be filled, in nanoseconds.
  static let fillingTime: UInt64 = 100_000_000

  /// The kernel's watches; nil while the user has too many inotify instances, and all is polled.
  var kernel: KernelWatches?
  /// The directories listened in.
  private(set) var directories: [Path: WatchedDirectory] = [:]
  /// Who is to be told.
  var calls: [Call] = []
  /// Files that came empty, to be told of after the filling time.
  var filling: [(directory: Path, name: FileName)] = []

  /// How many directories must be looked at every so often.
  private var polledCount = 0
  /// Whether it is still to be planned when a directory is looked at next.
  var hasUnplannedPoll = false

  /// Whether directories must be looked at every so often.
  var isPolling: Bool { polledCount > 0 }

  /// Adds a listener; all is armed when it returns.
  ///
  /// Where events cannot be had, the directory is looked at every `interval` nanoseconds, or as often as another
  /// listener there wants it.
  mutating func watch(
    _ path: Path, _ names: WatchedNames, _ sink: any WatchSink, interval: UInt64
  ) throws(Errno) {
    let directory = directories[path] ?? WatchedDirectory(path)
    let isNew = directories.updateValue(directory, forKey: path) == nil
    var added: [WatchSpot] = []
    switch names {
    case .all: directory.sinks.insert(sink)
    case .only(let names):
      for name in names {
        let file = directory.files[name] ?? WatchSpot(.file(name), directory)
        if directory.files.updateValue(file, forKey: name) == nil { added.append(file) }
        file.sinks.insert(sink)
      }
    }
    defer { settle() }
    if interval < directory.pollingInterval {
      directory.pollingInterval = interval
      directory.nextPoll = nil
      hasUnplannedPoll = directory.polling != .no
    }
    if directory.polling != .no, directory.polling == directory.toldPolling {
      // The others have been told already.
      calls.append(Call(sink: sink, name: nil, notice: directory.pollingNotice))
    }
    if isNew {
      do throws(Errno) { try arm(directory) } catch {
        remove(directory)
        throw error
      }
    } else if directory.mustTellWrites != directory.isTellingWrites {
      rearm(directory)
    } else if directory.isArmed {
      for file in added { arm(file) }
    }
  }

  /// Removes a listener from some files, or from all that it listened to here.
  mutating func unwatch(_ path: Path, _ names: WatchedNames, _ sink: ObjectIdentifier) {
    guard let directory = directories[path] else { return }
    switch names {
    case .all:
      directory.sinks.remove(sink)
      for name in Array(directory.files.keys) { remove(sink, from: name, in: directory) }
    case .only(let names):
      for name in names { remove(sink, from: name, in: directory) }
    }
    if directory.isUnused {
      remove(directory)
    } else if directory.mustTellWrites != directory.isTellingWrites {
      rearm(directory)
    }
    settle()
  }

  /// Takes a sink off a file, and the watch off the file that nobody listens to any more.
  private mutating func remove(_ sink: ObjectIdentifier, from name: FileName, in directory: WatchedDirectory) {
    guard let file = directory.files[name] else { return }
    file.sinks.remove(sink)
    if file.sinks.isEmpty {
      kernel?.detach(file)
      directory.files[name] = nil
    }
  }

  /// Lets go of a directory.
  private mutating func remove(_ directory: WatchedDirectory) {
    for spot in Array(directory.files.values) + directory.above + [directory.own] { kernel?.detach(spot) }
    poll(directory, .no)
    directories[directory.path] = nil
  }

  /// Notes why a directory is polled, or that it no longer is.
  mutating func poll(_ directory: WatchedDirectory, _ polling: WatchedDirectory.Polling) {
    polledCount += (polling == .no ? 0 : 1) - (directory.polling == .no ? 0 : 1)
    directory.polling = polling
    if polling == .no { return }
    if directory.nextPoll == nil { hasUnplannedPoll = true }
  }

  /// Ends the kernel's watches that nobody needs, and notes who is to be told that its directory is polled.
  mutating func settle() {
    for spot in kernel?.settle() ?? [] { tellAll(in: spot.directory) }
    guard isPolling else { return }
    for directory in directories.values where directory.polling != .no && directory.polling != directory.toldPolling {
      directory.toldPolling = directory.polling
      var told: Set<ObjectIdentifier> = []
      for sink in directory.sinks + directory.files.values.flatMap(\.sinks) where told.insert(sink.identity).inserted {
        calls.append(Call(sink: sink, name: nil, notice: directory.pollingNotice))
      }
    }
  }

  /// Notes that everybody who listens in the directory is to be told.
  mutating func tellAll(in directory: WatchedDirectory) {
    for sink in directory.sinks { calls.append(Call(sink: sink, name: nil)) }
    for file in directory.files.values { tell(file) }
  }

  /// Notes that those who listen to the file by name are to be told.
  mutating func tell(_ file: WatchSpot) {
    guard case .file(let name) = file.role else { return }
    for sink in file.sinks { calls.append(Call(sink: sink, name: name)) }
  }
}
