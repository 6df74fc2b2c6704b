/// A measured quantity: its median, and its outer percentiles where there are enough samples for them.
struct Figure: Sendable, Codable {
  /// What the number counts.
  enum Unit: String, Sendable, Codable {
    case microseconds = "us"
    case milliseconds = "ms"
    case perSecond = "/s"
    case kibibytes = "KiB"
    case mebibytes = "MiB"
    case count = ""
  }

  /// The value that half of the samples do not exceed.
  var median: Double
  /// The value that nine in ten do not exceed.
  var p90: Double?
  /// The value that 99 in 100 do not exceed.
  var p99: Double?
  /// What the numbers count.
  var unit: Unit
  /// How many samples there were.
  var count: Int

  /// A quantity that was read once.
  static func single(_ value: Double, _ unit: Unit) -> Figure {
    Figure(median: value, p90: nil, p99: nil, unit: unit, count: 1)
  }

  /// The median as a person reads it.
  var text: String { Self.text(median, unit) }

  /// A number with its unit and no more digits than mean something.
  static func text(_ value: Double, _ unit: Unit) -> String {
    let decimals =
      switch unit {
      case .perSecond, .count: 0
      case .microseconds, .milliseconds, .kibibytes, .mebibytes: abs(value) < 100 ? 1 : 0
      }
    let number = value.text(decimals: decimals)
    return switch unit {
    case .count: number
    case .perSecond: number + "/s"
    default: "\(number) \(unit.rawValue)"
    }
  }
}

extension Double {
  /// The number with so many decimals and commas between thousands.
  func text(decimals: Int) -> String {
    guard isFinite else { return "\(self)" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int64((magnitude * scale).rounded())
    let digits = String(scaled / Int64(scale))
    var grouped = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { grouped.append(",") }
      grouped.append(digit)
    }
    if decimals > 0 {
      let fraction = String(scaled % Int64(scale))
      grouped += "." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
    return self < 0 && scaled != 0 ? "-" + grouped : grouped
  }
}
