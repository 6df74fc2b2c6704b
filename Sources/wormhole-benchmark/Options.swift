import CommandLineTool
import Wormhole

/// What the command line asks for.
struct Options {
  /// The directory to measure in; nil for temporary ones.
  let directory: String?
  /// Whether few samples are enough.
  let isQuick: Bool
  /// Whether the result is wanted as JSON.
  let isJSON: Bool
  /// Whether only the names of the measurements are wanted.
  let isList: Bool
  /// What to measure.
  let measurements: [Measurement]
  /// Where the tools are that are measured.
  let tools: String

  /// The options and the help.
  static let syntax = Syntax(
    "wormhole-benchmark", synopsis: ["[OPTIONS] [--only NAME...]"],
    summary: "Measures Wormhole between real processes, beside the same system calls with nothing on top and beside "
      + "what other systems on this machine do, and prints a table.",
    sections: [
      Syntax.Section("What to measure:", [only, list, quick]),
      Syntax.Section("Where, and how the result is written:", [place, json, toolsFolder]),
    ],
    notes: [
      "Redis, MQTT (mosquitto), NATS, D-Bus and ZeroMQ are measured where they are installed; their servers are started "
        + "for the run, on the loopback address or a private socket, keep nothing, and are stopped with it.",
      "It exits with 70 when one of Wormhole's own figures could not be taken, whatever the figures are.",
      "A full run takes some minutes and wants a machine that does nothing else. Progress is told on standard error.",
    ], opensWormhole: false)

  private static let only = Option(
    "only", argument: "NAME", help: "measure only this; further names may follow as words of their own (see --list)")
  private static let list = Option("list", help: "print the names of the measurements and end")
  private static let quick = Option("quick", help: "few samples: a minute or two, for the order of magnitude")
  private static let place = Option(
    "d", "directory", argument: "PATH",
    help: "measure in a directory made in PATH (default: a temporary one on disk and one in /dev/shm)")
  private static let json = Option("json", help: "print one JSON object instead of the table")
  private static let toolsFolder = Option(
    "tools", argument: "PATH", help: "where wormhole-send and wormhole-listen are (default: beside this program)")

  /// Reads a command line.
  init(_ arguments: CommandLineArguments) throws(ToolError) {
    directory = try arguments.text(Self.place)
    isQuick = arguments.has(Self.quick)
    isJSON = arguments.has(Self.json)
    isList = arguments.has(Self.list)
    tools = try arguments.text(Self.toolsFolder) ?? Program.folder
    let operands = arguments.operands.map { String(decoding: $0, as: UTF8.self) }
    guard operands.isEmpty || arguments.has(Self.only) else {
      throw .usage("\(operands[0]) is not understood; to measure only that, write --only \(operands[0])")
    }
    let names = try arguments.texts(Self.only) + operands
    for name in names where Measurement.named(name) == nil {
      throw .usage("no measurement is called \(name); see wormhole-benchmark --list")
    }
    measurements = names.isEmpty ? Measurement.all : Measurement.all.filter { names.contains($0.name) }
  }

}
