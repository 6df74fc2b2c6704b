import TestSupport
import Testing
import Wormhole

@testable import struct Wormhole.QueueReceiver

@Suite(.ownThread) struct QueueDamageTests {
  @Test("Damage anywhere in the file gives errors or passes items over; no item comes twice, changed or out of order")
  func fuzz() throws {
    var generator = FixedNumbers(seed: 4)
    let model = try QueueWorld()
    try model.send("first", "second", "a third that is longer than the others, so that it spans more words", "fourth")
    let bytes = try model.directory.read("items.queue")
    let texts = ["first", "second", "a third that is longer than the others, so that it spans more words", "fourth"]
    for round in 0..<400 {
      let world = try QueueWorld()
      var damaged = bytes
      for _ in 0..<Int(generator.next() % 4 + 1) {
        // Half of the changes hit the parts of the page that are in use, the others the records.
        let range =
          generator.next() % 2 == 0 ? [0..<64, 512..<560, 1024..<1152][Int(generator.next() % 3)] : 4096..<bytes.count
        let index = range.lowerBound + Int(generator.next() % UInt64(range.count))
        damaged[index] = UInt8(truncatingIfNeeded: generator.next())
      }
      if round % 10 == 0 { damaged.removeLast(Int(generator.next() % UInt64(bytes.count))) }
      try world.directory.write(damaged, to: "items.queue")
      var receiver = world.receiver()
      var seen: [String] = []
      reading: for _ in 0..<20 {
        do {
          switch try receiver.take() {
          case .deliver(let delivery):
            seen.append(String(decoding: delivery.record.payload.bytes, as: UTF8.self))
            receiver.finish()
          case .notice: continue
          case .empty, .standby: break reading
          }
        } catch {
          break reading
        }
      }
      let places = seen.map { texts.firstIndex(of: $0) }
      #expect(!places.contains(nil), "round \(round): \(seen)")
      #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted(), "round \(round): \(seen)")
      #expect(Set(seen).count == seen.count, "round \(round): \(seen)")
    }
  }

  /// Puts the checksums of the commit block, of a cell and of the first record right again.
  private func sign(_ bytes: inout [UInt8], cell: Int = 0) {
    for range in [512..<560, 1024 + cell * 128..<1152 + cell * 128] {
      let sum = bytes.withUnsafeBytes { Checksum.of(UnsafeRawBufferPointer(rebasing: $0[range.dropFirst(8)]), seed: 0) }
      bytes.replaceSubrange(range.prefix(8), with: withUnsafeBytes(of: sum.littleEndian, Array.init))
    }
  }

  @Test("A label that is no UTF-8, and so becomes longer when it is read, confuses no place in the file")
  func labelOfOddBytes() throws {
    let world = try QueueWorld()
    try world.send("a", "b")
    var bytes = try world.directory.read("items.queue")
    // The label "test" of the first record, and its checksum.
    bytes.replaceSubrange(4096 + 48..<4096 + 52, with: [0xAC, 0xAC, 0xAC, 0xAC])
    let end = 4096 + 48 + 4 + 1
    let sum = bytes.withUnsafeBytes { Checksum.of(UnsafeRawBufferPointer(rebasing: $0[4096 + 16..<end]), seed: 0) }
    bytes.replaceSubrange(4096 + 8..<4096 + 16, with: withUnsafeBytes(of: sum.littleEndian, Array.init))
    try world.directory.write(bytes, to: "items.queue")
    let items = try world.another().outstanding(limit: 1 << 20)
    #expect(items.map(\.item.start) == [0, 56])
    #expect(try world.another().cancel(items[0].item))
    var receiver = world.receiver()
    #expect(try receiver.drain() == ["b"])
  }

  @Test("Numbers so large that counting on from them overflows are damage")
  func largeNumbers() throws {
    for offset in [520, 528, 1040, 1048] {
      let world = try QueueWorld()
      try world.send("a")
      var bytes = try world.directory.read("items.queue")
      bytes.replaceSubrange(offset..<offset + 8, with: [UInt8](repeating: 0xFF, count: 8))
      bytes[offset] = 0xF8
      sign(&bytes)
      try world.directory.write(bytes, to: "items.queue")
      let queue = world.another()
      if offset < 1024 {
        #expect(throws: WormholeError.self) { try queue.append([QueueWorld.record([65])], limit: 1 << 20) }
      } else {
        _ = try queue.append([QueueWorld.record([65])], limit: 1 << 20)
        var receiver = world.receiver()
        #expect(try receiver.drain() == ["a", "A"])
      }
    }
  }

  @Test("Where the place of the default subscriber is wiped out or lies behind the end, items wait all the same")
  func wipedCell() throws {
    for isWiped in [true, false] {
      let world = try QueueWorld()
      try world.send("a")
      var bytes = try world.directory.read("items.queue")
      if isWiped {
        bytes.replaceSubrange(1024..<1536, with: [UInt8](repeating: 0, count: 512))
      } else {
        bytes[1024 + 16] = 9
        bytes[1024 + 25] = 9
        sign(&bytes)
      }
      try world.directory.write(bytes, to: "items.queue")
      #expect(try world.another().outstanding(limit: 1 << 20).count == 1)
      var receiver = world.receiver()
      #expect(try receiver.drain() == ["a"])
    }
  }

