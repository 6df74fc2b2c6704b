/// What measurements are taken with.
struct Context {
  /// The directories to measure in.
  let places: [Place]
  /// Whether few samples are enough.
  let isQuick: Bool
  /// The other systems.
  let peers: Peers
  /// Where the tools are that are measured.
  let tools: String
  /// Whether each of two programs is kept on a processor of its own.
  var areApart = false

  /// One of two, by whether this is a quick run.
  func choose<T>(quick: T, full: T) -> T { isQuick ? quick : full }
}

/// Something that can be asked for by name and gives lines of the result.
struct Measurement: Sendable {
  /// The word for `--only`.
  let name: String
  /// What it measures, as a heading.
  let summary: String
  /// Measures.
  let take: @Sendable (Context) throws(BenchmarkError) -> Findings

  /// The measurement of a name.
  static func named(_ name: String) -> Measurement? { all.first { $0.name == name } }
}
