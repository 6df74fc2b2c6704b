import Glibc

/// A run of the benchmark.
enum Benchmark {
  /// Takes the measurements one after the other.
  static func run(_ options: Options) throws(BenchmarkError) -> Report {
    Cleanup.watchSignals()
    defer { Cleanup.run() }
    let places = try Place.all(given: options.directory)
    let peers = Peers(folder: try places[0].folder("peers"))
    let context = Context(places: places, isQuick: options.isQuick, peers: peers, tools: options.tools)
    var report = Report(machine: Machine(places: places, isQuick: options.isQuick))
    for measurement in options.measurements {
      do throws(BenchmarkError) {
        var findings = try measurement.take(context)
        for index in findings.rows.indices { findings.rows[index].measurement = measurement.name }
        for index in findings.series.indices { findings.series[index].measurement = measurement.name }
        report.findings.append(findings)
      } catch {
        Progress.report("\(measurement.name): \(error)")
        report.failures.append((measurement.name, error.description))
      }
    }
    Progress.clear()
    report.peers = peers.states
    return report
  }
}
