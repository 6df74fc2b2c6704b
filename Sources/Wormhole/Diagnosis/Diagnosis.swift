/// What could keep messages of a wormhole from arriving, looked for without changing anything there.
package struct Diagnosis: Sendable {
  /// How a thing is.
  package enum State: String, Sendable {
    /// As it should be.
    case ok
    /// Worth knowing; messages arrive.
    case note
    /// Something does not work.
    case problem
  }

  /// One thing that was looked at.
  package struct Finding: Sendable {
    /// What was looked at, such as `mode`.
    package let check: String
    /// How it is.
    package let state: State
    /// What was found.
    package let text: String
    /// What to do about it, nil when nothing needs to be done.
    package let remedy: String?
    /// The kind of failure that a problem leads to; nil when there is nothing there to diagnose.
    package let code: WormholeError.Code?
  }

  /// The directory.
  let directory: Path
  /// The folder in it for all that is no archive and no queue.
  let hidden: Path
  /// How the mailboxes are read.
  let options: WormholeOptions
  /// What was found, in the order of looking.
  package private(set) var findings: [Finding] = []

  /// Looks at everything; takes a second longer when a file is locked, to see whether it stays so.
  ///
  /// Complexity: linear in what the directory holds and in the open files of all processes.
  ///
  /// - Parameters:
  ///   - directory: The path of the wormhole's directory.
  ///   - options: How the wormhole is opened.
  package init(directory: String, options: WormholeOptions = WormholeOptions()) {
    self.directory = Path(directory)
    hidden = self.directory.appending(".wormhole")
    self.options = options
    guard let status = checkPlace() else { return }
    let files = FilesInUse(directory: self.directory, status)
    checkEvents(files)
    checkFiles(files)
    checkLeftovers()
  }

  /// The first problem, by which a tool ends.
  package var problem: Finding? { findings.first { $0.state == .problem } }

  /// A number of things in words.
  static func count(_ number: Int, _ one: String, _ many: String) -> String { "\(number) \(number == 1 ? one : many)" }

  /// Notes something that is as it should be.
  mutating func ok(_ check: String, _ text: String) {
    findings.append(Finding(check: check, state: .ok, text: text, remedy: nil, code: nil))
  }

  /// Notes something worth knowing.
  mutating func note(_ check: String, _ text: String, _ remedy: String) {
    findings.append(Finding(check: check, state: .note, text: text, remedy: remedy, code: nil))
  }

  /// Notes something that does not work.
  mutating func problem(_ check: String, _ text: String, _ remedy: String?, _ code: WormholeError.Code?) {
    findings.append(Finding(check: check, state: .problem, text: text, remedy: remedy, code: code))
  }

  /// Notes an error of the library, whose description says what to do.
  mutating func problem(_ check: String, _ error: WormholeError) {
    problem(check, error.description, nil, error.code)
  }
}

/// What processes have open that matters for a directory.
struct FilesInUse {
  /// How many inotify instances and watches this user has, as far as can be seen.
  private(set) var instances = 0
  private(set) var watches = 0
  /// The processes that watch the directory or a file in it.
  private(set) var listeners: [Int] = []
  /// The processes that hold a write lock on byte 0 of a file, by its path.
  private(set) var lockers: [String: [Int]] = [:]

  /// Looks at all processes.
  init(directory: Path, _ status: FileStatus) {
    let user = Program.user
    var (instances, watches) = (0, 0)
    var listeners: Set<Int> = []
    var lockers: [String: [Int]] = [:]
    // The kernel's names for open files have no links in them, so the directory's own must not have any either.
    let place = (try? FileSystem.resolved(directory)) ?? directory.description
    ProcessFile.forEach { file in
      if file.isInotify {
        let watched = file.watched
        if file.user == user {
          instances += 1
          watches += watched.count
        }
        if watched.contains(where: { $0.inode == status.inode && $0.device == status.kernelDevice }) {
          listeners.insert(file.process)
        }
      } else if file.target.hasPrefix(place + "/"), file.locksFirstByte {
        lockers[String(file.target.dropFirst(place.count + 1)), default: []].append(file.process)
      }
    }
    (self.instances, self.watches, self.listeners, self.lockers) = (instances, watches, listeners.sorted(), lockers)
  }
}
