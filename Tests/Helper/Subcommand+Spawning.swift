import CSystem
import Glibc
import Wormhole

extension Subcommand {
  /// `send-while-spawning DIRECTORY mailbox|new|queue FIFO`: sends `sent` to `n`; in the middle of it another thread starts a
  /// program whose making stops between fork and exec, at the opening of FIFO, and stays there. Says `sent`, and ends with
  /// its standard input.
  static let sendWhileSpawning = Subcommand(name: "send-while-spawning") { arguments in
    guard arguments.count == 3 else { throw SubcommandError("three arguments") }
    let wormhole = try Wormhole(directory: arguments[0])
    let fifo = arguments[2]
    guard mkfifo(fifo, 0o600) == 0 else { throw SubcommandError("mkfifo: \(errno)") }
    // In place, as all sends but the first are; that one goes into a file that nobody else knows yet.
    if arguments[1] == "queue" { try wormhole.transfer("first", identifier: "n") }
    if arguments[1] == "mailbox" { try wormhole.passMessage("first", identifier: "n") }
    let hasSpawned = Lock(false)
    try Interception.with({ call in
      // The record is about to be written: the lock is held.
      let isFirst =
        [.pwrite, .pwritev].contains(call)
        && hasSpawned.withLock { state in
          defer { state = true }
          return !state
        }
      if isFirst { spawnStuckChild(fifo) }
      return nil
    }) {
      if arguments[1] == "queue" {
        try wormhole.transfer("sent", identifier: "n")
      } else {
        try wormhole.passMessage("sent", identifier: "n")
      }
    }
    say("sent")
    while readLine() != nil {}
    // Whoever opens the other end lets the child go on.
    _ = open(fifo, O_RDWR | O_NONBLOCK)
  }

  /// Begins to start a program on a thread of its own, and returns when the child is there.
  private static func spawnStuckChild(_ fifo: String) {
    let path = strdup(fifo)
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { path in
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        if let path {
          posix_spawn_file_actions_addopen(&actions, 0, path.assumingMemoryBound(to: CChar.self), O_RDONLY, 0)
        }
        var process = pid_t()
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        posix_spawn(&process, "/bin/true", &actions, nil, &arguments, nil)
        return nil
      }, path)
    // Nothing tells of a child before its exec, so it is looked for; the test that has started this bounds the wait.
    while !hasChild() { usleep(1000) }
  }

  /// Whether a process whose parent is this one is there.
  private static func hasChild() -> Bool {
    var isFound = false
    try? FileSystem.forEachName(in: Path("/proc")) { name in
      guard name.bytes.allSatisfy({ (0x30...0x39).contains($0) }),
        let text = try? FileSystem.text(of: Path("/proc/\(name)/stat")),
        let fields = text.split(separator: ")").last?.split(separator: " "), fields.count > 1
      else { return }
      if fields[1] == "\(getpid())" { isFound = true }
    }
    return isFound
  }
}
