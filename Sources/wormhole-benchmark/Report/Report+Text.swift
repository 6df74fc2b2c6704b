extension Report {
  /// The whole result for people: where it was measured, the comparisons, the percentiles, how to read it.
  var text: String {
    var text = machine.text + "\n"
    if !peers.isEmpty {
      text += "Beside it: " + peers.map { "\($0.name) (\($0.state))" }.joined(separator: ", ") + "\n"
    }
    text += "\n" + comparisons
    if !findings.series.isEmpty { text += "\n" + percentiles }
    if !failures.isEmpty {
      text += "\nNot measured:\n" + failures.map { "  \($0.measurement): \($0.reason)\n" }.joined()
    }
    let (holding, judged) = score
    text += "\n\(holding) of \(judged) bars hold.\n\n" + Self.explanation
    return text
  }

  /// The table of figures, what stands beside them, and the bars.
  private var comparisons: String {
    var table = Table([
      ("What", .left), ("On", .left), ("Figure", .right), ("Beside it", .left), ("Its figure", .right),
      ("Ratio", .right), ("Bar", .left), ("Verdict", .left),
    ])
    var measurement = ""
    for row in findings.rows {
      if row.measurement != measurement {
        measurement = row.measurement
        table.add(title: "")
        table.add(title: Measurement.named(measurement)?.summary ?? measurement)
      }
      table.add([
        "  " + row.subject, row.place ?? "", row.figure?.text ?? "-", row.reference ?? "",
        row.referenceFigure?.text ?? (row.reference == nil ? "" : "-"), row.ratio?.text(decimals: 2) ?? "",
        row.bar?.text(row.figure?.unit) ?? "", row.verdict.rawValue,
      ])
      if let note = row.note { table.add(title: "    (\(note))") }
    }
    return table.text
  }

  /// The table of percentiles.
  private var percentiles: String {
    var table = Table([
      ("Percentiles", .left), ("On", .left), ("p50", .right), ("p90", .right), ("p99", .right), ("Samples", .right),
    ])
    var measurement = ""
    for series in findings.series {
      if series.measurement != measurement {
        measurement = series.measurement
        table.add(title: Measurement.named(measurement)?.summary ?? measurement)
      }
      let figure = series.figure
      func text(_ value: Double?) -> String { value.map { Figure.text($0, figure.unit) } ?? "-" }
      table.add([
        "  " + series.name, series.place ?? "", text(figure.median), text(figure.p90), text(figure.p99),
        Double(figure.count).text(decimals: 0),
      ])
    }
    return table.text
  }

  /// What a newcomer needs to know to read the tables.
  private static let explanation = """
    How to read this: a figure is a median of many samples between real processes. What stands beside it was measured
    in the same run, in turns of a few milliseconds, so that whatever slows the machine slows both; so believe the
    ratios, and take the absolute times for what they are worth. "Bare calls" are the same system calls that a Wormhole
    needs, written straight with nothing on top: the floor. "Temporary + rename" is how files are usually replaced.
    One way is half a round trip between two processes. No server was ever asked for but on this machine.

    """
}
