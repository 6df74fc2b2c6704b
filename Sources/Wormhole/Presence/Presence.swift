/// What somebody is there for.
enum PresenceKind: UInt64, Sendable {
  /// Receives transfers.
  case transfers = 1
  /// Answers requests.
  case requests = 2
  /// Waits for replies.
  case replies = 3
}

/// Who of this machine is there in one directory: shared locks on bytes of one file, which fall with their process.
///
/// Whoever takes a lock or gives it back opens and closes the file for writing, the doorbell; a process that dies rings
/// by dying. The event may come before the lock is gone, so those who watch look again in growing pauses.
final class Presence: Sendable {
  private final class OpenFile: Sendable {
    let descriptor: FileDescriptor
    private let opened: FileStatus

    init(_ descriptor: consuming FileDescriptor) throws(Errno) {
      opened = try descriptor.status()
      self.descriptor = descriptor
    }

    /// Whether a path leads to it: the directory may have been removed, or moved away.
    func stands(at path: Path) throws(Errno) -> Bool {
      do throws(Errno) { return try FileSystem.status(of: path).isSameFile(as: opened) } catch {
        if error == .noEntry { return false }
        throw error
      }
    }
  }

  private struct State {
    var held: [UInt64: Int] = [:]
    /// The file that the locks are on.
    var file: OpenFile?
    /// The file to look at others' locks with.
    var probe: OpenFile?
    var isWatching = false
  }

  /// The hidden folder that holds the file.
  let hidden: Path
  private let mode: UInt32
  private let state = Lock(State())
  private static let all = Lock<[Path: Presence]>([:])
  /// The pauses between the looks that follow an event, in nanoseconds.
  ///
  /// A process that dies closes its files one after the other, each raising its event before its locks fall. Most often
  /// that takes microseconds; with more to do than there are processors, it was seen to take a tenth of a second.
  static let pauses: [UInt64] = [1, 2, 7, 20, 70, 200, 700, 2000].map { $0 * 1_000_000 }
  /// The name of the file.
  static let name = FileName(Array("presence".utf8))

  /// What no identifier is: who is there under this name is there for all of them.
  static let everyName = ""

  private init(hidden: Path, mode: UInt32) {
    self.hidden = hidden
    self.mode = mode
  }

  /// The presence of this process in a directory.
  static func shared(hidden: Path, mode: UInt32) -> Presence {
    all.withLock { all in
      if let presence = all[hidden] { return presence }
      let presence = Presence(hidden: hidden, mode: mode)
      all[hidden] = presence
      return presence
    }
  }

  private var path: Path { hidden.appending(Self.name) }

  /// The byte that stands for a kind and a name: 62 bits, which no two are expected to share.
  static func byte(_ kind: PresenceKind, _ name: String) -> UInt64 {
    Array(name.utf8).withRawBytes { Checksum.of($0, seed: kind.rawValue) } >> 2
  }

  /// Is there from now on, until as many calls of `leave`.
  func enter(_ kind: PresenceKind, _ name: String) throws(WormholeError) {
    let byte = Self.byte(kind, name)
    try state.withLock { state throws(WormholeError) in
      if !state.isWatching {
        try Watcher.shared.watch(hidden, .only([Self.name]), self)
        state.isWatching = true
      }
      // On a file that is gone nobody would see it: its event may not have been told yet.
      _ = takeAgain(&state)
      if state.held[byte] == nil { try take(byte, &state) }
      state.held[byte, default: 0] += 1
    }
    ring()
  }

  /// Is no longer there.
  func leave(_ kind: PresenceKind, _ name: String) {
    let byte = Self.byte(kind, name)
    state.withLock { state in
      guard let count = state.held[byte] else { return }
      state.held[byte] = count == 1 ? nil : count - 1
      if count == 1 { try? state.file?.descriptor.unlock(at: Int(byte)) }
    }
    ring()
  }

  /// Whether somebody is there, in whatever process, for this name or for all.
  func isThere(_ kind: PresenceKind, _ name: String) throws(WormholeError) -> Bool {
    let bytes = [Self.byte(kind, name), Self.byte(kind, Self.everyName)]
    return try state.withLock { state throws(WormholeError) in
      do throws(Errno) {
        if let probe = state.probe, try !probe.stands(at: path) { state.probe = nil }
        if state.probe == nil { state.probe = try OpenFile(.open(path, OpenFlags.readOnly)) }
        for byte in bytes {
          if try state.probe?.descriptor.isLockedByAnother(against: .exclusive, at: Int(byte)) == true { return true }
        }
        return false
      } catch {
        if error == .noEntry { return false }
        throw WormholeError(error, "cannot look who is there", path)
      }
    }
  }

  private func take(_ byte: UInt64, _ state: inout State) throws(WormholeError) {
    do throws(Errno) {
      if state.file == nil { state.file = try OpenFile(.open(path, OpenFlags.createOrOpen, mode: mode)) }
      _ = try state.file?.descriptor.tryLock(.shared, at: Int(byte))
    } catch { throw WormholeError(error, "cannot say that it is there", path) }
  }

  /// Lets all who watch look again.
  func ring() {
    if let bell = try? FileDescriptor.open(path, OpenFlags.readWrite) { try? bell.close() }
  }
}

extension Presence: WatchSink {
  /// How long a file that was removed is not made again, in nanoseconds: its directory may just be being removed.
  private static let respite: UInt64 = 100_000_000

  /// Takes the locks again where the directory was removed, or moved away, and made again.
  func changed(_ name: FileName?) {
    // Most often somebody has only rung.
    guard state.withLock({ hasLost($0) }) else { return }
    if name == nil { takeAgain() } else { Watcher.shared.after(nanoseconds: Self.respite) { self.takeAgain() } }
  }

  private func takeAgain() { if state.withLock({ takeAgain(&$0) }) { ring() } }

  /// Whether the locks are on a file that is gone.
  private func hasLost(_ state: State) -> Bool { (try? state.file?.stands(at: path)) == false }

  /// Takes the locks on the file that has the name now, if theirs is gone; true when there is one.
  private func takeAgain(_ state: inout State) -> Bool {
    guard hasLost(state) else { return false }
    let lost = state.file
    state.file = nil
    for byte in state.held.keys { try? take(byte, &state) }
    if state.file != nil { return true }
    // There is none: what was there is kept, to be known as gone the next time.
    if !state.held.isEmpty { state.file = lost }
    return false
  }
}
