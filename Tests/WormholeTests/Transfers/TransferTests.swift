import TestSupport
import Testing
import Wormhole

@Suite(.ownThread) struct TransferTests {
  @Test("What is transferred before a receiver ever started arrives, is listed until then, and its delivery is awaited")
  func waiting() async throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    let sent = try (0..<3).map { try wormhole.transfer("item \($0)", identifier: "queue") }
    #expect(try wormhole.outstandingTransfers().map(\.sequence) == [1, 2, 3])
    #expect(sent.map(\.isTransferring) == [true, true, true])
    #expect(try wormhole.isReachable(identifier: "queue", for: .transfers) == false)
    async let isDelivered = sent[2].waitUntilDelivered()
    let inbox = Inbox<String>()
    try wormhole.receiveTransfers(String.self, identifier: "queue") { inbox.put($0.value) }
    #expect(try await inbox.take(3) == ["item 0", "item 1", "item 2"])
    #expect(try await isDelivered)
    #expect(try wormhole.isReachable(identifier: "queue", for: .transfers))
    #expect(try wormhole.outstandingTransfers(identifier: "queue").isEmpty)
    #expect(sent.map(\.isTransferring) == [false, false, false])
  }

  @Test("A cancelled transfer never arrives; one that was taken can no longer be cancelled") func cancelling()
    async throws
  {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    let first = try wormhole.transfer("first", identifier: "queue")
    let second = try wormhole.transfer("second", identifier: "queue")
    try wormhole.transfer("third", identifier: "queue")
    #expect(try second.cancel())
    #expect(try !second.cancel())
    #expect(try await second.waitUntilDelivered() == false)
    let inbox = Inbox<String>()
    try wormhole.receiveTransfers(String.self, identifier: "queue") { inbox.put($0.value) }
    #expect(try await inbox.take(2) == ["first", "third"])
    #expect(try await first.waitUntilDelivered())
    #expect(try !first.cancel())
  }

  @Test("A transfer whose handler throws comes again, marked, before any other") func refusal() async throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    try wormhole.transfer("a", identifier: "queue")
    try wormhole.transfer("b", identifier: "queue")
    let inbox = Inbox<String>()
    try wormhole.receiveTransfers(
      String.self, identifier: "queue",
      onError: { inbox.put("\($0.code) \($0.reason.contains("not yet"))") }
    ) { message in
      inbox.put("\(message.value) \(message.isRedelivered)")
      if message.value == "a", !message.isRedelivered { throw SupportError("not yet") }
    }
    #expect(try await inbox.take(4) == ["a false", "handlerFailed true", "a true", "b false"])
  }

  @Test("A transfer that is refused again and again can be set aside, listed and put back") func settingAside()
    async throws
  {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    try wormhole.transfer("bad", identifier: "queue")
    try wormhole.transfer("good", identifier: "queue")
    let inbox = Inbox<String>()
    let isHealed = Lock(false)
    try wormhole.receiveTransfers(String.self, identifier: "queue") { message in
      if message.value == "bad", !isHealed.withLock({ $0 }) {
        inbox.put("refused")
        throw SupportError("bad")
      }
      inbox.put(message.value)
    }
    #expect(try await inbox.next() == "refused")
    #expect(try wormhole.setAsideTransfer(identifier: "queue"))
    let seen = try await blocking { try inbox.take(through: { $0 == "good" }) }
    #expect(seen.last == "good")
    let aside = try wormhole.setAsideTransfers()
    #expect(aside.map(\.identifier) == ["queue"])
    #expect(try aside.first?.payload.decoded(as: String.self, identifier: "queue") == "bad")
    isHealed.withLock { $0 = true }
    #expect(try wormhole.putBackTransfers(identifier: "queue") == 1)
    #expect(try await inbox.next() == "bad")
    #expect(try wormhole.setAsideTransfers().isEmpty)
  }

  @Test("What is no value of the wanted type is told, set aside, and holds nothing up") func undecodable() async throws
  {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    try wormhole.transfer("text", identifier: "queue")
    try wormhole.transfer(5, identifier: "queue")
    let (inbox, errors) = (Inbox<Int>(), Inbox<WormholeError.Code>())
    try wormhole.receiveTransfers(Int.self, identifier: "queue", onError: { errors.put($0.code) }) {
      inbox.put($0.value)
    }
    #expect(try await inbox.next() == 5)
    #expect(try await errors.next() == .cannotDecode)
    #expect(try wormhole.setAsideTransfers(identifier: "queue").count == 1)
  }

  @Test("An element of the sequence is taken when the next one is asked for") func sequence() async throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    for number in 0..<4 { try wormhole.transfer(number, identifier: "queue") }
    do {
      for try await message in try wormhole.transfers(Int.self, identifier: "queue") where message.value == 1 { break }
    }
    var seen: [String] = []
    for try await message in try wormhole.transfers(Int.self, identifier: "queue") {
      seen.append("\(message.value) \(message.isRedelivered)")
      if message.value == 3 { break }
    }
    #expect(seen == ["1 true", "2 false", "3 false"])
  }

  @Test("No handler starts once cancelling has returned, and another receiver goes on") func ending() async throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    let inbox = Inbox<Int>()
    let token = try wormhole.receiveTransfers(Int.self, identifier: "queue") { inbox.put($0.value) }
    try wormhole.transfer(1, identifier: "queue")
    #expect(try await inbox.next() == 1)
    token.cancel()
    #expect(try wormhole.isReachable(identifier: "queue", for: .transfers) == false)
    try wormhole.transfer(2, identifier: "queue")
    let other = Inbox<Int>()
    try wormhole.receiveTransfers(Int.self, identifier: "queue") { other.put($0.value) }
    #expect(try await other.next() == 2)
    #expect(inbox.all.isEmpty)
  }
}
