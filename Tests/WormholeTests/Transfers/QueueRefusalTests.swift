import TestSupport
import Testing

@testable import Wormhole

/// What a queue refuses, and what it does not do where nobody needs it.
@Suite("Refusals of queues", .ownThread)
struct QueueRefusalTests {
  @Test("A queue whose lock another program keeps is told so after the agreed time, and nothing is added")
  func locked() throws {
    let world = try QueueWorld()
    try world.send("first")
    let other = try FileDescriptor.open(Path(world.directory.appending("items.queue")), OpenFlags.readWrite)
    #expect(try other.tryLock(.exclusive, at: 0))
    expectError(.lockTimedOut) { () throws(WormholeError) in
      _ = try world.queue.append([QueueWorld.record([2])], limit: 1 << 20)
    }
    try other.unlock(at: 0)
    #expect(try world.send("second") == [2])
  }

  @Test("A subscriber's name has 1 to 64 bytes")
  func names() throws {
    let world = try QueueWorld()
    try world.send("item")
    for name in ["", String(repeating: "n", count: 65), String(repeating: "ä", count: 33)] {
      var receiver = world.receiver(name)
      let error = #expect(throws: WormholeError.self) { try receiver.take() }
      #expect(error?.code == .invalidIdentifier && error?.reason.contains("not \(name.utf8.count)") == true)
    }
    for name in ["n", String(repeating: "n", count: 64), String(repeating: "ä", count: 32)] {
      var receiver = world.receiver(name)
      #expect(try receiver.nextText() == "item")
    }
  }

  @Test("An item that the queue has never had is lost, and is not awaited for ever")
  func unknownItem() throws {
    let world = try QueueWorld()
    let item = try world.queue.append([QueueWorld.record([1])], limit: 1 << 20)[0]
    #expect(try world.queue.awaitedFate(of: item) == .outstanding)
    let later = QueueItem(identity: item.identity, sequence: item.sequence + 1, start: item.start + 4096)
    #expect(try world.queue.awaitedFate(of: later) == .lost)
    let elsewhere = QueueItem(identity: item.identity &+ 1, sequence: item.sequence, start: item.start)
    #expect(try world.queue.awaitedFate(of: elsewhere) == .lost)
  }

  @Test("Who sends where nobody sleeps rings for nobody: no file is opened for it")
  func silence() throws {
    let world = try QueueWorld()
    try world.send("first")
    let made = Lock<[SystemCall]>([])
    try Interception.with({ call in
      made.withLock { $0.append(call) }
      return nil
    }) { () throws -> Void in try world.send("second") }
    #expect(made.withLock { $0 }.contains(.open) == false)
    #expect(made.withLock { $0 }.contains(.pwrite))
    var receiver = world.receiver()
    #expect(try receiver.drain() == ["first", "second"])
    #expect(try receiver.nextText() == nil)
    made.withLock { $0 = [] }
    try Interception.with({ call in
      made.withLock { $0.append(call) }
      return nil
    }) { () throws -> Void in try world.send("third") }
    #expect(made.withLock { $0 }.contains(.open), "one that sleeps is rung for")
  }

  @Test("The beginning of a record, however little there is of it, asks for more and is never taken for one")
  func beginnings() {
    var bytes: [UInt8] = []
    QueueWorld.record(Array("payload".utf8)).append(sequence: 7, to: &bytes)
    for length in 0..<(QueueRecord.headerLength + 11) {
      let reading = bytes.prefix(length).withUnsafeBytes { QueueRecord.reading($0, limit: 1 << 20) }
      guard case .needs(let wanted) = reading else {
        Issue.record("\(length) bytes are \(reading)")
        return
      }
      #expect(wanted > length && wanted <= bytes.count)
    }
    guard case .record(let record, let stored) = bytes.withUnsafeBytes({ QueueRecord.reading($0, limit: 1 << 20) })
    else {
      Issue.record("the whole record is none")
      return
    }
    #expect(record.sequence == 7 && stored == bytes.count)
  }

  @Test(
    "A cell whose place no queue ever comes to, or that lies between two items, is damaged, whatever its checksum says",
    arguments: [
      QueuePlace(sequence: 1, offset: 1 << 62), QueuePlace(sequence: 1 << 62, offset: 8),
      QueuePlace(sequence: 1, offset: 12),
    ])
  func unbelievableCells(place: QueuePlace) {
    func reading(_ place: QueuePlace) -> SubscriberCell.Reading {
      var page = [UInt8](repeating: 0, count: QueueLayout.pageSize)
      return page.withUnsafeMutableBytes { page in
        let start = QueueLayout.cell(1)
        SubscriberCell(hasReceived: true, name: [65], done: place)
          .store(in: UnsafeMutableRawBufferPointer(rebasing: page[start..<start + QueueLayout.cellLength]))
        return SubscriberCell.reading(1, page: UnsafeRawBufferPointer(page))
      }
    }
    #expect(reading(place) == .damaged)
    let sound = QueuePlace(sequence: 1, offset: 16)
    #expect(reading(sound) == .cell(SubscriberCell(hasReceived: true, name: [65], done: sound)))
  }

  @Test("A record that is no file's, or whose envelope is cut off, leads to no file", arguments: 0...30)
  func envelopes(length: Int) {
    let whole = FileEnvelope(number: 7, size: 100, name: Array("a.txt".utf8)).sealing(nil)
    var record = QueueWorld.record(Array(whole.bytes.prefix(length)))
    #expect(record.file == nil, "a message")
    record.kind = .file
    #expect(record.file == (length >= whole.bytes.count ? 7 : nil))
  }
}
