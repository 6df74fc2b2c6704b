/// What a look at a mailbox has brought for a listener.
struct Finding: Sendable {
  /// One thing to give to the listener.
  enum Item: Sendable {
    /// A record, and how many before it were not given.
    case record(Record, skipped: Int)
    /// The mailbox was cleared.
    case cleared
    /// Something stands there that cannot be read.
    case unreadable(WormholeError, Position)
    /// No event: something that the listener is to be told of.
    case notice(WormholeError)
  }

  /// The mailbox; nil for what concerns none.
  let mailbox: Mailbox?
  /// What to give, in order.
  let items: [Item]
}

extension Finding.Item {
  /// Runs `body` with the value where the item is a message; what cannot be read as one goes to `onError`.
  ///
  /// Not by way of an event: that is a generic type, and making one costs more than all else here.
  func withMessage<Value: Decodable>(
    _ identifier: String, onError: (@Sendable (WormholeError) -> Void)?, _ body: (Value) -> Void
  ) {
    switch self {
    case .record(let record, _):
      // Without a payload it is a signal.
      guard let payload = record.payload else { return }
      do throws(WormholeError) { body(try payload.decoded(as: Value.self, identifier: identifier)) } catch {
        onError?(error)
      }
    case .unreadable(let error, _): onError?(error)
    case .cleared, .notice: break
    }
  }
}

extension Event where Value: Decodable {
  /// The event that an item of a finding is; nil for a notice, which is none.
  init?(_ item: Finding.Item, identifier: String) {
    switch item {
    case .notice: return nil
    case .cleared: self = .cleared(identifier: identifier)
    case .unreadable(let error, _):
      // Nothing is known of a message there: the position is the listener's own mark and no number of one.
      let record = Record(payload: nil, sequence: 0, sent: Clock.realtime, sender: 0, origin: "")
      self = .undecodable(Message(record, identifier: identifier, value: nil), error)
    case .record(let record, let skipped):
      guard let payload = record.payload else {
        self = .signal(Message(record, identifier: identifier, value: (), skipped: skipped))
        return
      }
      do throws(WormholeError) {
        let value = try payload.decoded(as: Value.self, identifier: identifier)
        self = .message(Message(record, identifier: identifier, value: value, skipped: skipped))
      } catch {
        self = .undecodable(Message(record, identifier: identifier, value: payload, skipped: skipped), error)
      }
    }
  }
}
