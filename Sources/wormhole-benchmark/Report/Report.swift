/// The result of a run.
struct Report: Sendable {
  /// Where and how it was measured.
  let machine: Machine
  /// The peers that were wanted: by name, with what stood for each, or why it is absent.
  var peers: [(name: String, state: String)] = []
  /// What was found, in the order of measuring.
  var findings = Findings()
  /// Measurements that failed, each with its reason.
  var failures: [(measurement: String, reason: String)] = []

  /// Whether every figure of the library itself was taken; peers may be absent.
  var isWhole: Bool { failures.isEmpty && findings.rows.allSatisfy { $0.figure != nil } }

  /// How many bars hold, and how many there are to judge.
  var score: (holding: Int, judged: Int) {
    let verdicts = findings.rows.map(\.verdict)
    let holding = verdicts.count { $0 == .holds }
    return (holding, holding + verdicts.count { $0 == .misses })
  }
}
