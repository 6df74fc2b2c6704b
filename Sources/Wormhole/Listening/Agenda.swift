/// What the wormhole thread is to do beside hearing events: work at once, and work at a moment of the monotonic clock.
struct Agenda {
  /// A piece of work.
  typealias Work = @Sendable () -> Void

  /// Work that waits for its moment.
  private struct Deadline {
    let time: UInt64
    let number: UInt64
    let work: Work
  }

  /// What is to be done at once, first come first.
  private var now: [Work] = []
  /// What waits, the earliest last.
  private var later: [Deadline] = []
  private var lastNumber: UInt64 = 0

  /// The moment of the earliest deadline in nanoseconds, nil when none is pending.
  var nextDeadline: UInt64? { later.last?.time }

  /// Adds work to be done at once.
  mutating func add(_ work: @escaping Work) { now.append(work) }

  /// Adds work to be done at `time`; of equal times the first added comes first. Gives its number.
  mutating func add(at time: UInt64, _ work: @escaping Work) -> UInt64 {
    lastNumber += 1
    let index = later.partitioningIndex { $0.time <= time }
    later.insert(Deadline(time: time, number: lastNumber, work: work), at: index)
    return lastNumber
  }

  /// Takes work back that waits for its moment; nil when it was done already.
  ///
  /// The work is handed out, so that what it holds is not released under a lock.
  mutating func remove(_ number: UInt64) -> Work? {
    later.firstIndex { $0.number == number }.map { later.remove(at: $0).work }
  }

  /// Takes all that is to be done by the time `clock` gives, which is asked only when something waits.
  mutating func takeDue(_ clock: () -> UInt64) -> [Work] {
    var due = now
    now.removeAll()
    if later.isEmpty { return due }
    let time = clock()
    while let last = later.last, last.time <= time {
      due.append(last.work)
      later.removeLast()
    }
    return due
  }
}

extension Array {
  /// The first index whose element fulfils `belongsBehind`, in an array where all that do stand behind all that do not.
  fileprivate func partitioningIndex(_ belongsBehind: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if belongsBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
