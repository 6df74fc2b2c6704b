/// What a figure has to reach.
enum Bar: Sendable {
  /// At most so many times the figure beside it.
  case ratioAtMost(Double)
  /// At least so many times the figure beside it.
  case ratioAtLeast(Double)
  /// Less than the figure beside it.
  case below
  /// At most so much.
  case atMost(Double)
  /// At least so much.
  case atLeast(Double)

  /// Whether it is reached; nil when there is nothing to judge by.
  func isReached(by figure: Figure?, beside reference: Figure?) -> Bool? {
    guard let figure else { return nil }
    switch self {
    case .atMost(let most): return figure.median <= most
    case .atLeast(let least): return figure.median >= least
    case .ratioAtMost, .ratioAtLeast, .below:
      guard let reference, reference.median > 0 else { return nil }
      let ratio = figure.median / reference.median
      switch self {
      case .ratioAtMost(let most): return ratio <= most
      case .ratioAtLeast(let least): return ratio >= least
      default: return ratio < 1
      }
    }
  }

  /// The bar in words, in the unit of the figure.
  func text(_ unit: Figure.Unit?) -> String {
    func number(_ value: Double) -> String { unit.map { Figure.text(value, $0) } ?? value.text(decimals: 0) }
    return switch self {
    case .ratioAtMost(let most): "at most \(most.text(decimals: 2)) x"
    case .ratioAtLeast(let least): "at least \(least.text(decimals: 2)) x"
    case .below: "below it"
    case .atMost(let most): "at most \(number(most))"
    case .atLeast(let least): "at least \(number(least))"
    }
  }
}

/// Whether a bar is reached.
enum Verdict: String, Sendable, Codable {
  case holds
  case misses
  /// There was nothing to judge by; the note of the row says why.
  case open = "not judged"
  /// The row has no bar and only informs.
  case none = ""
}
