/// How far a listener is in one mailbox, and what it is given of what a look there finds.
struct Cursor {
  /// The newest record that it has been given, or that was there before it.
  var position: Position
  /// How many records were skipped since the last one that it was given.
  var skipped = 0
  /// Whether it is still to be given the message that was stored when it began.
  var owesStored = false
  /// Whether nothing stood there at the last look. The place is kept: a directory that was moved away and comes back holds
  /// what was given before, and a mailbox that is made anew is another by its identity.
  private(set) var isCleared = false

  /// The start of a listening: what stands there already is not news. Nil when nothing stands there.
  init?(baseline look: Look, owesStored: Bool) {
    switch look {
    case .absent, .unchanged: return nil
    case .records(_, _, let position), .unreadable(_, let position): self.position = position
    }
    self.owesStored = owesStored
  }

  /// The start in a mailbox that was not there.
  private init(position: Position) { self.position = position }

  /// Where the next look starts; nil for the beginning.
  var start: Position? { owesStored ? nil : position }

  /// Takes in what a look found: moves the cursor, and says what the listener is given.
  static func advance(_ cursor: inout Cursor?, _ look: Look, _ options: ListeningOptions, sender: UInt64)
    -> [Finding.Item]
  {
    switch look {
    case .unchanged:
      cursor?.isCleared = false
      return []
    case .absent:
      guard var left = cursor, !left.isCleared else { return [] }
      left.isCleared = true
      left.owesStored = false
      left.skipped = 0
      cursor = left
      return [.cleared]
    case .unreadable(let error, let position):
      let skipped = cursor?.skipped ?? 0
      cursor = Cursor(position: position)
      cursor?.skipped = skipped
      return [.unreadable(error, position)]
    case .records(let records, let missed, let position):
      var next = Cursor(position: position)
      defer { cursor = next }
      if let cursor, cursor.owesStored {
        return next.itemsFromStored(records, missed, after: cursor.position, options, sender)
      }
      next.skipped = cursor?.skipped ?? 0
      // A look from the beginning counts nothing as missed; to this listener the whole mailbox is new.
      let before = cursor == nil ? Int(clamping: position.sequence) - records.count : missed
      return next.items(records, before, options, sender)
    }
  }

  /// What is given of records that have come, with the counts of those that were not.
  private mutating func items(_ records: [Record], _ missed: Int, _ options: ListeningOptions, _ sender: UInt64)
    -> [Finding.Item]
  {
    if records.count == 1, missed == 0, skipped == 0, !(options.contains(.ignoringOwn) && records[0].sender == sender) {
      return [.record(records[0], skipped: 0)]
    }
    // The look's count of the missing is split: the gaps between the records it gave, and what lay before the first.
    var gaps = 0
    for (earlier, later) in zip(records, records.dropFirst()) { gaps += Self.gap(earlier, later) }
    skipped += max(0, missed - gaps)
    let newest = options.contains(.every) ? nil : Self.newest(of: records, options, sender)
    var items: [Finding.Item] = []
    var earlier: Record?
    for record in records {
      if let earlier { skipped += Self.gap(earlier, record) }
      earlier = record
      if options.contains(.ignoringOwn), record.sender == sender { continue }
      if let newest, record.sequence != newest.message, record.sequence != newest.signal {
        skipped += 1
        continue
      }
      items.append(.record(record, skipped: skipped))
      skipped = 0
    }
    return items
  }

  /// The same, when the message stored at the beginning is still to be given: what was there then counts only as that.
  private mutating func itemsFromStored(
    _ records: [Record], _ missed: Int, after start: Position, _ options: ListeningOptions, _ sender: UInt64
  ) -> [Finding.Item] {
    guard start.identity == position.identity else { return items(records, missed, options, sender) }
    let isWanted = { (record: Record) in !(options.contains(.ignoringOwn) && record.sender == sender) }
    let news = records.filter { $0.sequence > start.sequence }
    let held = records.filter { $0.sequence <= start.sequence && $0.payload != nil }
    let gaps = zip(news, news.dropFirst()).reduce(0) { $0 + Self.gap($1.0, $1.1) }
    let before = news.first.map { Int(clamping: $0.sequence - start.sequence - 1) } ?? 0
    let given = items(news, before + gaps, options, sender)
    if options.contains(.every) { return held.filter(isWanted).map { .record($0, skipped: 0) } + given }
    if let stored = held.last, isWanted(stored), !given.contains(where: \.isMessage) {
      return [.record(stored, skipped: 0)] + given
    }
    return given
  }

  /// The sequences of the newest message, and of the newest signal when that came after it.
  private static func newest(of records: [Record], _ options: ListeningOptions, _ sender: UInt64)
    -> (message: UInt64?, signal: UInt64?)
  {
    let isWanted = { (record: Record) in !(options.contains(.ignoringOwn) && record.sender == sender) }
    let message = records.last { $0.payload != nil && isWanted($0) }?.sequence
    let signal = records.last { $0.payload == nil && isWanted($0) }?.sequence
    return (message, (signal ?? 0) > (message ?? 0) ? signal : nil)
  }

  /// How many records lie between two.
  private static func gap(_ earlier: Record, _ later: Record) -> Int {
    later.sequence > earlier.sequence ? Int(clamping: later.sequence - earlier.sequence - 1) : 0
  }
}

extension Finding.Item {
  /// Whether it has a payload.
  fileprivate var isMessage: Bool { if case .record(let record, _) = self { record.payload != nil } else { false } }
}
