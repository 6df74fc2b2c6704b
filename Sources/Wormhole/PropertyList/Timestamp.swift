package import FoundationEssentials

/// Times as RFC 3339 writes them, in UTC, to the microsecond.
package enum Timestamp {
  /// `date` as `2025-01-31T12:34:56.123456Z`; years that four digits cannot hold become the nearest that they can.
  package static func text(of date: Date) -> String {
    let exact = (date.timeIntervalSince1970 * 1_000_000).rounded()
    let microseconds = exact.isNaN ? 0 : Int64(min(max(exact, -62_167_219_200_000_000), 253_402_300_799_000_000))
    let (seconds, fraction) = floorDivision(microseconds, 1_000_000)
    let (days, second) = floorDivision(seconds, 86_400)
    let (year, month, day) = civil(days)
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
      + "T\(digits(second / 3600, 2)):\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2))"
      + ".\(digits(fraction, 6))Z"
  }

  /// The Gregorian date of a day counted from 1970-01-01.
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // Years are counted from March, so that the leap day is the last day of its year, century and cycle.
    var (cycle, rest) = floorDivision(days + 719_468, 146_097)
    let century = min(rest / 36_524, 3)
    rest -= century * 36_524
    let leap = rest / 1_461
    rest -= leap * 1_461
    let single = min(rest / 365, 3)
    rest -= single * 365
    cycle = cycle * 400 + century * 100 + leap * 4 + single
    var month = 0
    for length: Int64 in [31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31] {
      if rest < length { break }
      rest -= length
      month += 1
    }
    return (month < 10 ? cycle : cycle + 1, Int64(month < 10 ? month + 3 : month - 9), rest + 1)
  }

  /// The quotient rounded down, and the remainder, which is never negative.
  private static func floorDivision(_ number: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let remainder = (number % divisor + divisor) % divisor
    return ((number - remainder) / divisor, remainder)
  }

  /// A number with zeros in front.
  private static func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
