/// Messages in the memory of this process, for tests of programs: no directory, no file, no other process.
///
/// Wormholes that are opened with the same instance hear each other. Its mailboxes behave as archives do: the newest message
/// stays, recent ones are held for listeners to every message, listeners are told on the wormhole thread.
public final class MemoryTransiting: Transiting {
  /// One mailbox.
  private struct Mailbox {
    let identity: UInt64
    var records: [Record] = []
    var size = 0
    var last: UInt64 = 0

    /// The newest record with a payload.
    var newest: Record? { records.last { $0.payload != nil } }
  }

  private struct State {
    var mailboxes: [IdentifierKey: Mailbox] = [:]
    var lastIdentity: UInt64 = 0
    /// Who listens to what; nil for everything.
    var sinks: [ObjectIdentifier: (sink: any ChangeSink, names: Set<IdentifierKey>?)] = [:]
    /// What sinks have not been told of yet.
    var changed: Set<IdentifierKey> = []
  }

  private let retention: Int
  private let state = Lock(State())

  /// Makes empty mailboxes.
  ///
  /// - Parameter retention: How many bytes of recent payloads a mailbox keeps beside its newest message.
  public init(retention: Int = 16 << 10) { self.retention = retention }

  /// Adds a record, as `Transiting.append(_:to:expecting:)`.
  public func append(
    _ draft: Draft, to identifier: String, expecting expected: StoredVersion?
  ) throws(WormholeError) -> Position? {
    _ = try ArchiveName.fileName(for: identifier)
    let key = IdentifierKey(identifier)
    let (position, mustTell) = state.withLock { state -> (Position?, Bool) in
      if let expected, expected != Self.version(state.mailboxes[key]) { return (nil, false) }
      var mailbox: Mailbox
      if let found = state.mailboxes[key] {
        mailbox = found
      } else {
        state.lastIdentity += 1
        mailbox = Mailbox(identity: state.lastIdentity)
      }
      mailbox.last += 1
      mailbox.records.append(
        Record(
          payload: draft.payload, sequence: mailbox.last, sent: Clock.realtime, sender: draft.sender,
          origin: draft.origin))
      mailbox.size += Self.size(draft.payload)
      shrink(&mailbox)
      state.mailboxes[key] = mailbox
      return (Position(identity: mailbox.identity, sequence: mailbox.last), Self.note(key, &state))
    }
    if mustTell { tell() }
    return position
  }

  /// The newest message, as `Transiting.newest(_:)`.
  public func newest(_ identifier: String) throws(WormholeError) -> (position: Position, record: Record)? {
    _ = try ArchiveName.fileName(for: identifier)
    return state.withLock { state in
      guard let mailbox = state.mailboxes[IdentifierKey(identifier)], let record = mailbox.newest else { return nil }
      return (Position(identity: mailbox.identity, sequence: record.sequence), record)
    }
  }

  /// What has come, as `Transiting.look(at:after:every:)`.
  public func look(at identifier: String, after position: Position?, every: Bool) -> Look {
    state.withLock { state in
      guard let mailbox = state.mailboxes[IdentifierKey(identifier)] else { return .absent }
      let seen = position?.identity == mailbox.identity ? position?.sequence ?? 0 : 0
      if seen >= mailbox.last { return .unchanged }
      var records = mailbox.records.filter { $0.sequence > seen }
      if !every {
        let message = records.last { $0.payload != nil }
        let signal = records.last.flatMap { $0.payload == nil ? $0 : nil }
        records = [message, signal].compactMap(\.self)
      }
      let missed = position == nil ? 0 : Int(clamping: mailbox.last - seen) - records.count
      return .records(records, missed: missed, Position(identity: mailbox.identity, sequence: mailbox.last))
    }
  }

  /// Removes a mailbox, as `Transiting.clear(_:)`.
  public func clear(_ identifier: String) throws(WormholeError) {
    _ = try ArchiveName.fileName(for: identifier)
    let key = IdentifierKey(identifier)
    let mustTell = state.withLock { $0.mailboxes.removeValue(forKey: key) != nil && Self.note(key, &$0) }
    if mustTell { tell() }
  }

  /// The mailboxes, as `Transiting.identifiers()`.
  public func identifiers() throws(WormholeError) -> [String] {
    state.withLock { $0.mailboxes.keys.map(\.text) }
  }

  /// Tells of changes, as `Transiting.watch(_:_:)`.
  public func watch(_ identifiers: Identifiers, _ sink: any ChangeSink) throws(WormholeError) {
    var added: Set<IdentifierKey>?
    if case .only(let names) = identifiers {
      for name in names { _ = try ArchiveName.fileName(for: name) }
      added = Set(names.map { IdentifierKey($0) })
    }
    try Watcher.shared.start()
    let key = ObjectIdentifier(sink)
    state.withLock { state in
      guard let known = state.sinks[key] else {
        state.sinks[key] = (sink, added)
        return
      }
      guard let names = known.names, let more = added else {
        state.sinks[key]?.names = nil
        return
      }
      state.sinks[key]?.names = names.union(more)
    }
  }

  /// Ends that, as `Transiting.unwatch(_:_:)`.
  public func unwatch(_ identifiers: Identifiers, _ sink: any ChangeSink) {
    let key = ObjectIdentifier(sink)
    state.withLock { state in
      guard case .only(let removed) = identifiers, let known = state.sinks[key]?.names else {
        if case .all = identifiers { state.sinks[key] = nil }
        return
      }
      let left = known.subtracting(removed.map { IdentifierKey($0) })
      state.sinks[key]?.names = left
      if left.isEmpty { state.sinks[key] = nil }
    }
  }

  /// Notes a change; true when it must be told, since that is not scheduled yet.
  private static func note(_ key: IdentifierKey, _ state: inout State) -> Bool {
    if state.sinks.isEmpty { return false }
    defer { state.changed.insert(key) }
    return state.changed.isEmpty
  }

  /// Lets the wormhole thread tell of what has changed: never the sender's, which may hold locks that a handler wants.
  private func tell() { Watcher.shared.run { self.tellSinks() } }

  /// Tells all sinks of all that has changed.
  private func tellSinks() {
    let (sinks, changed) = state.withLock { state in
      defer { state.changed.removeAll() }
      return (Array(state.sinks.values), state.changed)
    }
    for (sink, names) in sinks {
      for key in changed where names?.contains(key) ?? true { sink.changed(key.text) }
    }
  }

  /// Drops the oldest records beyond the retention, never the newest record nor the newest message.
  private func shrink(_ mailbox: inout Mailbox) {
    let newest = mailbox.newest?.sequence
    while mailbox.size > retention, let index = mailbox.records.firstIndex(where: { $0.sequence != newest }),
      mailbox.records[index].sequence != mailbox.last
    {
      mailbox.size -= Self.size(mailbox.records.remove(at: index).payload)
    }
  }

  /// What a record counts: its payload and some bytes for itself, so that signals are bounded too.
  private static func size(_ payload: Payload?) -> Int { 64 + (payload?.bytes.count ?? 0) }

  /// The newest message as an update expects it.
  private static func version(_ mailbox: Mailbox?) -> StoredVersion {
    guard let mailbox, let newest = mailbox.newest else { return .none }
    return .position(Position(identity: mailbox.identity, sequence: newest.sequence))
  }
}
