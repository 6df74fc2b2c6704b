/// Items that their handler kept refusing, out of the way of the queue: each a file of its own in the hidden folder.
///
///     0  checksum UInt64 of all that follows
///     8  identity of the queue, 16  index of the subscriber's cell, 24  length of the identifier, 32  of the subscriber
///    40  identifier, subscriber, padded to 8 bytes; then the record
struct SetAsideItem: Sendable {
  /// The file.
  let name: FileName
  /// The queue it was in.
  let identifier: String
  /// Whose item it was, nil for the default subscriber.
  let subscriber: String?
  /// The subscriber's cell.
  let index: Int
  /// The item itself.
  let record: QueueRecord

  private static let headerLength = 40

  /// The name of the file of an item: the same each time, so that the same item is never there twice.
  static func name(identity: UInt64, sequence: UInt64, index: Int) -> FileName {
    FileName(Array("s-\(String(identity, radix: 16))-\(String(sequence, radix: 16))-\(index)".utf8))
  }

  /// The bytes of the file.
  static func bytes(
    identity: UInt64, identifier: String, subscriber: String?, index: Int, record: QueueRecord
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: headerLength)
    let (name, owner) = (Array(identifier.utf8), Array((subscriber ?? "").utf8))
    bytes += name + owner
    bytes += [UInt8](repeating: 0, count: QueueRecord.padded(bytes.count) - bytes.count)
    record.append(sequence: record.sequence, to: &bytes)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.store(identity, at: 8)
      bytes.store(UInt64(index), at: 16)
      bytes.store(UInt64(name.count), at: 24)
      bytes.store(UInt64(owner.count), at: 32)
      bytes.store(Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[8...]), seed: 0), at: 0)
    }
    return bytes
  }

  /// Reads an item out of the bytes of its file, nil when they fail their checks.
  init?(name: FileName, bytes: UnsafeRawBufferPointer, limit: Int) {
    let start = Self.headerLength
    guard bytes.count > start,
      bytes.word(at: 0) == Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[8...]), seed: 0),
      bytes.word(at: 24) <= 4096, bytes.word(at: 32) <= 64, bytes.word(at: 16) < UInt64(QueueLayout.cellCount)
    else { return nil }
    let (nameEnd, ownerCount) = (start + Int(bytes.word(at: 24)), Int(bytes.word(at: 32)))
    let record = QueueRecord.padded(nameEnd + ownerCount)
    guard record < bytes.count,
      case .record(let item, _) = QueueRecord.reading(UnsafeRawBufferPointer(rebasing: bytes[record...]), limit: limit)
    else { return nil }
    self.name = name
    identifier = String(decoding: bytes[start..<nameEnd], as: UTF8.self)
    subscriber = ownerCount == 0 ? nil : String(decoding: bytes[nameEnd..<nameEnd + ownerCount], as: UTF8.self)
    index = Int(bytes.word(at: 16))
    self.record = item
  }
}

extension TransferStore {
  /// Writes an item's file whole, then gives it its name.
  func setAside(
    _ record: QueueRecord, of file: QueueFile, identifier: String, subscriber: String?, index: Int
  ) throws(WormholeError) {
    let name = SetAsideItem.name(identity: file.identity, sequence: record.sequence, index: index)
    try withRenumberedFile(of: record) { record throws(WormholeError) in
      let bytes = SetAsideItem.bytes(
        identity: file.identity, identifier: identifier, subscriber: subscriber, index: index, record: record)
      try write(bytes, to: name)
    }
  }

  private func write(_ bytes: [UInt8], to name: FileName) throws(WormholeError) {
    try QueueFile.reading("cannot set an item aside", archives.hidden) { () throws(Errno) in
      var temporary = try Temporary.make(in: archives.hidden, mode: mode)
      try bytes.withRawBytes { bytes throws(Errno) in try temporary.file.write(bytes, at: 0) }
      // On the disk before the queue says that it is taken: an item that was sent to last a power cut still does.
      try temporary.file.synchronize()
      try temporary.rename(to: archives.hidden.appending(name))
      try FileSystem.synchronizeDirectory(archives.hidden)
    }
  }

  /// The items set aside, queue by queue, oldest first.
  ///
  /// With `requiringAll`, one that cannot be read is an error and not left out.
  func setAsideItems(_ identifier: String?, requiringAll: Bool = false) throws(WormholeError) -> [SetAsideItem] {
    var names: [FileName] = []
    var items: [SetAsideItem] = []
    let limit = requiringAll ? 1 << 31 : sizeLimit
    try QueueFile.reading("cannot read the folder", archives.hidden) { () throws(Errno) in
      do throws(Errno) {
        try FileSystem.forEachName(in: archives.hidden) { if $0.bytes.starts(with: "s-".utf8) { names.append($0) } }
      } catch {
        // Where only somebody looks there need be no folder.
        guard error == .noEntry else { throw error }
      }
      for name in names {
        guard let file = try? FileDescriptor.open(archives.hidden.appending(name), OpenFlags.readOnly) else { continue }
        // Whatever else stands at such a name is passed over, as what fails its checks is.
        let status = try file.status()
        if status.kind != .regular || status.size > limit + 8192 { continue }
        let size = status.size
        var bytes = [UInt8](repeating: 0, count: size)
        let count = try bytes.withMutableRawBytes { buffer throws(Errno) in try file.read(into: buffer, at: 0) }
        let item = bytes.withRawBytes {
          SetAsideItem(name: name, bytes: UnsafeRawBufferPointer(rebasing: $0[..<count]), limit: limit)
        }
        if let item, identifier.map({ $0.utf8.elementsEqual(item.identifier.utf8) }) ?? true { items.append(item) }
      }
    }
    guard !requiringAll || items.count == names.count else {
      throw WormholeError(
        .damagedArchive, path: archives.hidden.description,
        reason: "\(names.count - items.count) transfers that were set aside cannot be read")
    }
    // By their numbers within a queue: a clock that was set back must not change who is first.
    return items.sorted { a, b in
      if a.identifier.utf8.elementsEqual(b.identifier.utf8) { return a.record.sequence < b.record.sequence }
      return a.identifier.utf8.lexicographicallyPrecedes(b.identifier.utf8)
    }
  }

