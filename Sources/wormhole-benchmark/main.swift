import CommandLineTool
import Glibc

// Started by itself, as the other process of a measurement.
if CommandLine.arguments.count > 2, CommandLine.arguments[1] == Role.marker,
  let role = Role(rawValue: CommandLine.arguments[2])
{
  signal(SIGPIPE, SIG_IGN)
  do {
    try role.run(Array(CommandLine.arguments.dropFirst(3)))
    exit(0)
  } catch {
    Progress.report("\(role.rawValue): \(error)")
    exit(70)
  }
}

Tool.run(Options.syntax) { (arguments, output) throws(ToolError) in
  let options = try Options(arguments)
  if options.isList {
    try output.print(Measurement.list.utf8)
    return .success
  }
  let report: Report
  let text: String
  do throws(BenchmarkError) {
    report = try Benchmark.run(options)
    text = options.isJSON ? try report.json() : report.text
  } catch {
    throw ToolError(.failed, error.description)
  }
  try output.print(text.utf8)
  return report.isWhole ? .success : .failed
}
