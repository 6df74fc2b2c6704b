import FoundationEssentials
import Testing
import Wormhole

/// Times as text.
@Suite("Timestamps")
struct TimestampTests {
  @Test(
    "A time is written in UTC with microseconds",
    arguments: [
      (0, "1970-01-01T00:00:00.000000Z"), (1_700_000_000.123456, "2023-11-14T22:13:20.123456Z"),
      (-0.000001, "1969-12-31T23:59:59.999999Z"), (951_782_400, "2000-02-29T00:00:00.000000Z"),
      (951_868_800, "2000-03-01T00:00:00.000000Z"), (4_107_542_400, "2100-03-01T00:00:00.000000Z"),
      (4_107_456_000, "2100-02-28T00:00:00.000000Z"), (1_735_689_599.9999999, "2025-01-01T00:00:00.000000Z"),
      (-62_167_219_200, "0000-01-01T00:00:00.000000Z"), (-1e30, "0000-01-01T00:00:00.000000Z"),
      (1e30, "9999-12-31T23:59:59.000000Z"), (.nan, "1970-01-01T00:00:00.000000Z"),
    ] as [(Double, String)])
  func text(seconds: Double, text: String) {
    #expect(Timestamp.text(of: Date(timeIntervalSince1970: seconds)) == text)
  }

  @Test("Every day of eight hundred years follows the one before it")
  func calendar() {
    var (year, month, day) = (1600, 1, 1)
    for number in stride(from: -135_140, through: 157_054, by: 1) {
      let text = Timestamp.text(of: Date(timeIntervalSince1970: Double(number) * 86_400))
      let wanted = "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)T00:00:00.000000Z"
      guard text == wanted else {
        Issue.record("\(text) is not \(wanted)")
        return
      }
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
      if day < length {
        day += 1
      } else if month < 12 {
        (month, day) = (month + 1, 1)
      } else {
        (year, month, day) = (year + 1, 1, 1)
      }
    }
    #expect((year, month, day) == (2400, 1, 2))
  }
}
