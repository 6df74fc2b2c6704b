package import Wormhole

/// Commands that take transfers, as a program does that is on for a moment, or that wait until others have taken them.
package enum Taking {
  /// How long nothing at all may be taken before it is clear that nobody takes anything.
  package static let patience = Duration.seconds(3)

  /// Takes all transfers of an identifier that wait now, or waits while another program takes them.
  ///
  /// A program that is on has the queue's only place; then `receive` merely stands by, and goes on should that program
  /// end.
  ///
  /// - Parameters:
  ///   - identifier: The queue.
  ///   - wormhole: The wormhole that the queue is in.
  ///   - receive: Begins to receive the transfers.
  /// - Returns: How many are left; see `left(of:wait:)`.
  package static func all(
    of identifier: String, in wormhole: Wormhole, receive: () throws(WormholeError) -> ListeningToken
  ) throws(WormholeError) -> Int {
    let waiting = try wormhole.outstandingTransfers(identifier: identifier)
    if waiting.isEmpty { return 0 }
    let token = try receive()
    defer { token.cancel() }
    return try left(of: waiting)
  }

  /// Waits until all of some transfers have been taken: however many there are, as long as one is taken now and then.
  ///
  /// - Parameters:
  ///   - transfers: The transfers, oldest first.
  ///   - wait: Waits until the newest of them is taken, or for as long as nothing at all may be taken.
  /// - Returns: How many are left, which somebody holds who takes nothing: a program that was stopped, for instance.
  package static func left(
    of transfers: [Transfer], wait: (_ newest: Transfer) throws(WormholeError) -> Void = delivery
  ) throws(WormholeError) -> Int {
    var waiting = transfers
    while let newest = waiting.last {
      try wait(newest)
      let left = waiting.filter(\.isTransferring)
      if left.count == waiting.count { return left.count }
      waiting = left
    }
    return 0
  }

  /// Waits until a transfer is taken, for as long as the patience lasts.
  package static func delivery(of transfer: Transfer) throws(WormholeError) {
    try Awaiting.value(within: patience) { () throws(WormholeError) in try await transfer.waitUntilDelivered() }
  }
}
