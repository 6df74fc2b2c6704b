/// Where a receiver has an item from.
struct ReceiverPlace: Sendable {
  /// The queue.
  let queue: Queue
  /// The queue's number.
  let identity: UInt64
  /// The subscriber's cell.
  let index: Int

  /// The item of a delivery.
  func item(_ delivery: QueueReceiver.Delivery) -> QueueItem {
    let record = delivery.record
    return QueueItem(
      identity: identity, sequence: record.sequence, start: delivery.place.offset - UInt64(record.readLength))
  }
}

extension QueueReceiver {
  /// Where it has its items from, nil while it has no place.
  var place: ReceiverPlace? {
    holding.map { ReceiverPlace(queue: queue, identity: $0.file.identity, index: $0.index) }
  }

  /// Removes the file of an item that is done with, as soon as no other subscriber is to take it.
  mutating func releaseFile(of delivery: Delivery, in store: TransferStore) {
    guard let number = delivery.record.file, let place else { return }
    // First the note that it is taken: a file without an item is swept, an item without its file would be lost.
    guard (try? settle()) != nil else { return }
    if delivery.record.target == nil, (try? queue.fate(of: place.item(delivery))) ?? .outstanding == .outstanding {
      store.separate(number)
      return
    }
    store.removeFile(number)
  }
}

/// A file in the hands of who receives it; what is left of it goes with this.
final class HeldFile: Sendable {
  /// The file.
  let file: ReceivedFile
  private let temporary: Temporary

  init(_ file: ReceivedFile, _ temporary: consuming Temporary) {
    self.file = file
    self.temporary = temporary
  }
}

extension WormholeError {
  /// What is wrong with a message where a file is wanted.
  static func isNoFile(_ record: QueueRecord, _ identifier: String) -> WormholeError {
    WormholeError(
      .cannotDecode,
      reason: "transfer \(record.sequence) of \(identifier) is a message and no file; use receiveTransfers")
  }

  /// What is wrong with a file's item that does not say which file.
  static func namesNoFile(_ record: QueueRecord, _ identifier: String) -> WormholeError {
    WormholeError(.damagedArchive, reason: "transfer \(record.sequence) of \(identifier) names no file")
  }
}

extension TransferStore {
  /// Gives `handler` the file of an item, as one of its own.
  func deliver(
    _ delivery: QueueReceiver.Delivery, from place: ReceiverPlace, identifier: String,
    _ handler: (ReceivedFile) throws -> Void
  ) -> TransferReceiver.Outcome {
    let held: HeldFile?
    do throws(WormholeError) { held = try file(of: delivery, from: place, identifier: identifier) } catch {
      return error.code == .unreadableFile ? .undecodable(error) : .failed(error)
    }
    guard let held else { return .undecodable(.namesNoFile(delivery.record, identifier)) }
    return withExtendedLifetime(held) {
      do { try handler(held.file) } catch { return .refused(by: error, delivery.record, identifier) }
      return .taken
    }
  }

  /// The file of an item, as one of the caller's own; nil when the item names none.
  func file(
    of delivery: QueueReceiver.Delivery, from place: ReceiverPlace, identifier: String
  ) throws(WormholeError) -> HeldFile? {
    guard let (envelope, metadata) = FileEnvelope.opening(delivery.record) else { return nil }
    var isLast = delivery.record.target != nil
    if !isLast { isLast = try place.queue.isLast(place.index, of: place.item(delivery)) }
    let temporary = try handOver(envelope.number, isLast: isLast)
    let file = ReceivedFile(
      delivery, envelope, metadata: metadata, identifier: identifier, path: temporary.path.description)
    return HeldFile(file, temporary)
  }

  /// A file for one handler to do with as it likes: the file itself for the last subscriber, under a further name, so that
  /// it can come again; a copy, by shared blocks where the file system can, as long as others are to get it unchanged, or
  /// when it belongs to another user.
  private func handOver(_ number: UInt64, isLast: Bool) throws(WormholeError) -> Temporary {
    let path = filePath(number)
    guard let file = try openFile(path) else {
      throw WormholeError(
        .unreadableFile, path: path.description, errno: Errno.noEntry.rawValue,
        reason: "the file in transit is gone; ask its sender for it, and find out what removes files there")
    }
    // A second name is that of an earlier handler, who may change the file.
    guard isLast, let status = try? file.status(), status.linkCount == 1, status.owner == Program.user else {
      return try copy(of: file, path)
    }
    do throws(Errno) { return try Temporary.another(nameFor: file, at: path, in: archives.hidden) } catch {
      guard Temporary.linkRefusals.contains(error) else { throw WormholeError(error, "cannot link the file", path) }
    }
    guard let again = try openFile(path) else {
      throw WormholeError(.inputOutput, path: path.description, reason: "the file in transit was removed; try again")
    }
    return try copy(of: again, path)
  }

  /// Makes a file that a handler has kept independent of it, since a subscriber came meanwhile who is to get it too.
  fileprivate func separate(_ number: UInt64) {
    let path = filePath(number)
    guard let file = try? openFile(path), (try? file.status().linkCount) ?? 1 > 1,
      var copy = try? copy(of: file, path)
    else { return }
    try? copy.rename(to: path)
    copy.end()
  }
}
