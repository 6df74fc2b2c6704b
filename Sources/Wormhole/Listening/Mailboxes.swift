/// A mailbox of a listening: its name, and its number there, by which it is found without a search.
struct Mailbox: Sendable {
  /// The identifier.
  let identifier: String
  /// Its number, good until the listening is idle the next time.
  let number: Int
}

/// What a listening knows of each mailbox.
struct Mailboxes {
  /// What is known of one.
  struct Entry {
    /// The identifier.
    let identifier: String
    /// How far the listener is there; nil as long as nothing stood there.
    var cursor: Cursor?
    /// Whether it is to be looked at.
    var isChanged = false
    /// Whether it is still listened to.
    var isListenedTo = true
  }

  private var entries: [Entry] = []
  private var numbers: [IdentifierKey: Int] = [:]
  /// The one that was asked for last: most often the next is the same.
  private var last: Mailbox?
  /// How many there may be before those that are gone are dropped.
  private var limit = Mailboxes.leastLimit
  private static let leastLimit = 1024

  /// Those listened to. Complexity: linear in their number.
  var listened: [Mailbox] {
    entries.indices.compactMap { number in
      entries[number].isListenedTo ? Mailbox(identifier: entries[number].identifier, number: number) : nil
    }
  }

  /// What is known of one.
  subscript(mailbox: Mailbox) -> Entry {
    get { entries[mailbox.number] }
    _modify { yield &entries[mailbox.number] }
  }

  /// The one of this identifier, if it is known and listened to.
  mutating func find(_ identifier: String) -> Mailbox? {
    let key = IdentifierKey(identifier)
    if let last, IdentifierKey(last.identifier) == key { return entries[last.number].isListenedTo ? last : nil }
    guard let number = numbers[key], entries[number].isListenedTo else { return nil }
    let mailbox = Mailbox(identifier: entries[number].identifier, number: number)
    last = mailbox
    return mailbox
  }

  /// The one of this identifier, which is known and listened to from now on.
  @discardableResult
  mutating func add(_ identifier: String) -> Mailbox {
    if let known = find(identifier) { return known }
    let mailbox = Mailbox(identifier: identifier, number: entries.count)
    entries.append(Entry(identifier: identifier))
    numbers[IdentifierKey(identifier)] = mailbox.number
    return mailbox
  }

  /// Drops those that are gone, when they have become many; all numbers are others then.
  ///
  /// Who listens to all meets any number of identifiers in time.
  mutating func forgetThoseGone() {
    guard entries.count > limit else { return }
    entries.removeAll { $0.cursor?.isCleared ?? true }
    numbers = [:]
    for (number, entry) in entries.enumerated() { numbers[IdentifierKey(entry.identifier)] = number }
    last = nil
    limit = max(Self.leastLimit, entries.count * 2)
  }
}
