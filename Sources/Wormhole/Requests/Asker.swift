/// The requests that this process has under way in one directory, and the queue that their replies come to.
final class Asker: Sendable {
  /// How a request ended.
  typealias Outcome = Result<Payload, WormholeError>

  /// A request under way.
  struct Pending: Sendable {
    let identifier: String
    let queue: Queue
    /// Whether it ends when nobody responds.
    let fails: Bool
    var item: QueueItem?
    var timer: UInt64?
    let resume: @Sendable (Outcome) -> Void
  }

  private struct State {
    var pending: [UInt64: Pending] = [:]
    var lastNumber: UInt64 = 0
    /// How often somebody may have come or gone.
    var changesOfPresence: UInt64 = 0
    /// Whether it has ended: it hears of no replies any more.
    var isEnded = false
  }

  private struct Replies {
    var follower: QueueFollower
    /// Up to where their space was last given back.
    var passed: UInt64 = 0
  }

  /// The number of the reply queue.
  let number: UInt64
  private let store: RequestStore
  /// The file of the replies, whose first cell is locked as long as this process lives.
  private let file: QueueFile
  private let replies: Lock<Replies>
  private let state = Lock(State())
  private let watch = Lock<PresenceWatch?>(nil)
  private static let all = Lock<[Path: Asker]>([:])
  /// How many bytes of replies may be behind before their space is given back.
  private static let step: UInt64 = 32 << 10

  /// The asker of this process in a directory.
  static func shared(_ store: RequestStore) throws(WormholeError) -> Asker {
    var old: Asker?
    let asker = try all.withLock { all throws(WormholeError) in
      if let asker = all[store.hidden] {
        if asker.isThere, !asker.state.withLock({ $0.isEnded }) { return asker }
        old = asker
      }
      store.sweep()
      let asker = try Asker(store)
      all[store.hidden] = asker
      return asker
    }
    old?.end()
    return asker
  }

  private init(_ store: RequestStore) throws(WormholeError) {
    self.store = store
    while true {
      let number = randomNumber()
      let path = store.hidden.appending(RequestStore.repliesName(number))
      let queue = Queue(path: path, hidden: store.hidden, mode: store.transfers.mode)
      guard let file = try queue.file(creating: true) else { continue }
      let isMine = try QueueFile.reading("cannot lock the queue of replies", path) { () throws(Errno) in
        // The link count after the lock: a sweeper may have come before.
        guard try file.descriptor.tryLock(.exclusive, at: QueueLayout.cell(0)) else { return false }
        return try file.isCurrent()
      }
      guard isMine else { continue }
      let limit = store.transfers.sizeLimit + ReplyEnvelope.length
      self.number = number
      self.file = file
      replies = Lock(Replies(follower: QueueFollower(queue: queue, limit: limit)))
      break
    }
    try Watcher.shared.watch(store.hidden, .only([RequestStore.repliesName(number)]), self)
    let presenceWatch = try PresenceWatch(store.transfers.presence) { [weak self] in self?.presenceChanged() }
    watch.withLock { $0 = presenceWatch }
  }

  /// Whether the reply queue still has its name, as far as that can be seen.
  private var isThere: Bool { (try? file.isCurrent()) ?? true }

  /// Ends it after its reply queue was removed: no reply can come to it any more.
  private func end() {
    state.withLock { $0.isEnded = true }
    // Where it only seemed to be gone, or comes back: nobody reads it any more.
    try? FileSystem.remove(file.path)
    Watcher.shared.unwatch(store.hidden, .only([RequestStore.repliesName(number)]), self)
    watch.withLock { watch in
      defer { watch = nil }
      return watch
    }?.end()
    failAll(removed)
  }

