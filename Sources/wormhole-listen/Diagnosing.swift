import CommandLineTool
import Wormhole

/// `wormhole-listen --diagnose`: a line for each thing that could keep messages from arriving.
struct Diagnosing {
  private let directory: String
  private let output: StandardOutput
  private let isJSON: Bool
  private let end: UInt8

  /// Diagnoses for these arguments, prints to `output`.
  init(_ arguments: CommandLineArguments, _ output: StandardOutput) throws(ToolError) {
    directory = try arguments.wormholeDirectory()
    isJSON = try arguments.messageFormat() == .json
    end = arguments.has(.null) ? 0x00 : 0x0A
    self.output = output
  }

  /// Prints the lines; ends with what the first problem asks for.
  func run() throws(ToolError) -> ExitCode {
    let diagnosis = Diagnosis(directory: directory)
    for finding in diagnosis.findings {
      try output.write((isJSON ? object(of: finding) : text(of: finding)).utf8)
      try output.write([end])
    }
    guard let problem = diagnosis.problem else { return .success }
    // Without a kind of failure there is nothing that could fail.
    return problem.code.map { ExitCode($0) } ?? .noInput
  }

  /// The line of a finding: columns with tabs between them.
  private func text(of finding: Diagnosis.Finding) -> String {
    let text = finding.text + (finding.remedy.map { "; \($0)" } ?? "")
    return "\(finding.check)\t\(finding.state.rawValue)\t" + text.map { $0.isNewline || $0 == "\t" ? " " : $0 }
  }

  /// The object of a finding.
  private func object(of finding: Diagnosis.Finding) -> String {
    let remedy = finding.remedy.map { Self.string($0) } ?? "null"
    return "{\"check\":\(Self.string(finding.check)),\"state\":\"\(finding.state.rawValue)\","
      + "\"found\":\(Self.string(finding.text)),\"remedy\":\(remedy)}"
  }

  /// A text as JSON.
  private static func string(_ text: String) -> String {
    String(decoding: JSON.encodedString(text.utf8) ?? [], as: UTF8.self)
  }
}
