/// The state machine of a sequence of events: it says what its consumer does next. Pure: it calls nobody.
struct EventsState {
  /// What the consumer does.
  enum Step {
    /// It gets this.
    case give(Finding.Item, identifier: String)
    /// It asks the lookout, and hands over what that found.
    case look
    /// It waits.
    case wait
    /// It gets nil.
    case end
  }

  /// What the last look found and has not been given: bounded by what one mailbox holds.
  private var finding: Finding?
  private var given = 0
  /// Whether the lookout may have something.
  private var hasNews = true
  /// Whether somebody asks the lookout: a second consumer waits for its turn.
  private var isLooking = false
  private var isEnded = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// What a consumer that wants an event does.
  mutating func nextStep() -> Step {
    if isEnded { return .end }
    if let finding {
      let item = finding.items[given]
      given += 1
      if given == finding.items.count { self.finding = nil }
      return .give(item, identifier: finding.mailbox?.identifier ?? "")
    }
    if isLooking || !hasNews { return .wait }
    isLooking = true
    hasNews = false
    return .look
  }

  /// Takes in what the lookout found, nil for nothing; gives those whose waiting is over.
  mutating func found(_ finding: Finding?) -> [CheckedContinuation<Void, Never>] {
    isLooking = false
    self.finding = isEnded ? nil : finding
    given = 0
    // After something there may be more; after nothing there is none until it is told.
    if finding != nil { hasNews = true }
    return takeWaiting()
  }

  /// The lookout has something.
  mutating func noteNews() -> [CheckedContinuation<Void, Never>] {
    hasNews = true
    return takeWaiting()
  }

  /// Ends the sequence.
  mutating func end() -> [CheckedContinuation<Void, Never>] {
    isEnded = true
    finding = nil
    return takeWaiting()
  }

  /// Lets a consumer wait; false when there is something for it by now.
  mutating func wait(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
    if isEnded || finding != nil || (hasNews && !isLooking) { return false }
    waiting.append(continuation)
    return true
  }

  private mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
    defer { waiting.removeAll() }
    return waiting
  }
}
