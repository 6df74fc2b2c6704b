/// A receiver at the place of one subscriber: gives the items one after the other and notes what is taken.
struct QueueReceiver: Sendable {
  /// An item that is in hand.
  struct Delivery: Sendable {
    /// The item.
    let record: QueueRecord
    /// The place behind it.
    let place: QueuePlace
    /// Whether a handler may have seen it before.
    var isRedelivered: Bool
  }

  /// What there is to do next.
  enum Step: Sendable {
    case deliver(Delivery)
    /// What failed its checks was passed over, or the item in hand was set aside as asked.
    case notice(WormholeError)
    /// There is nothing; the next sender rings.
    case empty
    /// Another receiver has the subscriber's place; its end rings.
    case standby
  }

  /// The place while this receiver has it.
  struct Holding: Sendable {
    let file: QueueFile
    let index: Int
    var cell: SubscriberCell
    var cursor: QueueCursor
    /// Whether the file does not yet say what `cell` says.
    var isUnwritten = false
    /// Whether senders that await are still to be woken.
    var owesRing = false
    /// The last sequence that the file's cell says is done.
    var written: UInt64
    var cancelGeneration: UInt64
    /// What was in hand when the last receiver ended, 0 for nothing.
    let redelivered: UInt64
    /// What senders told when the cell was last written.
    var latest = QueueAttention()
    /// Up to where space was last given back.
    var reclaimed: UInt64
    /// How many items were given since nothing was there.
    var run = 0
  }

  /// The queue, with a descriptor of its own: its locks are this receiver's alone.
  let queue: Queue
  /// The subscriber, nil for the default one.
  let subscriber: String?
  /// The largest payload.
  let limit: Int
  private(set) var holding: Holding?
  private(set) var inHand: Delivery?
  /// Whether it has had the place: then a queue that is gone is made again by who sends, not by who receives, since the
  /// whole directory may just be being removed.
  private var hasHeld = false

  /// A receiver that takes its place when it is first asked for an item.
  init(queue: Queue, subscriber: String?, limit: Int) {
    self.queue = queue
    self.subscriber = subscriber
    self.limit = limit
  }

  /// The next item, or the one in hand again when its handler refused it.
  mutating func take() throws(WormholeError) -> Step {
    while true {
      if holding == nil {
        guard try activate() else { return .standby }
      }
      if var again = inHand {
        again.isRedelivered = true
        return .deliver(again)
      }
      do throws(Errno) {
        switch try holding?.next(queue) {
        case .item(let delivery)?:
          inHand = delivery
          return .deliver(delivery)
        case .damaged(let place)?:
          return .notice(
            WormholeError(
              .damagedArchive, path: queue.path.description,
              reason: "items before number \(place.sequence + 1) fail their checks and are passed over"))
        case .empty?:
          // The name may lead to another file by now.
          if try holding?.file.isCurrent() == true { return .empty }
          close()
        case nil: return .standby
        }
      } catch {
        // What is done is kept in memory, since the file may not say so; the next call begins behind it.
        holding?.startAgain(limit: limit)
        // The name may lead to another file by now.
        if (try? holding?.file.isCurrent()) == false { close() }
        throw WormholeError(error, "cannot receive from the queue", queue.path)
      }
    }
  }

  /// Notes that the item in hand is taken; the file says so with the next item or when there is none.
  mutating func finish() {
    guard let delivery = inHand else { return }
    inHand = nil
    holding?.pass(to: delivery.place)
  }

  /// Lets the file say at once what is taken, instead of with the next item.
  mutating func settle() throws(Errno) { if holding?.isUnwritten == true { try holding?.write() } }

  /// Gives the place up; an item in hand stays so, and comes again.
  mutating func close() {
    if var open = holding, open.isUnwritten {
      // One failure shall not bring an item again that is taken.
      for _ in 0..<3 where open.isUnwritten { try? open.write() }
    }
    if let holding {
      // Not left to the closing: a child that is being started may still have a copy of the descriptor.
      try? holding.file.descriptor.unlock(at: QueueLayout.cell(holding.index))
      queue.forget(holding.file)
    }
    holding = nil
    inHand = nil
  }

  /// Takes the subscriber's place; false while another receiver has it.
  mutating func activate() throws(WormholeError) -> Bool {
    guard let (file, index) = try queue.register(subscriber, creating: !hasHeld) else { return false }
    let byte = QueueLayout.cell(index)
    guard
      try QueueFile.reading(
        "cannot lock the subscriber's place", queue.path,
        { () throws(Errno) in
          try file.descriptor.tryLock(.exclusive, at: byte)
        })
    else { return false }
    do throws(WormholeError) {
      holding = try begin(file, index)
      hasHeld = true
    } catch {
      // A place that nobody works at would keep others from it.
      try? file.descriptor.unlock(at: byte)
      throw error
    }
    return true
  }

  /// What a receiver begins with that has just locked the subscriber's place.
  private func begin(_ file: QueueFile, _ index: Int) throws(WormholeError) -> Holding {
    var page = QueuePage()
    let isSound = try QueueFile.reading("cannot read the queue", queue.path) { () throws(Errno) in
      var isSound = false
      // A commit block may be read while a sender writes it.
      for attempt in 0..<20 where !isSound {
        if attempt > 0 { Clock.sleep(nanoseconds: UInt64(attempt) * 50_000) }
        isSound = try page.load(from: file.descriptor)
      }
      return isSound
    }
    guard isSound else { throw QueueFile.damage(queue.path) }
    let name = try Queue.name(of: subscriber)
    var cell = SubscriberCell(hasReceived: true, name: name, done: page.commit.first)
    if case .cell(let found) = page.cell(index) { cell = found }
    let redelivered = cell.inHand > cell.done.sequence ? cell.inHand : 0
    if cell.done.offset < page.commit.first.offset || cell.done.offset > page.commit.end.offset {
      cell.done = page.commit.first
    }
    return Holding(
      file: file, index: index, cell: cell,
      cursor: QueueCursor(place: cell.done, commit: page.commit, limit: limit), written: cell.done.sequence,
      cancelGeneration: page.cancelGeneration, redelivered: redelivered, reclaimed: cell.done.offset)
  }
}
