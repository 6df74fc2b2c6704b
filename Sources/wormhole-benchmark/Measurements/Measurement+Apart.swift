extension Measurement {
  /// What two programs do with each other, once more with a processor for each.
  ///
  /// Left alone, the kernel keeps both ends of some exchanges on one processor and of others not, from run to run, which
  /// halves or doubles a figure. So placed, every way has to wake the other processor, and ratios are the same each time.
  static let apart = Measurement(
    name: "apart", summary: "Each of two programs kept on a processor of its own"
  ) { (context) throws(BenchmarkError) in
    var context = context
    context.areApart = true
    var findings = Findings()
    for measurement in [latency, requests] { findings.append(try measurement.take(context)) }
    return findings
  }
}
