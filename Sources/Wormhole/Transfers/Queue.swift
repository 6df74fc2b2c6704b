/// The queue of one identifier as this process keeps it at hand: opened once, opened again when it was replaced.
final class Queue: Sendable {
  /// Where it stands.
  let path: Path
  /// The directory of temporaries.
  let hidden: Path
  /// The mode of the file.
  let mode: UInt32
  private let kept = Lock<QueueFile?>(nil)

  private static let keptQueues = Lock<[Path: Queue]>([:])
  /// How many queues a process keeps open for sending.
  private static let keptCount = 64

  /// A queue that opens its file when it is first needed.
  init(path: Path, hidden: Path, mode: UInt32) {
    self.path = path
    self.hidden = hidden
    self.mode = mode
  }

  /// Lets the files of shared queues be closed when no more can be opened; in use, they stay open until that is over.
  private static let isReleasable: Void = KeptFiles.register {
    let queues = keptQueues.withLockIfFree { Array($0.values) } ?? []
    for queue in queues { _ = queue.kept.withLockIfFree { $0 = nil } }
  }

  /// The queue that all senders of this process share.
  static func shared(path: Path, hidden: Path, mode: UInt32) -> Queue {
    isReleasable
    return keptQueues.withLock { queues in
      if let queue = queues[path] { return queue }
      if queues.count >= keptCount, let other = queues.keys.first { queues[other] = nil }
      let queue = Queue(path: path, hidden: hidden, mode: mode)
      queues[path] = queue
      return queue
    }
  }

  /// The open file, nil when there is none and none is to be made.
  func file(creating: Bool) throws(WormholeError) -> QueueFile? {
    try kept.withLock { kept throws(WormholeError) in
      if let file = kept { return file }
      kept = try QueueFile.open(path)
      if kept == nil, creating {
        try create()
        kept = try QueueFile.open(path)
      }
      return kept
    }
  }

  /// Closes a file that is no longer the one of its name.
  func forget(_ file: QueueFile) {
    kept.withLock { kept in if kept === file { kept = nil } }
  }

  /// Runs `body` on the queue while it alone may write; nil when there is no queue and none is to be made.
  func withWriteLock<R>(
    creating: Bool, _ body: (QueueFile, inout QueuePage) throws(WormholeError) -> R
  ) throws(WormholeError) -> R? {
    for _ in 0..<100 {
      guard let file = try file(creating: creating) else { if creating { continue } else { return nil } }
      if let result = try file.withWriteLock({ page throws(WormholeError) in try body(file, &page) }) { return result }
      forget(file)
    }
    throw WormholeError(
      .inputOutput, path: path.description, reason: "the queue is removed again and again; find out by which program")
  }

  /// Makes an empty queue, whole before it has its name; another's that was faster is as good.
  private func create() throws(WormholeError) {
    try QueueFile.reading("cannot make the queue", path) { () throws(Errno) in
      var temporary = try Temporary.make(in: hidden, mode: mode)
      let page = QueueHeader.newPage(identity: randomNumber())
      try page.withRawBytes { bytes throws(Errno) in try temporary.file.write(bytes, at: 0) }
      // Once, before it has its name: else a power cut could leave a name whose page is none, in the way of all that are
      // sent later. Queues of requests and replies, in the hidden folder, are swept instead.
      if path.parent != hidden { try temporary.file.synchronizeData() }
      do throws(Errno) { try temporary.renameWithoutReplacing(to: path) } catch {
        if error != .exists { throw error }
      }
    }
  }
}
