/// A file that is being made: locked, under a name of its own in the hidden folder, removed unless it was renamed.
///
/// The lock is byte 0, the same that writers of an archive take: so a file that is renamed to an archive's name is
/// locked there until its maker lets go. A sweeper removes the temporaries whose lock is free. It may come between the
/// making and the locking of one: the maker sees by the link count that the name is gone, and makes another.
struct Temporary: ~Copyable {
  /// The open file.
  let file: FileDescriptor
  /// Where it is.
  let path: Path
  private var isRenamed = false

  /// How many are made before something else must be wrong than a sweeper that came first.
  private static let mostTries = 100

  private init(_ file: consuming FileDescriptor, _ path: Path) {
    self.file = file
    self.path = path
  }

  deinit { if !isRenamed { try? FileSystem.remove(path) } }

  /// Makes one with the permission bits `mode`, first removing those that others have left unless `sweeps` is false.
  static func make(in hidden: Path, mode: UInt32, sweeps: Bool = true) throws(Errno) -> Temporary {
    if sweeps { sweep(hidden) }
    for _ in 0..<mostTries {
      let path = newName(in: hidden)
      let file: FileDescriptor
      do throws(Errno) {
        file = try FileDescriptor.open(path, OpenFlags.createNew, mode: 0o600)
      } catch {
        if error == .exists { continue }
        throw error
      }
      let temporary = Temporary(file, path)
      if mode != 0o600 { try temporary.file.setMode(mode) }
      guard try temporary.file.tryLock(.exclusive, at: 0), try temporary.file.status().linkCount > 0 else { continue }
      return temporary
    }
    throw .exists
  }

  /// Gives a file that the caller has locked a temporary name beside those that it has.
  static func another(
    nameFor file: consuming FileDescriptor, at path: Path, in hidden: Path
  ) throws(Errno) -> Temporary {
    for _ in 0..<mostTries {
      let name = newName(in: hidden)
      do throws(Errno) { try FileSystem.link(path, to: name) } catch {
        if error == .exists { continue }
        throw error
      }
      return Temporary(file, name)
    }
    throw .exists
  }

  private static func newName(in hidden: Path) -> Path {
    hidden.appending(FileName(Array("t-\(String(randomNumber(), radix: 16))".utf8)))
  }

  /// Gives it a lasting name beside its own, by which a sweeper knows that its maker was not done; where the file system
  /// has no links, instead of its own.
  mutating func link(to target: Path) throws(Errno) {
    do throws(Errno) { try FileSystem.link(path, to: target) } catch {
      guard Self.linkRefusals.contains(error) else { throw error }
      try renameWithoutReplacing(to: target)
    }
  }

  /// What link(2) says where a file system, or a file, can have no further name.
  static let linkRefusals: [Errno] = [.notPermitted, .notSupported, .noSystemCall, .tooManyLinks, .crossDevice]

  /// Ends it here and not before: its name is removed unless it was given a lasting one.
  consuming func end() {}

  /// Gives it the name of an archive, whatever stands there.
  mutating func rename(to target: Path) throws(Errno) {
    try FileSystem.rename(path, to: target)
    isRenamed = true
  }

  /// Gives it the name of an archive, or fails with `exists` when something stands there.
  mutating func renameWithoutReplacing(to target: Path) throws(Errno) {
    try FileSystem.renameWithoutReplacing(path, to: target)
    isRenamed = true
  }

  /// Removes the temporaries that killed programs have left; whatever stands in the way of that can wait for the next.
  ///
  /// A file in transit that its sender or receiver had in hand has a second name. It stays, and the result says so, until
  /// `TransferStore.sweepFiles()` has looked whether that second name is needed; with `isFinal` it goes. Where there are
  /// queues of requests or replies, the result says that too, so that nobody need list the folder again to know.
  @discardableResult
  static func sweep(_ hidden: Path, isFinal: Bool = false) -> (interruptedFiles: Bool, requests: Bool) {
    var left = (interruptedFiles: false, requests: false)
    var found: [FileName] = []
    try? FileSystem.forEachName(in: hidden) { name in
      if name.bytes.starts(with: "t-".utf8) { found.append(name) }
      if ArchiveName.isOfRequests(name) { left.requests = true }
    }
    for name in found {
      let path = hidden.appending(name)
      guard let file = try? FileDescriptor.open(path, OpenFlags.readWrite), let status = try? file.status(),
        status.kind == .regular, (try? file.tryLock(.exclusive, at: 0)) == true
      else { continue }
      if status.linkCount > 1, !isFinal { left.interruptedFiles = true } else { try? FileSystem.remove(path) }
    }
    return left
  }
}
