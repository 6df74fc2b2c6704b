import TestSupport
import Testing
@testable import Wormhole

/// The bytes of one event as the kernel lays them out.
func eventBytes(_ watch: Int32, _ mask: UInt32, name: String = "", length: Int? = nil) -> [UInt8] {
  var field = Array(name.utf8)
  if !field.isEmpty { field += Array(repeating: 0, count: 16 - field.count % 16) }
  var bytes: [UInt8] = []
  for part in [UInt32(bitPattern: watch), mask, 0, UInt32(length ?? field.count)] {
    withUnsafeBytes(of: part) { bytes += $0 }
  }
  return bytes + field
}

/// What the parser makes of bytes.
func parse(_ bytes: [UInt8]) -> [(watch: Int32, mask: WatchMask, name: String)] {
  bytes.withUnsafeBytes { bytes in
    InotifyEvents(bytes).map { ($0.watch.rawValue, $0.mask, String(decoding: $0.name, as: UTF8.self)) }
  }
}

@Suite("The kernel's events", .ownThread)
struct InotifyEventsTests {
  @Test("Events with and without names are read one after the other")
  func wellFormed() {
    let events = parse(
      eventBytes(3, WatchMask.create.rawValue, name: "a.archive") + eventBytes(7, WatchMask.closeWrite.rawValue)
        + eventBytes(3, WatchMask.delete.rawValue, name: String(repeating: "n", count: 255)))
    #expect(events.map(\.watch) == [3, 7, 3])
    #expect(events.map(\.mask) == [.create, .closeWrite, .delete])
    #expect(events.map(\.name) == ["a.archive", "", String(repeating: "n", count: 255)])
  }

  @Test("No bytes are no events")
  func empty() { #expect(parse([]).isEmpty) }

  @Test("Bytes cut anywhere give the whole events before the cut and then an overflow")
  func cut() {
    let bytes = eventBytes(1, WatchMask.create.rawValue, name: "x") + eventBytes(2, WatchMask.closeWrite.rawValue)
    for length in 1..<bytes.count where length != 32 {
      let events = parse(Array(bytes[..<length]))
      #expect(events.count == (length < 32 ? 1 : 2))
      #expect(events.last?.mask == .overflow)
    }
  }

  @Test("A name length that points outside ends in an overflow")
  func outside() {
    for length in [1, 17, 0x7FFF_FFFF, 0xFFFF_FFFF] {
      #expect(parse(eventBytes(1, WatchMask.create.rawValue, length: length)).map(\.mask) == [.overflow])
    }
  }

  @Test("Random bytes never end the program and never give more events than headers fit")
  func random() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      var bytes = (0..<Int.random(in: 0...120)).map { _ in UInt8.random(in: 0...255, using: &generator) }
      // Small lengths let the parser get past the first header.
      for index in stride(from: 12, to: bytes.count - 4, by: 16) where Bool.random() {
        bytes[index + 1] = 0; bytes[index + 2] = 0; bytes[index + 3] = 0
        bytes[index] %= 40
      }
      #expect(parse(bytes).count <= bytes.count / 16 + 1)
    }
  }
}
