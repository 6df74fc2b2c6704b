import TestSupport
import Testing
import Wormhole

@testable import class Wormhole.Queue
@testable import class Wormhole.QueueFile
@testable import struct Wormhole.QueuePage
@testable import class Wormhole.Responder
@testable import struct Wormhole.RequestStore

/// The space of requests and who gives it back.
@Suite("Space of requests", .ownThread)
struct RequestStoreTests {
  @Test("A request that still waits can be claimed after the space before it was given back") func stillWaiting() throws
  {
    let world = try RequestWorld()
    try world.ask("a", 1)
    // As an asker does that finds the queue full; its descriptor stays open.
    try world.store.requests("sum").passOverFinishedRequests(world.store)
    let (turns, handled) = (Turns(), Inbox<String>())
    let responder = try world.responder("first", turns, handled)
    try turns.run()
    #expect(handled.all == ["first a"])
    responder.cancel()
  }

  @Test("Whenever a responder begins while a sweeper looks, the queue of its identifier stands afterwards")
  func sweeping() throws {
    for index in 0..<100 {
      let world = try RequestWorld()
      _ = try world.requests.withWriteLock(creating: true) { _, _ throws(WormholeError) in }
      // From here on no file is opened to look who is there.
      try world.silentPresence().unlockAll()
      #expect(try !world.store.transfers.presence.isThere(.requests, "sum"))
      let (turns, handled) = (Turns(), Inbox<String>())
      let (opened, begun) = (Lock(0), Lock<Responder?>(nil))
      try interleaving({ call in
        // Before a file is opened the sweeper has no lock.
        guard call == .open else { return nil }
        let isNow = opened.withLock { opened in
          opened += 1
          return opened == index + 1
        }
        if isNow {
          let responder = try world.responder("first", turns, handled)
          begun.withLock { $0 = responder }
        }
        return nil
      }) { world.store.sweep() }
      guard let responder = begun.withLock({ $0 }) else { return #expect(index > 2) }
      #expect(try world.directory.names(in: ".wormhole").contains("r-sum.queue"), "at opening \(index)")
      try world.ask("a", 1)
      try turns.run()
      #expect(handled.all == ["first a"], "at opening \(index)")
      responder.cancel()
    }
    Issue.record("a sweeper opens more than a hundred files")
  }
}
