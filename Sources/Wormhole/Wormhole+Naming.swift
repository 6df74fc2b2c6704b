/// Typed identifiers for the calls to which the type does not matter: each forwards to the form with a string.
///
/// Files have no such forms: the type of an identifier is that of its messages, and what goes with a file is another.
extension Wormhole {
  /// Wakes the listeners of a mailbox without a message; see the form with a string.
  @discardableResult
  public func signal<Value>(
    identifier: MessageIdentifier<Value>, durability: Durability = .cached
  ) throws(WormholeError) -> UInt64 {
    try signal(identifier: identifier.name, durability: durability)
  }

  /// Removes the stored message of a mailbox; see the form with a string.
  public func clearMessage<Value>(identifier: MessageIdentifier<Value>) throws(WormholeError) {
    try clearMessage(identifier: identifier.name)
  }

  /// Ends every listening of this wormhole that named this mailbox; see the form with a string.
  public func stopListening<Value>(identifier: MessageIdentifier<Value>) {
    stopListening(identifier: identifier.name)
  }

  /// Whether somebody answers requests of the identifier, or receives its transfers, now; see the form with a string.
  public func isReachable<Value>(
    identifier: MessageIdentifier<Value>, for exchange: Exchange = .requests
  ) throws(WormholeError) -> Bool {
    try isReachable(identifier: identifier.name, for: exchange)
  }

  /// Whether somebody is reachable, now and with each change; see the form with a string.
  public func reachability<Value>(
    identifier: MessageIdentifier<Value>, for exchange: Exchange = .requests
  ) throws(WormholeError) -> Reachability {
    try reachability(identifier: identifier.name, for: exchange)
  }

  /// The transfers of a queue that some subscriber has not taken; see the form with a string.
  public func outstandingTransfers<Value>(
    identifier: MessageIdentifier<Value>
  ) throws(WormholeError) -> [Transfer] {
    try outstandingTransfers(identifier: identifier.name)
  }

  /// Puts the transfer that is first in line out of the way; see the form with a string.
  @discardableResult
  public func setAsideTransfer<Value>(
    identifier: MessageIdentifier<Value>, subscriber: String? = nil
  ) throws(WormholeError) -> Bool {
    try setAsideTransfer(identifier: identifier.name, subscriber: subscriber)
  }

  /// The transfers of a queue that were set aside; see the form with a string.
  public func setAsideTransfers<Value>(
    identifier: MessageIdentifier<Value>
  ) throws(WormholeError) -> [SetAsideTransfer] {
    try setAsideTransfers(identifier: identifier.name)
  }

  /// Puts the transfers that were set aside back; see the form with a string.
  @discardableResult
  public func putBackTransfers<Value>(
    identifier: MessageIdentifier<Value>, subscriber: String? = nil
  ) throws(WormholeError) -> Int {
    try putBackTransfers(identifier: identifier.name, subscriber: subscriber)
  }

  /// Gives up a named subscriber's place; see the form with a string.
  @discardableResult
  public func removeSubscriber<Value>(
    _ subscriber: String, identifier: MessageIdentifier<Value>
  ) throws(WormholeError) -> Bool {
    try removeSubscriber(subscriber, identifier: identifier.name)
  }
}
