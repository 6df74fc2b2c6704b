/// Reads a hidden queue as it grows, without a place of its own in the file: whoever appends to it always rings.
///
/// A ring comes after the commit. So what is not in the commit block that was read after a ring has a ring of its own to
/// come, and one look a ring is enough.
struct QueueFollower: Sendable {
  /// What the follower came to.
  enum Step: Sendable {
    /// A record that begins at the virtual offset `start` of `file`.
    case record(QueueRecord, start: UInt64, file: QueueFile)
    /// All that was committed at the last look has been given.
    case end
  }

  /// The queue, with a descriptor of its own: its locks are this follower's alone.
  let queue: Queue
  /// The largest payload.
  let limit: Int
  private var open: Open?

  private struct Open: Sendable {
    let file: QueueFile
    var cursor: QueueCursor
  }

  /// A follower that begins with the oldest record kept.
  init(queue: Queue, limit: Int) {
    self.queue = queue
    self.limit = limit
  }

  /// Up to where it has read.
  var place: QueuePlace? { open?.cursor.place }
  /// Where the records of the file begin.
  var base: UInt64 { open?.cursor.commit.base ?? 0 }

  /// Looks what is committed now; true when there is something behind what was given.
  ///
  /// A file that is no longer the one of its name is left for the new one; without one there is nothing.
  mutating func look() throws(WormholeError) -> Bool {
    while true {
      if open == nil, try !reopen() { return false }
      guard var open else { return false }
      self.open = nil
      let isMore = try QueueFile.reading("cannot read the queue", queue.path) { () throws(Errno) in
        defer { self.open = open }
        guard let isMore = try open.cursor.look(open.file.descriptor) else { throw .badMessage }
        return isMore
      }
      if isMore { return true }
      // A ring without anything new: the name may lead to another file by now.
      let isCurrent = try QueueFile.reading("cannot look at the queue", queue.path) { () throws(Errno) in
        try open.file.isCurrent()
      }
      if isCurrent { return false }
      letGo()
    }
  }

  /// Lets go of the file that it reads; the next look begins with the oldest record of the one that stands there then.
  mutating func letGo() {
    if let open { queue.forget(open.file) }
    open = nil
  }

  /// The next record of what the last look found; damaged ones are passed over.
  mutating func next() throws(WormholeError) -> Step {
    guard var open else { return .end }
    self.open = nil
    defer { self.open = open }
    return try QueueFile.reading("cannot read the queue", queue.path) { () throws(Errno) in
      while true {
        switch try open.cursor.next(open.file.descriptor) {
        case .record(let record, let place):
          return .record(record, start: place.offset - UInt64(record.readLength), file: open.file)
        case .damaged: continue
        case .end: return .end
        }
      }
    }
  }

  /// Opens the queue; false when there is none.
  private mutating func reopen() throws(WormholeError) -> Bool {
    let limit = self.limit
    var opened: QueueFile?
    let cursor = try queue.withWriteLock(creating: false) { file, page throws(WormholeError) in
      opened = file
      return QueueCursor(place: page.slowest, commit: page.commit, limit: limit)
    }
    guard let opened, let cursor else { return false }
    open = Open(file: opened, cursor: cursor)
    return true
  }
}
