import TestSupport
import Wormhole

@testable import class Wormhole.Presence
@testable import class Wormhole.Queue
@testable import struct Wormhole.QueueFollower
@testable import struct Wormhole.QueueItem
@testable import enum Wormhole.QueueLayout
@testable import struct Wormhole.QueueRecord
@testable import struct Wormhole.ReplyEnvelope
@testable import struct Wormhole.RequestEnvelope
@testable import struct Wormhole.RequestStore
@testable import class Wormhole.Responder
@testable import class Wormhole.TransferStore

/// A directory with responders whose every step a test lets happen, and the queue of an asker's replies.
struct RequestWorld {
  let directory: TemporaryDirectory
  let store: RequestStore
  /// Requests as another process sends them, with a descriptor that stays open: nobody hears of it but by its ring.
  let requests: Queue
  /// The number of the reply queue.
  let asker: UInt64 = 7
  /// Locked in its first cell as long as the asker lives.
  let replies: Queue

  init() throws {
    directory = try TemporaryDirectory(.memory)
    store = RequestStore(
      transfers: TransferStore(try Archives(directory: directory.path, options: WormholeOptions())))
    requests = Self.open(store, "r-sum.queue")
    replies = Self.open(store, "p-7")
    _ = try replies.file(creating: true)?.descriptor.tryLock(.exclusive, at: QueueLayout.cell(0))
  }

  private static func open(_ store: RequestStore, _ name: String) -> Queue {
    Queue(path: store.hidden.appending(FileName(Array(name.utf8))), hidden: store.hidden, mode: 0o600)
  }

  /// Another process's view of the requests.
  func another() -> Queue { Self.open(store, "r-sum.queue") }

  /// Sends a request of the asker that lives.
  @discardableResult
  func ask(
    _ text: String, _ number: UInt64, deadline: UInt64 = .max, rings: Queue.Ringing = .always
  ) throws -> QueueItem {
    let envelope = RequestEnvelope(replies: asker, number: number, deadline: deadline)
    let record = QueueRecord(
      kind: .request, payload: envelope.sealing(Payload(bytes: Array(text.utf8), codec: .bytes)), sent: 0, sender: 1,
      origin: "")
    return try requests.append([record], limit: .max, rings: rings)[0]
  }

  /// A responder that has begun, each of whose requests waits in `turns` for the test; it notes what it has handled.
  func responder(_ name: String, _ turns: Turns, _ handled: Inbox<String>, _ errors: Inbox<String>? = nil) throws
    -> Responder
  {
    let responder = try Responder(
      store, identifier: "sum", context: .executor(turns), onError: { errors?.put($0.code.rawValue) },
      isWanted: { true }
    ) { _, payload in
      handled.put("\(name) \(String(decoding: payload.bytes.prefix(9), as: UTF8.self))")
      return Payload(bytes: Array("\(name) \(payload.bytes.count)".utf8), codec: .bytes)
    }
    try responder.start()
    return responder
  }

  /// Returns when all that has happened in the hidden folder until now is told to who watches there.
  func settle() throws {
    let told = Inbox<Void>()
    let watcher = Told { told.put(()) }
    let fence = FileName(Array("fence".utf8))
    try Watcher.shared.watch(store.hidden, .only([fence]), watcher)
    defer { Watcher.shared.unwatch(store.hidden, .only([fence]), watcher) }
    try directory.write([1], to: ".wormhole/fence")
    try told.next()
    try FileSystem.remove(store.hidden.appending(fence))
    // What else was told in the same go.
    try onWormholeThread {}
  }

  /// Is there to answer, without a ring when that ends: it does with the lock.
  func silentPresence() throws -> FileDescriptor {
    let file = try FileDescriptor.open(
      store.hidden.appending(Presence.name), OpenFlags.createOrOpen, mode: 0o600)
    _ = try file.tryLock(.shared, at: Int(Presence.byte(.requests, "sum")))
    return file
  }

  /// What has come to the asker, with the number of the request, in order.
  func answers() throws -> [String] {
    var follower = QueueFollower(queue: Self.open(store, "p-7"), limit: 1 << 20)
    guard try follower.look() else { return [] }
    var answers: [String] = []
    while case .record(let record, _, _) = try follower.next() {
      guard let (envelope, payload) = ReplyEnvelope.opening(record.payload) else { continue }
      answers.append("\(envelope.number) \(envelope.status) \(String(decoding: payload.bytes, as: UTF8.self))")
    }
    return answers
  }
}

/// Runs parts of tasks when and where a test says.
final class Turns: TaskExecutor {
  private let jobs = Inbox<UnownedJob>()

  func enqueue(_ job: consuming ExecutorJob) { jobs.put(UnownedJob(job)) }

  /// How many wait.
  var count: Int { jobs.all.count }

  /// Runs the first that waits, or the next that comes, on this thread.
  func run() throws { try jobs.next().runSynchronously(on: asUnownedTaskExecutor()) }
}

/// Tells a test of changes.
final class Told: WatchSink {
  private let tell: @Sendable () -> Void

  init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }

  func changed(_ name: FileName?) { tell() }
}
