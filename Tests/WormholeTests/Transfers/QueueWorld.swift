import TestSupport
import Wormhole

@testable import struct Wormhole.QueueRecord
@testable import class Wormhole.Queue
@testable import struct Wormhole.QueueReceiver

/// A queue in a directory of its own, with senders and receivers as a test needs them.
struct QueueWorld {
  let directory: TemporaryDirectory
  /// The sending side.
  let queue: Queue

  init(_ place: TemporaryDirectory.Place = .memory) throws {
    directory = try TemporaryDirectory(place)
    _ = try FileSystem.makeDirectory(Path(directory.appending(".wormhole")), mode: 0o700)
    queue = Self.open(directory)
  }

  private static func open(_ directory: TemporaryDirectory) -> Queue {
    Queue(
      path: Path(directory.appending("items.queue")), hidden: Path(directory.appending(".wormhole")), mode: 0o600)
  }

  /// Another process's view of the queue: a descriptor of its own.
  func another() -> Queue { Self.open(directory) }

  /// A receiver with a descriptor of its own.
  func receiver(_ subscriber: String? = nil) -> QueueReceiver {
    QueueReceiver(queue: another(), subscriber: subscriber, limit: 64 << 20)
  }

  /// Sends texts as one batch.
  @discardableResult
  func send(_ texts: String..., limit: Int = 64 << 20) throws -> [UInt64] {
    try queue.append(texts.map { Self.record(Array($0.utf8)) }, limit: limit).map(\.sequence)
  }

  /// A record of some bytes.
  static func record(_ bytes: [UInt8]) -> QueueRecord {
    QueueRecord(
      kind: .message, payload: Payload(bytes: bytes, codec: .bytes), sent: Clock.realtime, sender: 7, origin: "test")
  }

  /// How large the file is, and how much disk it takes.
  func size() throws -> (length: Int, allocated: Int) {
    let status = try FileSystem.status(of: Path(directory.appending("items.queue")))
    return (status.size, status.allocated)
  }
}

extension QueueReceiver {
  /// The text of the next item and whether it comes again; nil when there is none.
  mutating func nextText() throws -> String? {
    guard case .deliver(let delivery) = try take() else { return nil }
    return String(decoding: delivery.record.payload.bytes, as: UTF8.self) + (delivery.isRedelivered ? " again" : "")
  }

  /// Takes everything there is.
  mutating func drain() throws -> [String] {
    var texts: [String] = []
    while let text = try nextText() {
      texts.append(text)
      finish()
    }
    return texts
  }
}