  @Test("A damaged item is passed over and told; those behind it come") func damagedItem() throws {
    let world = try QueueWorld()
    try world.send("a", "b", "c")
    var bytes = try world.directory.read("items.queue")
    let length = QueueWorld.record([65]).storedLength
    bytes[4096 + length + 20] ^= 0xFF
    try world.directory.write(bytes, to: "items.queue")
    var receiver = world.receiver()
    #expect(try receiver.nextText() == "a")
    receiver.finish()
    guard case .notice(let error) = try receiver.take() else { Issue.record("nothing was told"); return }
    #expect(error.code == .damagedArchive)
    #expect(try receiver.drain() == ["c"])
  }

  @Test("Whatever system call fails while sending, the item is there afterwards exactly if the call returned")
  func faults() throws {
    for call in SystemCall.allCases {
      for number in 1...4 {
        let world = try QueueWorld()
        try world.send("before")
        let count = Lock(0)
        var isSent = false
        Interception.with({ made in
          guard made == call else { return nil }
          return count.withLock { count in
            count += 1
            return count == number ? .fail(.inputOutput) : nil
          }
        }) { isSent = (try? world.send("during")) != nil }
        var receiver = world.receiver()
        let seen = try receiver.drain()
        // An item that is there although its sender was told otherwise would be sent twice.
        #expect(seen == (isSent ? ["before", "during"] : ["before"]), "\(call) \(number): \(seen)")
        try world.send("after")
        #expect(try receiver.drain() == ["after"], "\(call) \(number)")
      }
    }
  }

  @Test("Whatever system call fails while receiving, every item comes once, in order, and unmarked")
  func receivingFaults() throws {
    for call in SystemCall.allCases {
      for number in 1...6 {
        let world = try QueueWorld()
        try world.send("a", "b", "c")
        var receiver = world.receiver()
        var seen: [String] = []
        let count = Lock(0)
        Interception.with({ made in
          guard made == call else { return nil }
          return count.withLock { count in
            count += 1
            return count == number ? .fail(.inputOutput) : nil
          }
        }) {
          for _ in 0..<12 {
            guard let text = try? receiver.nextText() else { continue }
            seen.append(text)
            receiver.finish()
          }
        }
        #expect(seen == ["a", "b", "c"], "\(call) \(number): \(seen)")
        // What the receiver kept in memory has reached the file when it ends.
        receiver.close()
        var next = world.receiver()
        #expect(try next.drain() == [], "\(call) \(number)")
      }
    }
  }

  @Test("Whatever system call fails when a receiver ends, what it took does not come again") func closingFaults() throws
  {
    for call in SystemCall.allCases {
      for number in 1...3 {
        let world = try QueueWorld()
        try world.send("a", "b")
        var receiver = world.receiver()
        #expect(try receiver.nextText() == "a")
        let count = Lock(0)
        Interception.with({ made in
          guard made == call else { return nil }
          return count.withLock { count in
            count += 1
            return count == number ? .fail(.inputOutput) : nil
          }
        }) {
          receiver.finish()
          receiver.close()
        }
        var next = world.receiver()
        #expect(try next.drain() == ["b"], "\(call) \(number)")
      }
    }
  }

  @Test("The item in hand when a receiver died stays marked though system calls of the next one fail")
  func markFaults() throws {
    for call in [SystemCall.pread, .pwrite, .fcntlLock, .fstat] {
      for number in 1...8 {
        let world = try QueueWorld()
        try world.send("a", "b")
        var first = world.receiver()
        #expect(try first.nextText() == "a")
        first.close()
        var second = world.receiver()
        let count = Lock(0)
        let text = Interception.with({ made in
          guard made == call else { return nil }
          return count.withLock { count in
            count += 1
            return count == number ? .fail(.inputOutput) : nil
          }
        }) { try? second.nextText() }
        if let text {
          #expect(text == "a again", "\(call) \(number)")
        } else {
          // It gave up before any handler had the item.
          second.close()
          var third = world.receiver()
          #expect(try third.drain() == ["a again", "b"], "\(call) \(number)")
        }
      }
    }
  }

  @Test("A receiver goes on with the new queue when the old one was removed and made again") func replaced() throws {
    let world = try QueueWorld()
    try world.send("a")
    var receiver = world.receiver()
    #expect(try receiver.drain() == ["a"])
    try FileSystem.remove(Path(world.directory.appending("items.queue")))
    try world.send("b", "c")
    #expect(try receiver.drain() == ["b", "c"])
    try world.send("d")
    #expect(try receiver.drain() == ["d"])
  }

  @Test("A queue that is moved away keeps what it holds, and senders and receivers go on with a new one")
  func movedAway() throws {
    let world = try QueueWorld()
    var receiver = world.receiver()
    try world.send("first")
    #expect(try receiver.drain() == ["first"])
    try FileSystem.rename(
      Path(world.directory.appending("items.queue")), to: Path(world.directory.appending("kept.queue")))
    try world.send("second", "third")
    #expect(try receiver.drain() == ["second", "third"])
    try FileSystem.rename(
      Path(world.directory.appending("kept.queue")), to: Path(world.directory.appending("items.queue")))
    try world.send("fourth")
    #expect(try receiver.drain() == ["fourth"])
  }
}
