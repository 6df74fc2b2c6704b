/// What a listener knows: how far it is in each mailbox, which may have changed, and what runs. Pure: it calls nobody.
struct ListeningState {
  /// Where the listening stands.
  private enum Phase {
    /// The mailboxes are looked at for the first time; changes are only noted.
    case starting
    /// Nothing has changed.
    case idle
    /// Somebody looks at what has changed.
    case busy
    /// It is over.
    case ended
  }

  /// What to look at next.
  enum Task {
    /// One mailbox, for what has come since.
    case look(String, after: Position?)
    /// All that there are.
    case everything
    /// Nothing: the listener is to be told of this.
    case notice(WormholeError)
  }

  private let options: ListeningOptions
  private let sender: UInt64
  private var phase = Phase.starting
  /// The mailboxes listened to; nil for all.
  private var names: Set<IdentifierKey>?
  private var cursors: [IdentifierKey: Cursor] = [:]
  /// How many cursors there may be before those of mailboxes that are gone are dropped.
  private var cursorLimit = ListeningState.leastCursorLimit
  private static let leastCursorLimit = 1024
  /// The mailboxes that may have changed, first come first, each once, from `next` on.
  private var changed: [IdentifierKey] = []
  private var isChanged: Set<IdentifierKey> = []
  private var next = 0
  private var mayAllHaveChanged = false
  /// What the listener is to be told beside changes.
  private var notices: [WormholeError] = []
  /// The handler that is running.
  private var running: (identifier: IdentifierKey, thread: ThreadID)?

  /// A listening that starts.
  init(_ identifiers: Identifiers, _ options: ListeningOptions, sender: UInt64) {
    self.options = options
    self.sender = sender
    if case .only(let names) = identifiers { self.names = Set(names.map { IdentifierKey($0) }) }
  }

  /// Whether it is over.
  var isEnded: Bool { phase == .ended }

  /// Whether a handler runs that a canceller must wait for: on another thread, and for this mailbox if one is named.
  func mustWait(on thread: ThreadID, for identifier: String?) -> Bool {
    guard let running, running.thread != thread else { return false }
    return identifier.map { IdentifierKey($0) == running.identifier } ?? true
  }

  /// The identifiers listened to by name, nil for all.
  var identifiers: [String]? { names.map { $0.map(\.text) } }

  /// Takes in the first look at a mailbox.
  mutating func begin(_ identifier: String, _ look: Look) {
    let owesStored = options.contains(.startingWithStored)
    guard let cursor = Cursor(baseline: look, owesStored: owesStored) else { return }
    let key = IdentifierKey(identifier)
    cursors[key] = cursor
    if owesStored { note(key) }
  }

  /// All is looked at for the first time; true when something is to be given already.
  mutating func started() -> Bool {
    guard phase == .starting else { return false }
    phase = hasChanges ? .busy : .idle
    return phase == .busy
  }

  /// Notes a change; true when somebody must be sent to look, since nobody does.
  mutating func noteChange(_ identifier: String?) -> Bool {
    if phase == .ended { return false }
    if let identifier {
      let key = IdentifierKey(identifier)
      if let names, !names.contains(key) { return false }
      note(key)
    } else {
      mayAllHaveChanged = true
    }
    guard phase == .idle else { return false }
    phase = .busy
    return true
  }

  /// Notes what the listener is to be told beside changes; true when somebody must be sent to look.
  mutating func note(_ notice: WormholeError) -> Bool {
    if phase == .ended { return false }
    notices.append(notice)
    guard phase == .idle else { return false }
    phase = .busy
    return true
  }

  /// What to look at next; nil when there is nothing, and nobody looks any more.
  mutating func nextTask() -> Task? {
    if phase == .ended || phase == .starting { return nil }
    if !notices.isEmpty {
      phase = .busy
      return .notice(notices.removeFirst())
    }
    if mayAllHaveChanged {
      mayAllHaveChanged = false
      guard let names else {
        phase = .busy
        return .everything
      }
      for name in names { note(name) }
    }
    guard next < changed.count else {
      phase = .idle
      return nil
    }
    phase = .busy
    let key = changed[next]
    next += 1
    isChanged.remove(key)
    if next == changed.count {
      changed.removeAll(keepingCapacity: true)
      next = 0
    }
    return .look(key.text, after: cursors[key]?.start)
  }

  /// Takes in the list of all mailboxes: they, and those that were known, are looked at.
  mutating func noteAll(_ identifiers: [String]) {
    for identifier in identifiers { note(IdentifierKey(identifier)) }
    for key in cursors.keys { note(key) }
  }

  /// Takes in what a look found; gives what the listener is to be given, nil when that is nothing.
  mutating func take(_ look: Look, at identifier: String) -> Finding? {
    let key = IdentifierKey(identifier)
    if phase == .ended || names?.contains(key) == false { return nil }
    let items = Cursor.advance(&cursors[key], look, options, sender: sender)
    if names == nil, cursors.count > cursorLimit {
      // Who listens to all meets any number of identifiers in time: those that are gone are forgotten now and then.
      cursors = cursors.filter { !$0.value.isCleared }
      cursorLimit = max(Self.leastCursorLimit, cursors.count * 2)
    }
    return items.isEmpty ? nil : Finding(identifier: identifier, items: items)
  }

  /// A handler is about to run; false when it must not.
  ///
  /// An identifier that is nil stands for what concerns none of them.
  mutating func handlerStarts(_ identifier: String?, _ thread: ThreadID) -> Bool {
    let key = IdentifierKey(identifier ?? "")
    if phase == .ended || (identifier != nil && names?.contains(key) == false) { return false }
    running = (key, thread)
    return true
  }

  /// The handler has returned; true when somebody may wait for that.
  mutating func handlerEnded() -> Bool {
    defer { running = nil }
    guard let running else { return false }
    return phase == .ended || names?.contains(running.identifier) == false
  }

  /// Ends the listening to one mailbox, or all of it when that was the last or none is named; false when it heard it not.
  mutating func end(_ identifier: String?) -> Bool {
    if phase == .ended { return false }
    if let identifier {
      let key = IdentifierKey(identifier)
      guard names?.remove(key) != nil else { return false }
      cursors[key] = nil
      if names?.isEmpty == false { return true }
    }
    phase = .ended
    cursors = [:]
    changed = []
    notices = []
    isChanged = []
    next = 0
    return true
  }

  private var hasChanges: Bool { !notices.isEmpty || mayAllHaveChanged || next < changed.count }

  private mutating func note(_ key: IdentifierKey) {
    if isChanged.insert(key).inserted { changed.append(key) }
  }
}
