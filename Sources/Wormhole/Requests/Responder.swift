/// Answers the requests of one identifier, several at once where the handler suspends.
final class Responder: WatchSink {
  /// What a handler makes of a request: the reply's bytes or an error, whose text the asker gets.
  typealias Handler = @Sendable (QueueRecord, Payload) async throws -> Payload

  /// A request that this responder has claimed.
  private struct Claimed: Sendable {
    let file: QueueFile
    let start: UInt64
    let position: Int
    let envelope: RequestEnvelope
  }

  private struct State {
    var follower: QueueFollower
    /// Up to where space was last given back.
    var passed: UInt64 = 0
    var isCancelled = false
    /// How many requests are being answered.
    var inHand = 0
  }

  private let store: RequestStore
  private let identifier: String
  private let name: FileName
  private let context: HandlerContext
  private let onError: (@Sendable (WormholeError) -> Void)?
  /// Asked before each claim.
  private let isWanted: @Sendable () -> Bool
  private let handler: Handler
  private let state: Lock<State>
  /// How many bytes of requests may be behind before space is given back.
  private static let step: UInt64 = 32 << 10
  /// After how many nanoseconds requests that could not be read are looked at again.
  private static let pause: UInt64 = 100_000_000

  /// A responder that begins with `start`.
  init(
    _ store: RequestStore, identifier: String, context: HandlerContext,
    onError: (@Sendable (WormholeError) -> Void)?, isWanted: @escaping @Sendable () -> Bool,
    handler: @escaping Handler
  ) throws(WormholeError) {
    self.store = store
    self.identifier = identifier
    self.context = context
    self.onError = onError
    self.isWanted = isWanted
    self.handler = handler
    name = try RequestStore.requestsName(identifier)
    let queue = Queue(path: store.hidden.appending(name), hidden: store.hidden, mode: store.transfers.mode)
    let limit = store.transfers.sizeLimit + RequestEnvelope.length
    state = Lock(State(follower: QueueFollower(queue: queue, limit: limit)))
  }

  /// Is reachable from now on.
  func start() throws(WormholeError) {
    try Watcher.shared.watch(store.hidden, .only([name]), self)
    do throws(WormholeError) { try store.transfers.presence.enter(.requests, identifier) } catch {
      Watcher.shared.unwatch(store.hidden, .only([name]), self)
      throw error
    }
    do throws(WormholeError) {
      // The queue stands from now on, by which a list of identifiers knows of this one. Under its lock and after being
      // there: who sweeps takes the lock first and looks who is there then.
      _ = try state.withLock { state throws(WormholeError) in
        try state.follower.queue.withWriteLock(creating: true) { _, _ throws(WormholeError) in }
      }
    } catch {
      cancel()
      throw error
    }
    Watcher.shared.run { self.changed(nil) }
  }

  /// Takes no more requests; those in hand are still answered.
  func cancel() {
    let isFirst = state.withLock { state in
      defer { state.isCancelled = true }
      return !state.isCancelled
    }
    guard isFirst else { return }
    store.transfers.presence.leave(.requests, identifier)
    Watcher.shared.unwatch(store.hidden, .only([name]), self)
  }

  /// Waits until the requests in hand are answered, or the monotonic time `deadline` is over.
  func waitForAnswers(deadline: UInt64) { state.wait(until: { $0.inHand == 0 }, deadline: deadline) }

  /// Requests may have come; called on the wormhole thread alone.
  func changed(_ name: FileName?) {
    do throws(WormholeError) {
      let isMore = try state.withLock { state throws(WormholeError) in
        state.isCancelled ? false : try state.follower.look()
      }
      guard isMore else { return }
      while case .record(let record, let start, let file) = try next() { consider(record, start, file) }
    } catch {
      // Nobody could ask or answer there any more: those who come make a new one.
      if error.code == .damagedArchive {
        store.removeDamaged(self.name)
        state.withLock { $0.follower.letGo() }
      }
      onError?(error)
      Watcher.shared.after(nanoseconds: Self.pause) { [weak self] in self?.changed(nil) }
    }
  }

  private func next() throws(WormholeError) -> QueueFollower.Step {
    try state.withLock { state throws(WormholeError) in state.isCancelled ? .end : try state.follower.next() }
  }

  /// Sees to a request, unless it is answered already or nobody wants it any more.
  private func consider(_ record: QueueRecord, _ start: UInt64, _ file: QueueFile) {
    guard record.kind == .request, record.state == .open, !record.isWithdrawn,
      let (envelope, payload) = RequestEnvelope.opening(record.payload)
    else { return }
    let base = state.withLock { $0.follower.base }
    let position = QueueLayout.pageSize + Int(truncatingIfNeeded: start &- base)
    let request = Claimed(file: file, start: start, position: position, envelope: envelope)
    // Claimed where the handler runs, and only when it can: what waits for its turn here is free for others, also when
    // this program ends.
    context.run { [self] in await answer(request, record, payload) }
  }