  /// Sends a request; `resume` is called exactly once. Gives the number to withdraw it by.
  func ask(
    _ record: QueueRecord, _ identifier: String, timeout: UInt64, fails: Bool, limit: Int,
    resume: @escaping @Sendable (Outcome) -> Void
  ) -> UInt64 {
    let (deadline, isFar) = Clock.monotonic.addingReportingOverflow(timeout)
    let (number, changes) = state.withLock { state in
      state.lastNumber += 1
      return (state.lastNumber, state.changesOfPresence)
    }
    let queue: Queue
    do throws(WormholeError) {
      queue = try store.requests(identifier)
      if fails, try !store.transfers.presence.isThere(.requests, identifier) { throw Self.notReachable(identifier) }
    } catch {
      resume(.failure(error))
      return number
    }
    // Before it is sent: the reply may come at once.
    let pending = Pending(identifier: identifier, queue: queue, fails: fails, resume: resume)
    state.withLock { $0.pending[number] = pending }
    var record = record
    let envelope = RequestEnvelope(replies: self.number, number: number, deadline: isFar ? .max : deadline)
    record.payload = envelope.sealing(record.payload)
    do throws(WormholeError) {
      let item = try append(record, to: queue, of: identifier, limit: limit)
      // Before the timer, so that the timer finds what to withdraw.
      state.withLock { $0.pending[number]?.item = item }
      let hasChanged = state.withLock { state in
        // None is set where the reply has come already.
        state.pending[number]?.timer = Watcher.shared.after(nanoseconds: timeout) { [weak self] in
          self?.withdraw(number, Self.timedOut(identifier))
        }
        return state.changesOfPresence != changes
      }
      // The responder may have gone between the look above and the request, and its end been told before it was there
      // to be found. On the thread that hands out the replies: one that it is just handing out counts.
      if hasChanged, fails { Watcher.shared.run { [weak self] in self?.lookAfterResponders() } }
    } catch {
      resolve(number, .failure(error))
    }
    return number
  }

  private func append(
    _ record: QueueRecord, to queue: Queue, of identifier: String, limit: Int
  ) throws(WormholeError) -> QueueItem? {
    do throws(WormholeError) {
      return try queue.append([record], limit: limit, rings: .always).first
    } catch {
      switch error.code {
      case .queueFull: try queue.passOverFinishedRequests(store)
      // Nobody could ask there any more; a responder goes over to the new one.
      case .damagedArchive: store.removeDamaged(try RequestStore.requestsName(identifier))
      default: throw error
      }
      return try queue.append([record], limit: limit, rings: .always).first
    }
  }

  /// Gives a request up, with this error, whether or not a responder has it.
  func withdraw(_ number: UInt64, _ error: WormholeError) {
    if let pending = state.withLock({ $0.pending[number] }) { mark(pending) }
    resolve(number, .failure(error))
  }

  /// Marks a request as withdrawn; a responder that comes to it now passes it over.
  private func mark(_ pending: Pending) {
    guard let item = pending.item else { return }
    _ = try? pending.queue.withWriteLock(creating: false) { file, page throws(WormholeError) in
      guard file.identity == item.identity, item.start >= page.slowest.offset else { return }
      try QueueFile.reading("cannot write to the queue", file.path) { () throws(Errno) in
        let one: [UInt8] = [1]
        try one.withRawBytes { bytes throws(Errno) in
          try file.descriptor.write(bytes, at: page.commit.position(of: item.start) + 1)
        }
      }
    }
  }

  /// Ends a request, unless it has ended already.
  private func resolve(_ number: UInt64, _ outcome: Outcome) {
    guard let pending = state.withLock({ $0.pending.removeValue(forKey: number) }) else { return }
    if let timer = pending.timer { Watcher.shared.takeBack(timer) }
    pending.resume(outcome)
  }

  /// Ends all that are under way.
  private func failAll(_ error: WormholeError) {
    for number in state.withLock({ Array($0.pending.keys) }) { resolve(number, .failure(error)) }
  }
}

extension Asker: WatchSink {
  /// Replies may have come; called on the wormhole thread.
  func changed(_ name: FileName?) {
    if !drain(), !isThere { end() }
  }

  /// Hands out the replies that have come, each without a lock; on the wormhole thread alone. False when none has.
  @discardableResult
  private func drain() -> Bool {
    do throws(WormholeError) {
      guard try replies.withLock({ replies throws(WormholeError) in try replies.follower.look() }) else { return false }
      while case .record(let record, _, _) = try replies.withLock({ replies throws(WormholeError) in
        try replies.follower.next()
      }) {
        deliver(record)
      }
      try replies.withLock { replies throws(WormholeError) in try giveSpaceBack(&replies) }
    } catch {
      // What cannot be read does not come: better told now than when the time is over.
      failAll(error)
    }
    return true
  }

