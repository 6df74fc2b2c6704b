import Testing

@testable import struct Wormhole.EventPace

@Suite("The pace of events")
struct EventPaceTests {
  @Test("Only events that come one soon after the other are worth looking for the next")
  func pace() {
    var pace = EventPace()
    #expect(!pace.isBrisk)
    pace.note(5_000_000)
    #expect(!pace.isBrisk)
    pace.note(5_000_000 + 2 * EventPace.patience - 1)
    #expect(pace.isBrisk)
    pace.note(5_000_000 + 5 * EventPace.patience)
    #expect(!pace.isBrisk)
  }
}
