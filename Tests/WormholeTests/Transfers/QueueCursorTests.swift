import TestSupport
import Testing
import Wormhole

@testable import enum Wormhole.QueueLayout
@testable import struct Wormhole.QueueReceiver

/// Records that are whole in themselves and yet not what stands at their place.
@Suite("Reading of damaged queues", .ownThread)
struct QueueCursorTests {
  /// Changes the bytes of the second of three items of equal length, and gives what then comes.
  private func drain(changing body: (inout [UInt8], Range<Int>) -> Void) throws -> [String] {
    let world = try QueueWorld()
    try world.send("a", "b", "c")
    var bytes = try world.directory.read("items.queue")
    let length = QueueWorld.record([65]).storedLength
    let start = QueueLayout.pageSize + length
    body(&bytes, start..<start + length)
    try world.directory.write(bytes, to: "items.queue")
    var receiver = world.receiver()
    var came: [String] = []
    while true {
      switch try receiver.take() {
      case .deliver(let delivery):
        came.append(String(decoding: delivery.record.payload.bytes, as: UTF8.self))
        receiver.finish()
      case .notice(let error): came.append(error.code.rawValue)
      case .empty, .standby: return came
      }
    }
  }

  @Test("An older item that stands in the place of another, as after a power cut, is passed over") func older() throws {
    let came = try drain { bytes, place in
      bytes.replaceSubrange(place, with: bytes[place.lowerBound - place.count..<place.lowerBound])
    }
    #expect(came == ["a", "damagedArchive", "c"])
  }

  @Test("An item that claims to reach behind the end is passed over, and those behind it come") func tooLong() throws {
    let came = try drain { bytes, place in bytes[place.lowerBound + 16 + 2] = 16 }
    #expect(came == ["a", "damagedArchive", "c"])
  }
}
