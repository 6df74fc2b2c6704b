public import FoundationEssentials

/// A transfer that was put out of the way of its queue.
public struct SetAsideTransfer: Sendable {
  /// The queue it was in.
  public let identifier: String
  /// Whose it was, nil for the default subscriber.
  public let subscriber: String?
  /// Its number in the queue.
  public let sequence: UInt64
  /// When it was sent.
  public let sent: Date
  /// Who sent it.
  public let origin: String
  /// What was transferred; of a file its metadata, empty when there are none.
  public let payload: Payload
  /// Whether it carries a file.
  public let isFile: Bool
}

/// Transfers whose handler keeps refusing them.
extension Wormhole {
  /// Puts the transfer that is first in line out of the way, so that those behind it come.
  ///
  /// Where a receiver is running it does so itself, as soon as its handler has thrown, and not when its handler returns.
  ///
  /// - Parameters:
  ///   - identifier: The queue.
  ///   - subscriber: Whose transfer, nil for the default subscriber.
  /// - Returns: False when nothing is outstanding.
  @discardableResult
  public func setAsideTransfer(identifier: String, subscriber: String? = nil) throws(WormholeError) -> Bool {
    try transferStore().setAsideFirst(identifier, subscriber: subscriber)
  }

  /// The transfers that were set aside, queue by queue, oldest first; complexity: linear in their bytes.
  ///
  /// - Parameter identifier: The queue, nil for all.
  public func setAsideTransfers(identifier: String? = nil) throws(WormholeError) -> [SetAsideTransfer] {
    try transferStore().setAsideItems(identifier).map { item in
      let file = FileEnvelope.opening(item.record)
      return SetAsideTransfer(
        identifier: item.identifier, subscriber: item.subscriber, sequence: item.record.sequence,
        sent: Date(nanosecondsSinceEpoch: item.record.sent), origin: item.record.origin,
        payload: file.map { $0.metadata ?? Payload(bytes: [], codec: .bytes) } ?? item.record.payload,
        isFile: file != nil)
    }
  }

  /// Puts the transfers that were set aside back, at the end of the queue and for their own subscriber alone.
  ///
  /// A crash of the machine in the middle of it may put one back twice.
  ///
  /// - Returns: How many.
  @discardableResult
  public func putBackTransfers(identifier: String, subscriber: String? = nil) throws(WormholeError) -> Int {
    try transferStore().putBack(identifier, subscriber: subscriber)
  }

  /// Gives up a named subscriber's place, so that nothing is kept for it any more.
  ///
  /// - Returns: False when there is no such subscriber, or a receiver of it is running.
  @discardableResult
  public func removeSubscriber(_ subscriber: String, identifier: String) throws(WormholeError) -> Bool {
    try forgetSubscriber(subscriber, identifier: identifier) == .removed
  }

  /// Gives up a named subscriber's place, and tells why not.
  package func forgetSubscriber(_ subscriber: String, identifier: String) throws(WormholeError) -> SubscriberRemoval {
    try transferStore().queue(identifier).removeSubscriber(subscriber)
  }
}