  /// Says now and then how far the replies are read, so that those who reply give their space back.
  private func giveSpaceBack(_ replies: inout Replies) throws(WormholeError) {
    guard let place = replies.follower.place, place.offset > replies.passed + Self.step else { return }
    try file.write(SubscriberCell(hasReceived: true, done: place), at: 0)
    replies.passed = place.offset
  }

  private func deliver(_ record: QueueRecord) {
    guard record.kind == .reply, let (envelope, payload) = ReplyEnvelope.opening(record.payload) else { return }
    switch envelope.status {
    case .value: resolve(envelope.number, .success(payload))
    case .failure:
      let text = String(decoding: payload.bytes, as: UTF8.self)
      resolve(envelope.number, .failure(WormholeError(.responderFailed, reason: text)))
    case .declined:
      guard let pending = state.withLock({ $0.pending[envelope.number] }) else { return }
      // Declined for its time, where it was not withdrawn because nobody responded.
      let isWaiting = (try? store.transfers.presence.isThere(.requests, pending.identifier)) ?? true
      resolve(
        envelope.number,
        .failure(isWaiting ? Self.timedOut(pending.identifier) : Self.notReachable(pending.identifier)))
    }
  }
}

/// How requests end that get no reply.
extension Asker {
  private static func notReachable(_ identifier: String) -> WormholeError {
    WormholeError(.notReachable, reason: "nobody responds to \(identifier); start its responder, or queue the request")
  }

  private static func timedOut(_ identifier: String) -> WormholeError {
    WormholeError(
      .timedOut, reason: "no answer to \(identifier) came in time; allow more, or see what holds its responder up")
  }

  private static func responderGone(_ identifier: String) -> WormholeError {
    WormholeError(.responderGone, reason: "the responder to \(identifier) ended before it answered; ask again")
  }

  /// Requests that were in a directory that is gone.
  private var removed: WormholeError {
    WormholeError(
      .inputOutput, path: store.hidden.description,
      reason: "the directory was removed while requests were under way; ask again")
  }

  /// What is known of who has a request.
  private enum Claim {
    /// Nobody has it or had it.
    case none
    /// A live responder has it, or that cannot be seen now.
    case held
    /// It was had, and is let go.
    case over
    /// It is no more.
    case lost
  }

  /// Somebody may have come or gone; called on the wormhole thread.
  func presenceChanged() {
    let isAsking = state.withLock { state in
      state.changesOfPresence += 1
      return !state.pending.isEmpty
    }
    if isAsking { lookAfterResponders() }
  }

  /// Looks whether the responders of the requests under way are still there; on the wormhole thread alone.
  private func lookAfterResponders() {
    for (number, request) in state.withLock({ $0.pending }) {
      guard let item = request.item else { continue }
      switch claim(on: item, in: request.queue) {
      case .held: break
      case .none:
        guard request.fails, (try? store.transfers.presence.isThere(.requests, request.identifier)) == false else {
          break
        }
        mark(request)
        // After withdrawing: whoever has it by now says so, by a reply or by declining.
        if case .none = claim(on: item, in: request.queue) {
          resolve(number, .failure(Self.notReachable(request.identifier)))
        }
      case .over:
        drain()
        resolve(number, .failure(Self.responderGone(request.identifier)))
      case .lost:
        // Where the replies are still there, its queue was swept: nobody had it or waited for it any more.
        drain()
        resolve(number, .failure(isThere ? Self.responderGone(request.identifier) : removed))
      }
    }
  }

  /// Whether a responder has a request.
  private func claim(on item: QueueItem, in queue: Queue) -> Claim {
    do throws(WormholeError) {
      return try queue.withWriteLock(creating: false) { file, page throws(WormholeError) -> Claim in
        guard file.identity == item.identity else { return .lost }
        guard item.start >= page.slowest.offset else { return .over }
        let (byte, position) = (RequestStore.claim(item.start), page.commit.position(of: item.start))
        return try QueueFile.reading("cannot look at a request", file.path) { () throws(Errno) in
          if try file.descriptor.isLockedByAnother(against: .exclusive, at: byte) { return .held }
          // A claimer marks after it has claimed and lets go after it has replied: without a mark now, nobody had it when
          // it was looked for; with one, it has been claimed since then, or all is over.
          if try file.mark(at: position) == QueueRecord.State.open.rawValue { return .none }
          return try file.descriptor.isLockedByAnother(against: .exclusive, at: byte) ? .held : .over
        }
      } ?? .lost
    } catch { return .held }
  }
}
