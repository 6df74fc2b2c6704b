/// What a mailbox holds, in numbers.
package struct StoredSummary: Equatable, Sendable {
  /// How many messages with a payload can still be read.
  package var messages = 0
  /// The bytes of their payloads.
  package var bytes = 0
  /// When the newest of them was sent, in nanoseconds since the epoch; nil when there is none.
  package var newestSent: Int64?
}

extension Transiting {
  /// What a mailbox holds, nil when there is none; complexity: linear in the bytes that it holds.
  package func summary(of identifier: String) throws(WormholeError) -> StoredSummary? {
    switch look(at: identifier, after: nil, every: true) {
    case .absent: return nil
    case .unchanged: return StoredSummary()
    case .unreadable(let error, _): throw error
    case .records(let records, _, _): return StoredSummary(records)
    }
  }
}

extension StoredSummary {
  /// Counts records, the oldest first.
  init(_ records: [Record]) {
    for record in records {
      guard let payload = record.payload else { continue }
      messages += 1
      bytes += payload.bytes.count
      newestSent = record.sent
    }
  }
}
