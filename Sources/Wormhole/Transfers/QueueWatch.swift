/// Finds every identifier that is transferred to or asked, those that come later too, for who serves all of them.
final class QueueWatch: WatchSink {
  private let store: TransferStore
  private let exchange: Exchange
  private let begin: @Sendable (String) -> Void
  private let state = Lock<(known: Set<IdentifierKey>, isEnded: Bool)>(([], false))

  /// A watch that calls `begin` once for each identifier, from `start` on.
  init(_ store: TransferStore, _ exchange: Exchange, begin: @escaping @Sendable (String) -> Void) {
    self.store = store
    self.exchange = exchange
    self.begin = begin
  }

  /// Where the queues are.
  private var directory: Path { exchange == .transfers ? store.archives.directory : store.archives.hidden }

  /// Is reachable for every identifier from now on, and tells of those that are there.
  func start() throws(WormholeError) {
    try Watcher.shared.watch(directory, .all, self)
    do throws(WormholeError) { try store.presence.enter(exchange.kind, Presence.everyName) } catch {
      Watcher.shared.unwatch(directory, .all, self)
      throw error
    }
    lookAtAll()
  }

  /// A queue may have come.
  func changed(_ name: FileName?) {
    guard let name else { return lookAtAll() }
    if let identifier = identifier(of: name) { note(identifier) }
  }

  private func lookAtAll() {
    var found: [String] = []
    try? FileSystem.forEachName(in: directory) { if let name = identifier(of: $0) { found.append(name) } }
    for identifier in found { note(identifier) }
  }

  private func identifier(of name: FileName) -> String? {
    exchange == .transfers
      ? ArchiveName.identifier(of: name, ending: ArchiveName.queue) : RequestStore.identifier(of: name)
  }

  private func note(_ identifier: String) {
    let isNew = state.withLock { !$0.isEnded && $0.known.insert(IdentifierKey(identifier)).inserted }
    if isNew { begin(identifier) }
  }
}

extension QueueWatch: Listening {
  /// Ends it; what was begun goes on.
  func cancel() {
    let isFirst = state.withLock { state in
      defer { state.isEnded = true }
      return !state.isEnded
    }
    guard isFirst else { return }
    store.presence.leave(exchange.kind, Presence.everyName)
    Watcher.shared.unwatch(directory, .all, self)
  }

  /// Nothing: it is of no identifier.
  func stopListening(to identifier: String) {}
}

extension RequestStore {
  /// The identifier of a file of requests, nil when it is none.
  static func identifier(of name: FileName) -> String? {
    guard name.bytes.starts(with: "r-".utf8) else { return nil }
    return ArchiveName.identifier(of: FileName(Array(name.bytes.dropFirst(2))), ending: ArchiveName.queue)
  }
}

extension Wormhole {
  /// Is there for every identifier, those that come later too: `begin` is called once for each that has been transferred
  /// to or asked, on the caller's thread or the wormhole's, to receive or respond there.
  package func serveAll(
    _ exchange: Exchange, _ begin: @escaping @Sendable (String) -> Void
  ) throws(WormholeError) -> ListeningToken {
    let watch = QueueWatch(try transferStore(), exchange, begin: begin)
    try watch.start()
    listenings.add(watch)
    return ListeningToken(keeping: self) { watch.cancel() }
  }
}
