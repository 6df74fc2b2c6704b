import Glibc
import Wormhole

/// What must be gone when the program is: the processes it started and the directories it made, however it ends.
enum Cleanup {
  private struct State {
    var processes: Set<pid_t> = []
    var directories: [String] = []
    var activity = "starting"
  }
  private static let state = Lock(State())

  /// The longest time that one block of a measurement may take before the run is given up, in seconds.
  private static let patience: UInt32 = 180

  /// Notes a process that runs.
  static func remember(process: pid_t) { state.withLock { _ = $0.processes.insert(process) } }

  /// Notes that a process is gone.
  static func forget(process: pid_t) { state.withLock { _ = $0.processes.remove(process) } }

  /// Notes a directory that is there for this run only.
  static func remember(directory: String) { state.withLock { $0.directories.append(directory) } }

  /// Says what is being done, and that it goes forward.
  static func note(activity: String) {
    state.withLock { $0.activity = activity }
    alarm(patience)
  }

  /// Ends all processes and removes all directories.
  static func run() {
    let (processes, directories) = state.withLock { state in
      defer { state = State() }
      return (state.processes, state.directories)
    }
    for process in processes { kill(process, SIGKILL) }
    for process in processes { waitpid(process, nil, 0) }
    for directory in directories { removeTree(Path(directory)) }
  }

  /// From now on cleans up when a signal ends the program, or when nothing has gone forward for too long.
  static func watchSignals() {
    var signals = endingSignals
    // Blocked here and so in every thread that comes later: only the one made here takes them.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let thread = UnsafeMutablePointer<pthread_t>.allocate(capacity: 1)
    defer { thread.deallocate() }
    pthread_create(thread, nil, { _ in Cleanup.endOnSignal() }, nil)
  }

  /// The signals that end the program, and the one of alarm(2).
  private static var endingSignals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGALRM] { sigaddset(&signals, signal) }
    return signals
  }

  /// Waits for such a signal, cleans up and ends the program.
  private static func endOnSignal() -> Never {
    var signals = endingSignals
    var received: Int32 = 0
    while sigwait(&signals, &received) != 0 {}
    if received == SIGALRM {
      Progress.report("nothing has gone forward for \(patience) seconds in: \(state.withLock { $0.activity })")
    }
    run()
    _exit(received == SIGALRM ? 75 : 128 + received)
  }

  /// Removes a directory and all in it; what cannot be removed stays.
  private static func removeTree(_ path: Path) {
    var names: [FileName] = []
    _ = try? FileSystem.forEachName(in: path) { names.append($0) }
    for name in names {
      let child = path.appending(name)
      guard let status = try? FileSystem.status(of: child) else { continue }
      if status.kind == .directory { removeTree(child) } else { _ = try? FileSystem.remove(child) }
    }
    _ = try? FileSystem.removeDirectory(path)
  }
}
