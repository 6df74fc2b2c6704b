/// What is to become of a request when nobody responds.
public enum IfUnreachable: Sendable {
  /// It fails at once with `.notReachable`.
  case fail
  /// It waits, up to its timeout, for a responder that comes later.
  case queue
}

/// What somebody can be there for.
public enum Exchange: Sendable {
  /// To answer requests.
  case requests
  /// To receive transfers.
  case transfers

  /// How presence knows it.
  var kind: PresenceKind { self == .requests ? .requests : .transfers }
}

/// Requests: immediate exchanges with whoever responds to an identifier.
extension Wormhole {
  /// Sends a request and waits for its answer, suspended.
  ///
  /// It ends in exactly one way: with the reply, or with one of the errors below. Cancelling the task withdraws it.
  ///
  /// - Parameters:
  ///   - message: What to ask.
  ///   - identifier: Whom.
  ///   - type: The type of the reply.
  ///   - timeout: How long to wait, for a responder to come too. The library's thread watches over it: a handler that holds
  ///     up that thread, in this program, holds up replies and timeouts too.
  ///   - ifUnreachable: What is to become of it when nobody responds.
  /// - Throws: `.notReachable`, `.timedOut`, `.responderGone` when the responder ended before it answered,
  ///   `.responderFailed` with the text of its error, `.cancelled`, or what stands in the way of asking.
  public func request<Reply: Decodable & Sendable>(
    _ message: some Encodable, identifier: String, as type: Reply.Type, timeout: Duration = .seconds(5),
    ifUnreachable: IfUnreachable = .fail
  ) async throws(WormholeError) -> Reply {
    let store = RequestStore(transfers: try transferStore())
    let payload = try Payload(encoding: message, codec: options.codec)
    guard payload.bytes.count <= options.messageSizeLimit, payload.bytes.count < 1 << 31 else {
      throw WormholeError(
        .messageTooLarge,
        reason: "the request has \(payload.bytes.count) bytes, more than the limit of \(options.messageSizeLimit)")
    }
    let asker = try Asker.shared(store)
    let (seconds, attoseconds) = timeout.components
    let nanoseconds =
      seconds > 1 << 32 ? UInt64.max / 4 : UInt64(max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
    let record = QueueRecord(
      kind: .request, payload: payload, sent: Clock.realtime, sender: sender, origin: options.origin)
    let request = RequestNumber()
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let number = asker.ask(
          record, identifier, timeout: nanoseconds, fails: ifUnreachable == .fail, limit: options.queueLimit
        ) { continuation.resume(returning: $0) }
        if request.set(number) { asker.withdraw(number, Self.cancelled) }
      }
    } onCancel: {
      if let number = request.cancel() { asker.withdraw(number, Self.cancelled) }
    }
    return try outcome.get().decoded(as: type, identifier: identifier)
  }

  /// Sends a request to whoever responds to an identifier; see the form with a string.
  public func request<Request: Encodable, Reply: Decodable & Sendable>(
    _ message: Request, identifier: MessageIdentifier<Request>, as type: Reply.Type, timeout: Duration = .seconds(5),
    ifUnreachable: IfUnreachable = .fail
  ) async throws(WormholeError) -> Reply {
    try await request(
      message, identifier: identifier.name, as: type, timeout: timeout, ifUnreachable: ifUnreachable)
  }

  private static var cancelled: WormholeError {
    WormholeError(.cancelled, reason: "the task was cancelled before the answer came")
  }

  /// Answers the requests of an identifier, each in a task of its own, several at once.
  ///
  /// A request is never handed over once its asker has gone or its time is over. What the handler throws reaches the
  /// asker as `.responderFailed` with its text. Of several responders, one gets each request.
  ///
  /// - Parameters:
  ///   - type: The type of the requests; others are answered with an error.
  ///   - identifier: The identifier.
  ///   - context: Where the handler begins. On the wormhole thread, what it does before it first suspends holds up the
  ///     other listeners of the program: one that computes or blocks for long wants a queue or an executor.
  ///   - onError: Called, on the wormhole thread or where a handler ended, with what stands in the way of answering.
  ///   - handler: Answers a request.
  /// - Returns: A token that ends the answering; it may be dropped. Requests in hand are still answered after that.
  /// - Throws: `.invalidIdentifier`, `.unsupported` without a directory, an error of the system.
  @discardableResult
  public func respond<Request: Decodable & Sendable, Reply: Encodable & SendableMetatype>(
    to type: Request.Type, identifier: String, on context: HandlerContext = .wormholeThread,
    onError: (@Sendable (WormholeError) -> Void)? = nil,
    handler: @escaping @Sendable (Message<Request>) async throws -> Reply
  ) throws(WormholeError) -> ListeningToken {
    try respond(to: type, identifier: identifier, on: context, onError: onError, while: { true }, handler: handler)
  }

  /// As the public form, for programs that are about to end: a request is taken only while `isWanted` says so.
  package func respond<Request: Decodable & Sendable, Reply: Encodable & SendableMetatype>(
    to type: Request.Type, identifier: String, on context: HandlerContext,
    onError: (@Sendable (WormholeError) -> Void)?, while isWanted: @escaping @Sendable () -> Bool,
    handler: @escaping @Sendable (Message<Request>) async throws -> Reply
  ) throws(WormholeError) -> ListeningToken {
    let codec = options.codec
    let responder = try Responder(
      RequestStore(transfers: try transferStore()), identifier: identifier, context: context, onError: onError,
      isWanted: isWanted
    ) { record, payload in
      let value: Request
      do throws(WormholeError) { value = try payload.decoded(as: type, identifier: identifier) } catch {
        // Its asker is told, who would take the bare text for what is wrong with the reply.
        throw WormholeError(
          .cannotDecode, reason: "the responder could not read the request as \(type): \(error.reason)")
      }
      let message = Message(
        identifier: identifier, value: value, sequence: record.sequence,
        sent: .init(nanosecondsSinceEpoch: record.sent), origin: record.origin)
      return try Payload(encoding: try await handler(message), codec: codec)
    }
    try responder.start()
    listenings.add(responder)
    return ListeningToken(keeping: self) { responder.cancel() }
  }

  /// Answers the requests of an identifier; see the form with type and string.
  @discardableResult
  public func respond<Request: Decodable & Sendable, Reply: Encodable & SendableMetatype>(
    to identifier: MessageIdentifier<Request>, on context: HandlerContext = .wormholeThread,
    onError: (@Sendable (WormholeError) -> Void)? = nil,
    handler: @escaping @Sendable (Message<Request>) async throws -> Reply
  ) throws(WormholeError) -> ListeningToken {
    try respond(to: Request.self, identifier: identifier.name, on: context, onError: onError, handler: handler)
  }

  /// Waits until the requests that this wormhole has in hand are answered, or the time is over; before a program ends.
  package func finishAnswers(within time: Duration) {
    let (seconds, attoseconds) = time.components
    let deadline = Clock.monotonic + UInt64(max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
    for responder in listenings.all { (responder as? Responder)?.waitForAnswers(deadline: deadline) }
  }

  /// Whether a live process answers requests of the identifier, or receives its transfers, at this moment.
  public func isReachable(identifier: String, for exchange: Exchange = .requests) throws(WormholeError) -> Bool {
    _ = try ArchiveName.fileName(for: identifier)
    return try transferStore().presence.isThere(exchange.kind, identifier)
  }

  /// Whether somebody is reachable: the state now as the first element, then each change.
  public func reachability(identifier: String, for exchange: Exchange = .requests) throws(WormholeError) -> Reachability
  {
    _ = try ArchiveName.fileName(for: identifier)
    return Reachability(
      source: try ReachabilitySource(transferStore().presence, kind: exchange.kind, identifier: identifier))
  }
}

/// The number of a request and whether its task was cancelled, whichever comes first.
private final class RequestNumber: Sendable {
  private let state = Lock<(number: UInt64?, isCancelled: Bool)>((nil, false))

  /// Notes the number; true when the task is cancelled already.
  func set(_ number: UInt64) -> Bool {
    state.withLock { state in
      state.number = number
      return state.isCancelled
    }
  }

  /// Notes that the task is cancelled and gives the number, if there is one.
  func cancel() -> UInt64? {
    state.withLock { state in
      state.isCancelled = true
      return state.number
    }
  }
}
