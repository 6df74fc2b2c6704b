/// Reads the records of a queue one after the other, in chunks.
struct QueueCursor: Sendable {
  /// What the cursor came to.
  enum Step: Sendable {
    case record(QueueRecord, place: QueuePlace)
    /// What lies before `place` fails its checks and is passed over.
    case damaged(place: QueuePlace)
    /// There is no more up to the end that is known.
    case end
  }

  /// Where it stands.
  private(set) var place: QueuePlace
  /// What was committed when it last looked.
  private(set) var commit: QueueCommit
  /// The largest payload.
  private let limit: Int
  private var chunk: [UInt8] = []
  private var chunkOffset: UInt64 = 0
  private static let chunkLength = 64 << 10

  /// A cursor behind `place`.
  init(place: QueuePlace, commit: QueueCommit, limit: Int) {
    self.place = place
    self.commit = commit
    self.limit = limit
  }

  /// Looks what is committed now; true when there is something behind the cursor.
  ///
  /// No lock is needed: a block that fails its checks is being written, and is read again.
  mutating func look(_ descriptor: borrowing FileDescriptor) throws(Errno) -> Bool? {
    for attempt in 0..<200 {
      let read = try withUnsafeTemporaryBytes(QueueCommit.range.count) { block throws(Errno) -> QueueCommit? in
        guard try descriptor.read(into: block, at: QueueLayout.commitBlock) == block.count else { return nil }
        return QueueCommit(block: UnsafeRawBufferPointer(block))
      }
      if let read {
        if read.base != commit.base { chunk = [] }
        commit = read
        // Another program put an older file there, or damage: begin with what there is.
        if place.offset < commit.first.offset || place.offset > commit.end.offset { place = commit.first }
        return place.offset < commit.end.offset
      }
      Clock.sleep(nanoseconds: UInt64(attempt) * 10_000)
    }
    return nil
  }

  /// The next record up to the end that is known.
  mutating func next(_ descriptor: borrowing FileDescriptor) throws(Errno) -> Step {
    var wanted = QueueRecord.headerLength
    while place.offset < commit.end.offset {
      let start = Int(place.offset &- chunkOffset)
      if place.offset < chunkOffset || start + wanted > chunk.count {
        guard try load(at: place.offset, length: wanted, descriptor) else { break }
        continue
      }
      let limit = self.limit
      let reading = chunk.withUnsafeBytes {
        QueueRecord.reading(UnsafeRawBufferPointer(rebasing: $0[start...]), limit: limit)
      }
      switch reading {
      case .needs(let length) where UInt64(length) <= commit.end.offset - place.offset: wanted = length
      case .record(let record, let length)
      where record.sequence == place.sequence + 1 && UInt64(length) <= commit.end.offset - place.offset:
        place = QueuePlace(sequence: record.sequence, offset: place.offset + UInt64(length))
        return .record(record, place: place)
      case .needs, .record, .damaged:
        try passOver(descriptor)
        return .damaged(place: place)
      }
    }
    if place.offset >= commit.end.offset { return .end }
    place = commit.end
    return .damaged(place: place)
  }

  /// Forgets what it has read ahead, so that marks are read anew.
  mutating func forgetChunk() { chunk = [] }

  /// Fills the chunk from `offset` on with at least `length` bytes; false when the file ends before.
  private mutating func load(
    at offset: UInt64, length: Int, _ descriptor: borrowing FileDescriptor
  ) throws(Errno) -> Bool {
    let available = commit.end.offset - offset
    let count = Int(min(UInt64(max(length, Self.chunkLength)), max(available, UInt64(length))))
    if chunk.count != count { chunk = [UInt8](repeating: 0, count: count) }
    let position = commit.position(of: offset)
    let got = try chunk.withMutableRawBytes { buffer throws(Errno) in try descriptor.read(into: buffer, at: position) }
    if got < count { chunk.removeLast(count - got) }
    chunkOffset = offset
    return got >= length
  }

  /// Goes on to the next place where a whole record with a later number stands, or to the end.
  private mutating func passOver(_ descriptor: borrowing FileDescriptor) throws(Errno) {
    var offset = place.offset + 8
    var wanted = QueueRecord.headerLength
    while offset < commit.end.offset {
      if offset < chunkOffset || Int(offset - chunkOffset) + wanted > chunk.count {
        guard try load(at: offset, length: wanted, descriptor) else {
          // A record that claims more than the file has is none.
          if wanted == QueueRecord.headerLength { break }
          offset += 8
          wanted = QueueRecord.headerLength
          continue
        }
      }
      let start = Int(offset - chunkOffset)
      let (limit, sequences) = (self.limit, place.sequence + 2...max(place.sequence + 2, commit.end.sequence))
      let reading = chunk.withUnsafeBytes { bytes in
        // Only what has a number that can follow is worth the whole look.
        let sequence = bytes.word(at: start + 24)
        if !sequences.contains(sequence) { return QueueRecord.Reading.damaged }
        return QueueRecord.reading(UnsafeRawBufferPointer(rebasing: bytes[start...]), limit: limit)
      }
      switch reading {
      case .record(let record, _):
        place = QueuePlace(sequence: record.sequence - 1, offset: offset)
        return
      case .needs(let length) where length > wanted && UInt64(length) <= commit.end.offset - offset: wanted = length
      case .needs, .damaged:
        offset += 8
        wanted = QueueRecord.headerLength
      }
    }
    place = commit.end
  }
}
