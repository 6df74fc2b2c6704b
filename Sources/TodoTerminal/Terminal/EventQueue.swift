import Wormhole

/// What has happened and waits for the loop that draws the screen, in the order in which it happened.
///
/// Handlers of the wormhole, the keyboard and the signals put in from their threads; one loop takes out all there is
/// at once, so that a thousand changes in a burst are drawn together.
package final class EventQueue<Event: Sendable>: Sendable {
  private let events = Lock<[Event]>([])

  /// Makes an empty queue.
  package init() {}

  /// Adds an event; never waits.
  package func put(_ event: Event) {
    events.withLock { $0.append(event) }
    events.notifyAll()
  }

  /// Waits until something has happened and takes all of it.
  package func take() -> [Event] { events.wait(until: { !$0.isEmpty }, then: Self.empty) }

  /// Takes all that has happened, which may be nothing.
  package func takeNow() -> [Event] { events.withLock(Self.empty) }

  /// Takes all out.
  private static func empty(_ events: inout [Event]) -> [Event] {
    defer { events = [] }
    return events
  }
}
