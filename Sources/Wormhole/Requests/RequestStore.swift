/// The requests of one directory: a hidden queue for each identifier, and a hidden queue of replies for each process
/// that asks.
///
/// Order of operations, and what each carries:
/// 1. An asker appends its request and rings. A responder locks a byte that stands for the request, its claim: others
///    pass it over, and its space is not given back while it is held. Under the claim it looks whether the request is
///    still there, open and wanted, marks it as claimed, and only then has it answered.
/// 2. An asker that gives up marks its request as withdrawn and looks at the claim then; a responder claims first and
///    looks at that mark then. So an asker that gives up knows that no responder sees its request, or waits for what the
///    claimer says.
/// 3. The reply is appended first, the claim let go then: an asker that finds the mark without the claim looks at its
///    replies once more before it says that the responder has gone.
/// 4. The first cell of a reply queue is locked as long as its asker lives.
/// 5. Whoever gives the space of requests back claims each that it passes over until that is committed.
struct RequestStore: Sendable {
  /// The directory.
  let transfers: TransferStore

  /// The folder of it all.
  var hidden: Path { transfers.archives.hidden }

  /// The name of the file of an identifier's requests.
  static func requestsName(_ identifier: String) throws(WormholeError) -> FileName {
    let name = try ArchiveName.fileName(for: identifier, ending: ArchiveName.queue)
    return FileName(Array("r-".utf8) + name.bytes)
  }

  /// The name of an asker's replies.
  static func repliesName(_ number: UInt64) -> FileName { FileName(Array("p-\(String(number, radix: 16))".utf8)) }

  /// The queue of an identifier's requests, as all askers of this process share it.
  func requests(_ identifier: String) throws(WormholeError) -> Queue {
    Queue.shared(path: hidden.appending(try Self.requestsName(identifier)), hidden: hidden, mode: transfers.mode)
  }

  /// The queue of an asker's replies, as all responders of this process share it.
  func replies(_ number: UInt64) -> Queue {
    Queue.shared(path: hidden.appending(Self.repliesName(number)), hidden: hidden, mode: transfers.mode)
  }

  /// Whether the asker of this reply queue lives.
  func isAskerAlive(_ number: UInt64) -> Bool {
    guard let file = try? replies(number).file(creating: false) else { return false }
    return (try? file.descriptor.isLockedByAnother(against: .exclusive, at: QueueLayout.cell(0))) ?? false
  }

  /// The byte that a claimer locks.
  static func claim(_ start: UInt64) -> Int { 1 << 61 | Int(start) }

  /// Removes what outlasts both sides: reply queues whose asker has gone, and queues of requests that nobody answers and
  /// nobody waits for; complexity: linear in the number of names in the folder.
  func sweep() {
    var names: [FileName] = []
    try? FileSystem.forEachName(in: hidden) { if ArchiveName.isOfRequests($0) { names.append($0) } }
    for name in names {
      if let identifier = Self.identifier(of: name) { sweepRequests(of: identifier, name) } else { sweepReplies(name) }
    }
  }

  private func sweepReplies(_ name: FileName) {
    let path = hidden.appending(name)
    guard name.bytes.starts(with: "p-".utf8), let file = try? FileDescriptor.open(path, OpenFlags.readWrite),
      (try? file.tryLock(.exclusive, at: QueueLayout.cell(0))) == true
    else { return }
    try? FileSystem.remove(path)
  }

  private func sweepRequests(of identifier: String, _ name: FileName) {
    guard (try? transfers.presence.isThere(.requests, identifier)) == false else { return }
    removeDamaged(name)
    // A descriptor of its own, since the shared one may hold no claims but this process may answer by another.
    let queue = Queue(path: hidden.appending(name), hidden: hidden, mode: transfers.mode)
    try? queue.passOverFinishedRequests(self)
    _ = try? queue.withWriteLock(creating: false) { file, page throws(WormholeError) in
      // Looked at under the lock: a responder is there first and takes the lock then, to see that its queue has its name.
      guard page.slowest.offset == page.commit.end.offset,
        (try? transfers.presence.isThere(.requests, identifier)) == false
      else { return }
      try? FileSystem.remove(file.path)
    }
  }
}

extension RequestStore {
  /// Removes a queue of requests that fails its checks, as a power cut may leave it: nobody can ask or answer there.
  func removeDamaged(_ name: FileName) {
    let path = hidden.appending(name)
    // Looked at under its lock: what another has put there meanwhile is whole.
    guard let file = try? FileDescriptor.open(path, OpenFlags.readWrite),
      (try? file.tryLock(.exclusive, at: 0)) == true
    else { return }
    let isWhole = try? QueueFile.isWhole(file)
    guard isWhole == false else { return }
    try? FileSystem.remove(path)
  }
}

extension Queue {
  /// Passes over the requests in front that nobody will answer any more, so that their space is given back.
  ///
  /// Only for a queue whose descriptor holds no claims: one's own lock stands in nobody's way, not even one's own.
  func passOverFinishedRequests(_ store: RequestStore) throws(WormholeError) {
    _ = try withWriteLock(creating: false) { file, page throws(WormholeError) in
      guard case .cell(var cell) = page.cell(0) else { return }
      let limit = store.transfers.sizeLimit + RequestEnvelope.length
      var cursor = QueueCursor(place: page.slowest, commit: page.commit, limit: limit)
      let first = RequestStore.claim(page.slowest.offset)
      try QueueFile.reading("cannot write to the queue", file.path) { () throws(Errno) in
        // All claims at once: up to the end at most.
        let claims = RequestStore.claim(page.commit.end.offset) - first
        defer { if claims > 0 { try? file.descriptor.unlock(at: first, length: claims) } }
        scan: while true {
          switch try cursor.next(file.descriptor) {
          case .end: break scan
          case .damaged(let place): cell.done = place
          case .record(let record, let place):
            let start = place.offset - UInt64(record.readLength)
            guard try file.descriptor.tryLock(.exclusive, at: RequestStore.claim(start)) else { break scan }
            // What it says may have changed before it was claimed here.
            let isOpen = try file.mark(at: page.commit.position(of: start)) == QueueRecord.State.open.rawValue
            if isOpen, !record.isWithdrawn, let (envelope, _) = RequestEnvelope.opening(record.payload),
              envelope.deadline > Clock.monotonic, store.isAskerAlive(envelope.replies)
            {
              break scan
            }
            cell.done = place
          }
        }
        try file.writeCell(cell, at: 0)
        _ = try page.load(from: file.descriptor)
        try page.giveSpaceBack(before: page.slowest, in: file.descriptor)
      }
    }
  }
}
