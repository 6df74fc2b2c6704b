import Synchronization
import Wormhole

/// Follows the transfers of an identifier that wait to be taken, and tells when there are others than before.
///
/// Nothing announces that a transfer was taken but the transfer itself, so one task waits for the oldest; when that
/// has gone it looks again.
final class OutstandingWatch: Sendable {
  private let wormhole: Wormhole
  private let identifier: String
  private let report: @Sendable ([Transfer]) -> Void
  private let isWaiting = Atomic<Bool>(false)

  /// A watch that looks when it is told to.
  init(_ wormhole: Wormhole, identifier: String, report: @escaping @Sendable ([Transfer]) -> Void) {
    self.wormhole = wormhole
    self.identifier = identifier
    self.report = report
  }

  /// Looks now, reports what waits, and goes on looking until nothing does.
  func look() {
    guard let outstanding = try? wormhole.outstandingTransfers(identifier: identifier) else { return }
    report(outstanding)
    guard let oldest = outstanding.first, !isWaiting.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task {
      _ = try? await oldest.waitUntilDelivered()
      isWaiting.store(false, ordering: .releasing)
      look()
    }
  }
}

extension WormholeError {
  /// The reason in the few words that fit beside a line of chat.
  func inChat(other: String) -> String {
    switch code {
    case .notReachable: "the \(other) is not reachable"
    case .timedOut: "the \(other) did not answer in time"
    case .responderGone: "the \(other) has gone"
    default: description
    }
  }
}
