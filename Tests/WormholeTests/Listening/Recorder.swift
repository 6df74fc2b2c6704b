import TestSupport

@testable import Wormhole

/// What was heard, in a form that is easy to compare.
struct Heard: Hashable, Sendable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  init<Value>(_ event: Event<Value>) {
    switch event {
    case .message(let message):
      self.init("\(message.identifier)=\(message.value)" + (message.skipped > 0 ? " skipped \(message.skipped)" : ""))
    case .signal(let signal):
      self.init("\(signal.identifier)!" + (signal.skipped > 0 ? " skipped \(signal.skipped)" : ""))
    case .cleared(let identifier): self.init("\(identifier) cleared")
    case .undecodable(let message, let error): self.init("\(message.identifier)? \(error.code.rawValue)")
    }
  }
}

extension Heard: ExpressibleByStringLiteral {
  init(stringLiteral value: String) { self.init(value) }
}

/// A sink that puts what it is told of into an inbox.
final class RecordingSink: WatchSink, ChangeSink {
  let inbox = Inbox<String>()

  /// The threads that told it.
  let threads = Lock<Set<ThreadID>>([])

  /// Why its directory is polled, each time it was told.
  let notices = Inbox<WormholeError>()

  func polled(_ reason: WormholeError) { notices.put(reason) }

  func changed(_ name: FileName?) { changed(name?.description) }

  func changed(_ identifier: String?) {
    threads.withLock { _ = $0.insert(ThreadID.current) }
    inbox.put(identifier ?? "everything")
  }
}

extension Transiting {
  /// Passes a number.
  @discardableResult
  func pass(_ value: Int, to identifier: String, sender: UInt64 = 1) throws -> Position? {
    try append(
      Draft(payload: Payload(bytes: Array("\(value)".utf8), codec: .json), sender: sender, origin: "test"),
      to: identifier, expecting: nil)
  }

  /// Passes a signal.
  func signal(_ identifier: String, sender: UInt64 = 1) throws {
    _ = try append(Draft(payload: nil, sender: sender, origin: "test"), to: identifier, expecting: nil)
  }
}
