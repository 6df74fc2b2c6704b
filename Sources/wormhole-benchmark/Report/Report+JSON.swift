import FoundationEssentials

extension Report {
  /// The result as one JSON object, keys sorted.
  func json() throws(BenchmarkError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try translating { try encoder.encode(Document(self)) }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// The shape of the JSON object.
  private struct Document: Encodable {
    let machine: Machine
    let peers: [String: String]
    let rows: [Line]
    let series: [Percentiles]
    let failures: [String: String]
    let barsHolding: Int
    let barsJudged: Int

    init(_ report: Report) {
      machine = report.machine
      peers = Dictionary(report.peers.map { ($0.name, $0.state) }) { first, _ in first }
      rows = report.findings.rows.map(Line.init)
      series = report.findings.series.map(Percentiles.init)
      failures = Dictionary(report.failures.map { ($0.measurement, $0.reason) }) { first, _ in first }
      (barsHolding, barsJudged) = report.score
    }
  }

  /// A row of the comparisons.
  private struct Line: Encodable {
    let measurement: String
    let subject: String
    let place: String?
    let figure: Figure?
    let reference: String?
    let referenceFigure: Figure?
    let ratio: Double?
    let bar: String?
    let verdict: String?
    let note: String?

    init(_ row: Row) {
      measurement = row.measurement
      subject = row.subject
      place = row.place
      figure = row.figure
      reference = row.reference
      referenceFigure = row.referenceFigure
      ratio = row.ratio
      bar = row.bar?.text(row.figure?.unit)
      verdict = row.bar == nil ? nil : row.verdict.rawValue
      note = row.note
    }
  }

  /// A row of the percentiles.
  private struct Percentiles: Encodable {
    let measurement: String
    let name: String
    let place: String?
    let figure: Figure

    init(_ series: Series) {
      measurement = series.measurement
      name = series.name
      place = series.place
      figure = series.figure
    }
  }
}
