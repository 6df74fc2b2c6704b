/// Tells of changes to files: one inotify instance and one thread for the whole process, whoever listens to whatever.
///
/// Files that are listened to by name are watched by their own inodes, and the directory only for names that come and
/// go: a write wakes those alone who listen to its file. Where the kernel has no watches left, or cannot see what other
/// machines do, directories are looked at every so often instead.
package final class Watcher: Sendable {
  /// The watcher of this process.
  package static let shared = Watcher()

  /// How often a directory is looked at whose events cannot be had, unless somebody wants it oftener, in nanoseconds.
  package static let pollingInterval: UInt64 = 500_000_000
  /// The shortest pause between two tries of something that the kernel was short of, in nanoseconds.
  package static let retryPause: UInt64 = 250_000_000

  /// All that the thread and its callers share.
  struct State {
    var table = WatchTable()
    var agenda = Agenda()
    /// The watch whose removal wakes the thread out of read(2); nil while the thread is being woken.
    var wakeWatch: WatchDescriptor?
    /// Until when the thread waits at most, in nanoseconds; nil when it waits for events alone.
    ///
    /// It stays when the work that it was for is taken back: so timers that are set and taken back again and again, as
    /// by requests, wake the thread for the first alone.
    var waitsUntil: UInt64?
    /// When directories are looked at next, in nanoseconds; nil when none is polled.
    var nextPoll: UInt64?
    /// Whether the thread has been woken since it last looked what there is to do.
    var isWoken = false
    var hasThread = false
    /// The thread, once it runs.
    var thread: ThreadID?
    var isEnded = false
  }

  let state = Lock(State())

  /// A watcher without a thread, which it gets at the first use.
  package init() {}

  /// Tells `sink` of changes to these files of a directory from now on; nothing that happens after it returned is missed.
  ///
  /// The directory need not be there yet, or may go and come again. Where its events cannot be had, it is looked at every
  /// `interval` nanoseconds. Complexity: one or two system calls a file.
  ///
  /// - Throws: an error when the directory may not be read, its name is too long, or no thread can be had.
  package func watch(
    _ directory: Path, _ names: WatchedNames, _ sink: any WatchSink, interval: UInt64 = pollingInterval
  ) throws(WormholeError) {
    do throws(Errno) {
      try state.withLock { state throws(Errno) in
        try startIfNeeded(&state)
        try state.table.watch(directory, names, sink, interval: interval)
        hasChanged(&state)
      }
    } catch { throw WormholeError(error, "cannot be listened to", directory) }
  }

  /// Ends what `watch` began, for these files, or for all that the sink listened to in the directory.
  package func unwatch(_ directory: Path, _ names: WatchedNames, _ sink: any WatchSink) {
    let identity = sink.identity
    state.withLock { state in
      state.table.unwatch(directory, names, identity)
      hasChanged(&state)
    }
  }

  /// Starts the thread, so that `run` and `after` have one.
  ///
  /// - Throws: an error when no thread can be had.
  package func start() throws(WormholeError) {
    do throws(Errno) {
      try state.withLock { state throws(Errno) in try startIfNeeded(&state) }
    } catch {
      throw WormholeError(
        .limitReached, errno: error.rawValue,
        reason: "cannot start a thread to listen: \(error); raise the limit of threads with ulimit -u")
    }
  }

  /// Does `work` on the thread, soon, after what is there already; at once on the caller's when no thread can be had.
  package func run(_ work: @escaping @Sendable () -> Void) {
    let isTaken = state.withLock { state in
      guard (try? startIfNeeded(&state)) != nil else { return false }
      state.agenda.add(work)
      wake(&state)
      return true
    }
    if !isTaken { work() }
  }

  /// Does `work` on the thread after some nanoseconds; gives a number to take it back by, nil when no thread can be had.
  @discardableResult
  package func after(nanoseconds: UInt64, _ work: @escaping @Sendable () -> Void) -> UInt64? {
    let time = Clock.monotonic + nanoseconds
    return state.withLock { state in
      guard (try? startIfNeeded(&state)) != nil else { return nil }
      let number = state.agenda.add(at: time, work)
      if time < state.waitsUntil ?? .max { wake(&state) }
      return number
    }
  }

  /// Takes back work that waits for its moment; it may be running already.
  package func takeBack(_ number: UInt64) { _ = state.withLock { $0.agenda.remove(number) } }

  /// Whether the caller runs on the watcher's thread.
  package var isOnThread: Bool {
    let current = ThreadID.current
    return state.withLock { $0.thread == current }
  }

  /// How many watches the kernel holds for this watcher.
  package var watchCount: Int { state.withLock { $0.table.kernel?.count ?? 0 } }

  /// Ends the thread; for watchers beside the shared one.
  package func end() {
    state.withLock { state in
      state.isEnded = true
      wake(&state)
    }
  }

  /// Makes the inotify instance and the thread.
  private func startIfNeeded(_ state: inout State) throws(Errno) {
    if state.hasThread { return }
    if let instance = try? KernelWatches.Instance() { state.table.kernel = KernelWatches(instance) }
    try Thread.start(name: "wormhole") { self.loop() }
    state.hasThread = true
  }

  /// Lets the thread do what a call of another thread has left to tell, or begin to poll.
  private func hasChanged(_ state: inout State) {
    if !state.table.calls.isEmpty || (state.table.isPolling && state.table.hasUnplannedPoll) { wake(&state) }
  }
}