  /// Puts items back at the end of their queue, for the subscriber that they were set aside for; gives their number.
  func putBack(_ identifier: String, subscriber: String?) throws(WormholeError) -> Int {
    var count = 0
    for item in try setAsideItems(identifier) where item.subscriber == subscriber {
      let path = archives.hidden.appending(item.name)
      // Locked while it is put back, so that two who do it at once do not put it back twice.
      guard let file = try? FileDescriptor.open(path, OpenFlags.readWrite),
        (try? file.tryLock(.exclusive, at: 0)) == true,
        (try? file.status().linkCount) ?? 0 > 0
      else { continue }
      defer { try? file.unlock(at: 0) }
      var record = item.record
      record.target = item.index
      // On the disk before the file goes, as when it was set aside.
      try withRenumberedFile(of: record) { record throws(WormholeError) in
        _ = try queue(identifier).append([record], limit: .max, durability: .durable)
      }
      try QueueFile.reading("cannot remove", path) { () throws(Errno) in try FileSystem.remove(path) }
      if let number = record.file { removeFile(number) }
      count += 1
    }
    return count
  }

  /// Sets the item aside that is first in line for a subscriber; false when there is none.
  ///
  /// Where a receiver has the place, it does so itself as soon as its handler has returned.
  func setAsideFirst(_ identifier: String, subscriber: String?) throws(WormholeError) -> Bool {
    let name = try Queue.name(of: subscriber)
    let queue = try ownQueue(identifier)
    guard let file = try queue.file(creating: false) else { return false }
    var receiver = QueueReceiver(queue: queue, subscriber: subscriber, limit: sizeLimit)
    switch try receiver.take() {
    case .deliver:
      try receiver.setAside(in: self)
      receiver.close()
      return true
    case .standby:
      let isThere = try queue.withWriteLock(creating: false) { file, page throws(WormholeError) -> Bool in
        for index in 0..<QueueLayout.cellCount {
          guard case .cell(let cell) = page.cell(index), cell.name == name else { continue }
          if cell.done.sequence >= page.commit.end.sequence { return false }
          var wish = [UInt8](repeating: 0, count: 8)
          try QueueFile.reading("cannot write to the queue", file.path) { () throws(Errno) in
            try wish.withMutableRawBytes { bytes throws(Errno) in
              bytes.store(cell.done.sequence + 1, at: 0)
              try file.descriptor.write(UnsafeRawBufferPointer(bytes), at: QueueLayout.wishes + 8 * index)
            }
          }
          return true
        }
        return false
      }
      queue.ring(file)
      return isThere ?? false
    case .empty, .notice:
      receiver.close()
      return false
    }
  }
}

extension QueueReceiver {
  /// Whether the item in hand was refused and somebody wants it set aside.
  var isAskedToSetAside: Bool {
    guard let inHand, let holding, let attention = try? holding.readAttention() else { return false }
    return attention.wish != 0 && attention.wish <= inHand.record.sequence
      && attention.wish > holding.cell.done.sequence
  }

  /// Takes the place or finds it taken, so that the queue and the subscriber's cell are there.
  mutating func prepare() throws(WormholeError) { _ = try activate() }

  /// As `take`, and an item that was refused and is to be set aside goes there.
  mutating func take(settingAside store: TransferStore) throws(WormholeError) -> Step {
    if isAskedToSetAside { try setAside(in: store) }
    return try take()
  }

  /// Puts the item in hand out of the way of the queue.
  mutating func setAside(in store: TransferStore) throws(WormholeError) {
    guard let delivery = inHand, let holding else { return }
    let name = queue.path.fileName
    guard let identifier = ArchiveName.identifier(of: name, ending: ArchiveName.queue) else { return }
    try store.setAside(
      delivery.record, of: holding.file, identifier: identifier, subscriber: subscriber, index: holding.index)
    finish()
    releaseFile(of: delivery, in: store)
  }
}

extension Path {
  /// The last component.
  var fileName: FileName {
    let slash = CChar(bitPattern: UInt8(ascii: "/"))
    let start = bytes.lastIndex(of: slash).map { $0 + 1 } ?? 0
    return FileName(bytes[start..<(bytes.count - 1)].map { UInt8(bitPattern: $0) })
  }
}
