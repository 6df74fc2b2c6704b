/// A line of the result: a figure, what stands beside it, and the bar.
struct Row: Sendable {
  /// The measurement that it belongs to.
  var measurement = ""
  /// What was measured, in words.
  let subject: String
  /// The file system it was measured on, where that matters.
  var place: String?
  /// The figure, nil when it could not be taken.
  var figure: Figure?
  /// What the figure is compared with, in words.
  var reference: String?
  /// That one's figure, from the same run.
  var referenceFigure: Figure?
  /// What has to be reached, nil when the row only informs.
  var bar: Bar?
  /// Why something is missing, or how to read it.
  var note: String?

  /// The figure as a multiple of what stands beside it.
  var ratio: Double? {
    guard let figure, let referenceFigure, referenceFigure.median > 0 else { return nil }
    return figure.median / referenceFigure.median
  }

  /// Whether the bar is reached.
  var verdict: Verdict {
    guard let bar else { return .none }
    return switch bar.isReached(by: figure, beside: referenceFigure) {
    case true?: .holds
    case false?: .misses
    case nil: .open
    }
  }
}

/// All samples of one contestant of a measurement, for the table of percentiles.
struct Series: Sendable {
  /// The measurement that it belongs to.
  var measurement = ""
  /// Who or what was measured.
  let name: String
  /// The file system it was measured on, where that matters.
  var place: String?
  /// The percentiles.
  let figure: Figure
}

/// What a measurement found.
struct Findings: Sendable {
  /// The lines of the result.
  var rows: [Row] = []
  /// The percentiles behind them.
  var series: [Series] = []

  /// Puts other findings behind these.
  mutating func append(_ other: Findings) {
    rows += other.rows
    series += other.series
  }
}
