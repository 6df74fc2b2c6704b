import Synchronization

/// The mailboxes of one directory, each an archive file: the default way of messages.
///
/// Assumptions: one machine, a local file system, all users of the directory trust each other (whoever may read an
/// archive may also hold a lock on it), and no process forks without exec while a wormhole is open.
package final class Archives: Sendable {
  /// The directory of the archives.
  package let directory: Path
  /// The folder in it for all that is no archive and no queue: temporaries, locks, presence.
  package let hidden: Path
  /// How the wormhole was opened.
  package let options: WormholeOptions
  /// How many bytes of recent messages are kept, within what an archive can hold.
  let retention: Int
  /// The largest message in bytes, within what an archive can hold.
  let limit: Int
  /// How long a writer waits for the lock, in nanoseconds.
  let patience: UInt64

  /// Whether a killed program has left a file in transit half done, as it was found on opening.
  let hasInterruptedFiles = Atomic(false)
  /// Whether there were queues of requests or replies then.
  let hasRequests = Atomic(false)

  /// The path that was asked for last: most often the next is the same.
  private let lastPath = Lock<(key: IdentifierKey, path: Path)?>(nil)

  /// What checkAccess takes for reading and searching together.
  private static let readSearch: Int32 = 0o5

  /// Makes the directory if it is missing, checks that it can be read, and removes what killed programs have left.
  ///
  /// Whether it can also be written shows with each send: who may only read can still read and listen.
  ///
  /// - Throws: `.cannotCreate`, `.notPermitted` or another code that says what stands in the way.
  package init(directory: String, options: WormholeOptions, patience: UInt64 = 5_000_000_000) throws(WormholeError) {
    guard !directory.isEmpty, !directory.utf8.contains(0) else {
      throw WormholeError(
        .cannotCreate, path: directory, reason: "the directory's name is empty or holds a NUL byte; give another one")
    }
    // From the root, so that it stays the same when the program changes its working directory.
    self.directory = FileSystem.absolute(Path(directory))
    self.hidden = self.directory.appending(".wormhole")
    self.options = options
    self.patience = patience
    retention = min(max(0, options.retention), ArchiveLayout.largestCapacity / 4)
    limit = min(max(0, options.messageSizeLimit), ArchiveLayout.largestCapacity / 4)
    try makeDirectory(self.directory)
    do throws(WormholeError) { try makeDirectory(hidden) } catch {
      guard error.code == .notPermitted || error.code == .noSpace else { throw error }
    }
    try checkReading()
    let left = Temporary.sweep(hidden)
    hasInterruptedFiles.store(left.interruptedFiles, ordering: .relaxed)
    hasRequests.store(left.requests, ordering: .relaxed)
  }

  /// The mailboxes of a directory as it is: nothing is made, checked or removed.
  package init(inspecting directory: Path, options: WormholeOptions = WormholeOptions()) {
    self.directory = FileSystem.absolute(directory)
    hidden = self.directory.appending(".wormhole")
    self.options = options
    patience = 0
    retention = 0
    limit = min(max(0, options.messageSizeLimit), ArchiveLayout.largestCapacity / 4)
  }

  /// Whether the directory is there; throws when it is and cannot be read, or when something else stands there.
  func isThere() throws(WormholeError) -> Bool {
    do throws(Errno) {
      guard try FileSystem.statusFollowingLinks(of: directory).kind == .directory else { throw Errno.notDirectory }
    } catch {
      if error == .noEntry { return false }
      throw WormholeError(error, "use the directory", directory)
    }
    try checkReading()
    return true
  }

  private func checkReading() throws(WormholeError) {
    try attempt("use the directory", directory) { () throws(Errno) in
      try FileSystem.checkAccess(directory, Self.readSearch)
    }
  }

  /// The path of an identifier's archive.
  package func path(of identifier: String) throws(WormholeError) -> Path {
    let key = IdentifierKey(identifier)
    if let path = lastPath.withLock({ last in last.flatMap { $0.key == key ? $0.path : nil } }) { return path }
    let path = try ArchiveName.path(in: directory, for: identifier)
    lastPath.withLock { $0 = (key, path) }
    return path
  }

  /// The mailboxes there are, in no order; complexity: linear in the number of names in the directory.
  package func identifiers() throws(WormholeError) -> [String] {
    var identifiers: [String] = []
    do throws(Errno) {
      try FileSystem.forEachName(in: directory) { name in
        if let identifier = ArchiveName.identifier(of: name) { identifiers.append(identifier) }
      }
    } catch {
      if error == .noEntry { return [] }
      throw WormholeError(error, "read the directory", directory)
    }
    return identifiers
  }

  /// Makes the directory and the hidden folder if they are missing.
  func makeDirectories() throws(WormholeError) {
    try makeDirectory(directory)
    try makeDirectory(hidden)
  }

  /// The mode of the directories that are made: with the group, files in them inherit it.
  private var directoryMode: UInt32 { options.permissions == .group ? 0o2770 : 0o700 }

  private func makeDirectory(_ path: Path) throws(WormholeError) {
    do throws(Errno) {
      // Most often it is there; mkdir would ask for rights above it that nobody needs then.
      if try FileSystem.statusFollowingLinks(of: path).kind == .directory { return }
      throw Errno.notDirectory
    } catch {
      guard error == .noEntry else { throw WormholeError(error, "use the directory", path) }
    }
    if let parent = path.parent { try makeDirectory(parent) }
    do throws(Errno) {
      guard try FileSystem.makeDirectory(path, mode: directoryMode & 0o777) else {
        // Another program was faster, or a link that leads nowhere stands there.
        _ = try FileSystem.statusFollowingLinks(of: path)
        return
      }
      if options.permissions == .group { try FileSystem.setMode(of: path, directoryMode) }
      // Once, so that a durable send needs to look no further than its own directory.
      try FileSystem.synchronizeDirectory(path.parent ?? Path("."))
    } catch {
      throw cannotMake(path, error)
    }
  }

  /// The error of a directory that cannot be made.
  private func cannotMake(_ path: Path, _ error: Errno) -> WormholeError {
    let known = WormholeError(error, "make the directory", path)
    guard known.code == .inputOutput, error != .inputOutput else { return known }
    // The directory above it is there, so one that is missing says something else here than elsewhere.
    let isLink = (try? FileSystem.status(of: path)) != nil
    let remedy =
      isLink
      ? "a link that leads nowhere stands there; remove it, or make what it leads to"
      : "the file system there takes no new directories; open the wormhole in another place"
    return WormholeError(
      .cannotCreate, path: path.description, errno: error.rawValue, reason: "make the directory: \(error); \(remedy)")
  }
}

/// Runs calls of the system layer and says in words what they were for when one fails.
@inline(__always)
func attempt<R: ~Copyable>(
  _ action: String, _ path: Path, _ body: () throws(Errno) -> R
) throws(WormholeError) -> R {
  do throws(Errno) {
    return try body()
  } catch {
    throw WormholeError(error, action, path)
  }
}