  /// Claims a request and answers it; where a call fails, again after a pause, since what was read is not read again.
  private func answer(_ request: Claimed, _ record: QueueRecord, _ payload: Payload) async {
    guard isWanted(), !state.withLock({ $0.isCancelled }) else { return }
    do throws(WormholeError) {
      switch try claim(request, checksum: record.checksum) {
      case .failed: return
      case .withdrawn: return finish(request, .declined, Payload(bytes: [], codec: .bytes))
      case .claimed: break
      }
    } catch {
      onError?(error)
      guard request.envelope.deadline > Clock.monotonic else { return }
      Watcher.shared.after(nanoseconds: Self.pause) { [weak self] in
        guard let self else { return }
        context.run { await self.answer(request, record, payload) }
      }
      return
    }
    do {
      finish(request, .value, try limited(try await handler(record, payload)))
    } catch {
      let text = (error as? WormholeError)?.description ?? "\(error)"
      finish(request, .failure, Payload(bytes: Array(text.utf8), codec: .bytes))
    }
  }

  /// A reply that its asker will take.
  private func limited(_ reply: Payload) throws(WormholeError) -> Payload {
    let limit = store.transfers.sizeLimit
    guard reply.bytes.count <= limit else {
      throw WormholeError(
        .messageTooLarge, reason: "the reply has \(reply.bytes.count) bytes, more than the limit of \(limit)")
    }
    return reply
  }

  private enum Claim { case claimed, withdrawn, failed }

  /// Claims a request; `failed` when another has it or had it, or its space was given back.
  private func claim(_ request: Claimed, checksum: UInt64) throws(WormholeError) -> Claim {
    let claim = try QueueFile.reading("cannot claim a request", request.file.path) { () throws(Errno) -> Claim in
      let descriptor = RequestStore.claim(request.start)
      guard try request.file.descriptor.tryLock(.exclusive, at: descriptor) else { return .failed }
      do throws(Errno) {
        // Only under the claim: from now on its space is not given back, and an asker that withdraws sees the claim.
        let marks = try request.file.marks(at: request.position)
        guard marks.checksum == checksum, marks.state == QueueRecord.State.open.rawValue else {
          try? request.file.descriptor.unlock(at: descriptor)
          return .failed
        }
        guard !marks.isWithdrawn, request.envelope.deadline > Clock.monotonic,
          store.isAskerAlive(request.envelope.replies)
        else { return .withdrawn }
        try request.file.setMark(.claimed, at: request.position)
        return .claimed
      } catch {
        // Nobody answers it: it is free for another.
        try? request.file.descriptor.unlock(at: descriptor)
        throw error
      }
    }
    if claim != .failed { state.withLock { $0.inHand += 1 } }
    return claim
  }

  /// Sends the reply, then lets the request go.
  private func finish(_ claimed: Claimed, _ status: ReplyEnvelope.Status, _ payload: Payload) {
    let envelope = ReplyEnvelope(number: claimed.envelope.number, status: status)
    let reply = QueueRecord(
      kind: .reply, payload: envelope.sealing(payload), sent: Clock.realtime, sender: 0, origin: "")
    var problem: WormholeError?
    do throws(WormholeError) {
      _ = try store.replies(claimed.envelope.replies).append([reply], limit: .max, creating: false, rings: .always)
    } catch { problem = error }
    try? claimed.file.descriptor.unlock(at: RequestStore.claim(claimed.start))
    if let problem {
      // Without a reply its asker learns from the claim that is gone, for which it looks when somebody comes or goes.
      store.transfers.presence.ring()
      onError?(problem)
    }
    let isFar = state.withLock { state in
      state.inHand -= 1
      guard claimed.start > state.passed + Self.step else { return false }
      state.passed = claimed.start
      return true
    }
    state.notifyAll()
    if isFar { try? store.requests(identifier).passOverFinishedRequests(store) }
  }
}

extension Responder: Listening {
  /// Ends it when it is of this identifier.
  func stopListening(to identifier: String) {
    if identifier.utf8.elementsEqual(self.identifier.utf8) { cancel() }
  }
}

extension QueueFile {
  /// What changes of the record at a position, and the checksum by which the record is known again.
  fileprivate func marks(at position: Int) throws(Errno) -> (state: UInt8, isWithdrawn: Bool, checksum: UInt64) {
    try withUnsafeTemporaryBytes(16) { bytes throws(Errno) in
      guard try descriptor.read(into: bytes, at: position) == bytes.count else { return (0, true, 0) }
      return (bytes[0], bytes[1] != 0, UnsafeRawBufferPointer(bytes).word(at: 8))
    }
  }
}
