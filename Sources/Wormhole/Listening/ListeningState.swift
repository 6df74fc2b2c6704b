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
    case look(Mailbox, after: Position?)
    /// All that there are.
    case everything
    /// Nothing: the listener is to be told of this.
    indirect case notice(WormholeError)
  }

  private let options: ListeningOptions
  private let sender: UInt64
  private var phase = Phase.starting
  private var mailboxes = Mailboxes()
  /// Whether all are listened to, not only those that were named.
  private let hearsAll: Bool
  /// The mailboxes that may have changed, first come first, each once, from `next` on.
  private var changed: [Mailbox] = []
  private var next = 0
  private var mayAllHaveChanged = false
  /// What the listener is to be told beside changes.
  private var notices: [WormholeError] = []
  /// The handler that is running; its mailbox is nil for what concerns none.
  private var running: (mailbox: Mailbox?, thread: ThreadID)?

  /// A listening that starts.
  init(_ identifiers: Identifiers, _ options: ListeningOptions, sender: UInt64) {
    self.options = options
    self.sender = sender
    switch identifiers {
    case .all: hearsAll = true
    case .only(let names):
      hearsAll = false
      for name in names { mailboxes.add(name) }
    }
  }

  /// Whether it is over.
  var isEnded: Bool { phase == .ended }

  /// Whether a handler runs that a canceller must wait for: on another thread, and for this mailbox if one is named.
  func mustWait(on thread: ThreadID, for identifier: String?) -> Bool {
    guard let running, running.thread != thread else { return false }
    guard let identifier else { return true }
    return running.mailbox.map { IdentifierKey($0.identifier) == IdentifierKey(identifier) } ?? false
  }

  /// The identifiers listened to by name, nil for all.
  var identifiers: [String]? { hearsAll ? nil : mailboxes.listened.map(\.identifier) }

  /// Takes in the first look at a mailbox.
  mutating func begin(_ identifier: String, _ look: Look) {
    let owesStored = options.contains(.startingWithStored)
    guard let cursor = Cursor(baseline: look, owesStored: owesStored) else { return }
    let mailbox = mailboxes.add(identifier)
    mailboxes[mailbox].cursor = cursor
    if owesStored { note(mailbox) }
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
      guard let mailbox = hearsAll ? mailboxes.add(identifier) : mailboxes.find(identifier) else { return false }
      note(mailbox)
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
      if hearsAll {
        phase = .busy
        return .everything
      }
      for mailbox in mailboxes.listened { note(mailbox) }
    }
    guard next < changed.count else {
      phase = .idle
      changed.removeAll(keepingCapacity: true)
      next = 0
      // Now that no number is in anybody's hands.
      if hearsAll { mailboxes.forgetThoseGone() }
      return nil
    }
    phase = .busy
    let mailbox = changed[next]
    next += 1
    mailboxes[mailbox].isChanged = false
    return .look(mailbox, after: mailboxes[mailbox].cursor?.start)
  }

  /// Takes in the list of all mailboxes: they, and those that were known, are looked at.
  mutating func noteAll(_ identifiers: [String]) {
    for identifier in identifiers { note(mailboxes.add(identifier)) }
    for mailbox in mailboxes.listened { note(mailbox) }
  }

  /// Takes in what a look found; gives what the listener is to be given, nil when that is nothing.
  mutating func take(_ look: Look, at mailbox: Mailbox) -> Finding? {
    if phase == .ended || !mailboxes[mailbox].isListenedTo { return nil }
    let items = Cursor.advance(&mailboxes[mailbox].cursor, look, options, sender: sender)
    return items.isEmpty ? nil : Finding(mailbox: mailbox, items: items)
  }

  /// A handler is about to run for a mailbox, or for what concerns none; false when it must not.
  mutating func handlerStarts(_ mailbox: Mailbox?, _ thread: ThreadID) -> Bool {
    if phase == .ended { return false }
    if let mailbox, !mailboxes[mailbox].isListenedTo { return false }
    running = (mailbox, thread)
    return true
  }

  /// The handler has returned; true when somebody may wait for that.
  mutating func handlerEnded() -> Bool {
    defer { running = nil }
    if phase == .ended { return true }
    guard let mailbox = running?.mailbox else { return false }
    return !mailboxes[mailbox].isListenedTo
  }

  /// Ends the listening to one mailbox, or all of it when that was the last or none is named; false when it heard it not.
  mutating func end(_ identifier: String?) -> Bool {
    if phase == .ended { return false }
    if let identifier {
      guard !hearsAll, let mailbox = mailboxes.find(identifier) else { return false }
      mailboxes[mailbox].isListenedTo = false
      mailboxes[mailbox].cursor = nil
      if !mailboxes.listened.isEmpty { return true }
    }
    phase = .ended
    changed = []
    notices = []
    next = 0
    return true
  }

  private var hasChanges: Bool { !notices.isEmpty || mayAllHaveChanged || next < changed.count }

  private mutating func note(_ mailbox: Mailbox) {
    if mailboxes[mailbox].isChanged { return }
    mailboxes[mailbox].isChanged = true
    changed.append(mailbox)
  }
}
