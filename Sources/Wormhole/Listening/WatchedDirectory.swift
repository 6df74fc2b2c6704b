/// A directory that somebody listens in: who is to be told of what, and which kernel watches see to it.
final class WatchedDirectory {
  /// Why a directory is looked at every so often.
  enum Polling {
    /// Its events suffice.
    case no
    /// The kernel has no more watches; they are tried for again at each look.
    case noWatch
    /// It may not be read any more; its watch is tried for again at each look.
    case notPermitted
    /// The kernel has no more instances; one is tried for again at each look.
    case noInstance
    /// Its file system does not tell of what others do.
    case othersUnseen
    /// Its file system is not known, and a live test heard nothing.
    case unheard
  }

  /// The directory and those above it: itself first, the root last.
  let chain: [Path]
  /// The watch of the directory itself.
  private(set) lazy var own = WatchSpot(.directory, self)
  /// The watches of the directories above it, `above[0]` for its parent.
  private(set) lazy var above = (1..<max(1, chain.count)).map { WatchSpot(.above($0), self) }
  /// The files listened to by name.
  var files: [FileName: WatchSpot] = [:]
  /// Who listens to all files.
  var sinks: [any WatchSink] = []
  /// Whether the directory is there and watched.
  var isArmed = false
  /// Whether the kernel had no watch for a file, or none for this program, so that the directory's own tells of all files.
  var lacksFileWatches = false
  /// Whether the directory's own watch tells of writes, and files need none.
  var isTellingWrites = false
  /// Why it is polled.
  var polling = Polling.no
  /// The reason that its listeners have been told of.
  var toldPolling = Polling.no
  /// How often it is looked at when it is polled, in nanoseconds.
  var pollingInterval = UInt64.max
  /// When it is looked at next, in nanoseconds of the monotonic clock; nil until that is planned.
  var nextPoll: UInt64?
  /// What it lies on, as of the last time that it was armed.
  var kind: FileSystemKind?
  /// What a live test of its file system's events has found, with the file system it was made on.
  var liveTest: (kind: FileSystemKind, isHeard: Bool)?

  /// A directory that nobody listens in yet.
  init(_ path: Path) {
    var chain = [path]
    while let parent = chain[chain.count - 1].parent { chain.append(parent) }
    self.chain = chain
  }

  /// Where it is.
  var path: Path { chain[0] }

  /// Whether nobody listens in it.
  var isUnused: Bool { sinks.isEmpty && files.isEmpty }

  /// Whether its own watch must tell of writes.
  var mustTellWrites: Bool { !sinks.isEmpty || lacksFileWatches }

  /// The kernel's mask for the directory itself.
  var mask: WatchMask {
    let always: WatchMask = [.create, .movedTo, .movedFrom, .delete, .deleteSelf, .moveSelf]
    return isTellingWrites ? always.union(.closeWrite) : always
  }

  /// Whether `name`, in the directory so many levels above, is the next step on the way here.
  func isOnTheWay(_ name: UnsafeRawBufferPointer, below level: Int) -> Bool {
    let slash = CChar(bitPattern: UInt8(ascii: "/"))
    var bytes = chain[level - 1].bytes.dropLast()
    while bytes.last == slash { bytes.removeLast() }
    let component = bytes.lastIndex(of: slash).map { bytes[($0 + 1)...] } ?? bytes
    return component.elementsEqual(name.lazy.map { CChar(bitPattern: $0) })
  }
}

/// A place where a kernel watch is wanted: a listened file, a directory, or one above it.
final class WatchSpot {
  /// What the place is to its directory.
  enum Role {
    /// The directory itself.
    case directory
    /// The file of this name in it.
    case file(FileName)
    /// The directory so many levels above it.
    case above(Int)
  }

  /// What it is.
  let role: Role
  /// The directory it serves; the table of watches lets go of the place before the directory goes.
  unowned let directory: WatchedDirectory
  /// The kernel watch it has, which it may share with other places of the same inode.
  var watch: WatchDescriptor?
  /// What it wants to hear.
  var mask: WatchMask = []
  /// For a file: who listens to it by name.
  var sinks: [any WatchSink] = []

  /// A place without a watch.
  init(_ role: Role, _ directory: WatchedDirectory) {
    self.role = role
    self.directory = directory
  }

  /// How its path is to be followed: a file is watched itself and not what a link leads to, a directory must be one.
  var pathFlags: WatchMask { if case .file = role { .dontFollow } else { .onlyDirectory } }

  /// Where it is.
  var path: Path {
    switch role {
    case .directory: directory.path
    case .file(let name): directory.path.appending(name)
    case .above(let level): directory.chain[level]
    }
  }
}

extension [any WatchSink] {
  /// Adds a sink unless one of its identity is there.
  mutating func insert(_ sink: any WatchSink) {
    if !contains(where: { $0.identity == sink.identity }) { append(sink) }
  }

  /// Removes the sink of this identity.
  mutating func remove(_ identity: ObjectIdentifier) { removeAll { $0.identity == identity } }
}
