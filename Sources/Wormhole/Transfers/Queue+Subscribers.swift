/// What became of giving up a subscriber's place.
package enum SubscriberRemoval: Sendable {
  /// It is given up.
  case removed
  /// There is no such subscriber.
  case absent
  /// A receiver works at it.
  case receiving
}

/// The subscribers' places.
extension Queue {
  /// The index of a subscriber's cell, which is made where it has none; nil names the default subscriber.
  ///
  /// A new subscriber begins with the oldest item that is outstanding for another. Without `creating`, nil when there is
  /// no queue.
  func register(_ subscriber: String?, creating: Bool = true) throws(WormholeError) -> (file: QueueFile, index: Int)? {
    let name = try Self.name(of: subscriber)
    let found = try withWriteLock(creating: creating) { file, page throws(WormholeError) -> (QueueFile, Int) in
      let index = try Self.index(of: name, in: page, file.path)
      let start = page.slowest
      var cell = SubscriberCell(name: name, done: start)
      switch page.cell(index) {
      case .cell(let old) where old.hasReceived: return (file, index)
      // The default subscriber's own place, unless others have gone on without it.
      case .cell(let old): cell.done = page.holders.contains { $0.index == index } ? old.done : start
      case .damaged: cell.done = page.commit.first
      case .unused: break
      }
      cell.hasReceived = true
      try file.write(cell, at: index)
      return (file, index)
    }
    return found.map { ($0.0, $0.1) }
  }

  /// Gives up a named subscriber's place, so that nothing is kept for it, unless it is receiving.
  func removeSubscriber(_ subscriber: String) throws(WormholeError) -> SubscriberRemoval {
    let name = try Self.name(of: subscriber)
    let removed = try withWriteLock(creating: false) { file, page throws(WormholeError) -> SubscriberRemoval in
      for index in 1..<QueueLayout.cellCount {
        guard case .cell(let cell) = page.cell(index), cell.name == name else { continue }
        return try QueueFile.reading("cannot write to the queue", file.path) { () throws(Errno) in
          guard try file.descriptor.tryLock(.exclusive, at: QueueLayout.cell(index)) else { return .receiving }
          defer { try? file.descriptor.unlock(at: QueueLayout.cell(index)) }
          let empty = [UInt8](repeating: 0, count: QueueLayout.cellLength)
          try empty.withRawBytes { bytes throws(Errno) in
            try file.descriptor.write(bytes, at: QueueLayout.cell(index))
          }
          return .removed
        }
      }
      return .absent
    }
    return removed ?? .absent
  }

  /// The bytes of a subscriber's name, none for the default one.
  static func name(of subscriber: String?) throws(WormholeError) -> [UInt8] {
    guard let subscriber else { return [] }
    let name = Array(subscriber.utf8)
    guard !name.isEmpty, name.count <= QueueLayout.longestName else {
      throw WormholeError(
        .invalidIdentifier,
        reason: "the name of a subscriber has 1 to \(QueueLayout.longestName) bytes, not \(name.count)")
    }
    return name
  }

  /// Where a subscriber's cell is or can be.
  private static func index(of name: [UInt8], in page: QueuePage, _ path: Path) throws(WormholeError) -> Int {
    if name.isEmpty { return 0 }
    var free: Int?
    var behind: SubscriberCell?
    for index in 1..<QueueLayout.cellCount {
      switch page.cell(index) {
      case .cell(let cell):
        if cell.name == name { return index }
        if cell.done.sequence < behind?.done.sequence ?? .max { behind = cell }
      // What a damaged cell keeps is taken over by the first who comes.
      case .damaged: free = index
      case .unused: free = free ?? index
      }
    }
    guard let free else {
      throw WormholeError(
        .limitReached, path: path.description,
        reason:
          "the queue has \(QueueLayout.cellCount - 1) subscribers, which is all that it has places for; give up one "
          + "that never comes again by removeSubscriber, or wormhole-listen --forget"
          + (behind.map { " (furthest behind is \(String(decoding: $0.name, as: UTF8.self)))" } ?? ""))
    }
    return free
  }
}

extension QueueFile {
  /// Writes a subscriber's cell.
  func write(_ cell: SubscriberCell, at index: Int) throws(WormholeError) {
    do throws(Errno) { try writeCell(cell, at: index) } catch {
      throw WormholeError(error, "cannot write to the queue", path)
    }
  }

  /// Writes a subscriber's cell.
  func writeCell(_ cell: SubscriberCell, at index: Int) throws(Errno) {
    // 128 bytes beside each other in one page: copied in one go.
    try withUnsafeTemporaryBytes(QueueLayout.cellLength) { bytes throws(Errno) in
      cell.store(in: bytes)
      try descriptor.write(UnsafeRawBufferPointer(bytes), at: QueueLayout.cell(index))
    }
  }

  /// Reads a subscriber's cell; nil when it fails its checks again and again.
  func cell(_ index: Int) throws(WormholeError) -> SubscriberCell? {
    var page = QueuePage()
    for attempt in 0..<20 {
      _ = try Self.reading("cannot read the queue", path) { () throws(Errno) in try page.load(from: descriptor) }
      if case .cell(let cell) = page.cell(index) { return cell }
      Clock.sleep(nanoseconds: UInt64(attempt) * 10_000)
    }
    return nil
  }
}

/// Runs `body` on some bytes of the stack, keeping the type of its error.
func withUnsafeTemporaryBytes<R>(
  _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Errno) -> R
) throws(Errno) -> R {
  let result = withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { bytes -> Result<R, Errno> in
    do throws(Errno) { return .success(try body(bytes)) } catch { return .failure(error) }
  }
  return try result.get()
}
