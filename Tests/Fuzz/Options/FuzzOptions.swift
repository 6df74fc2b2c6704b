import FuzzSupport

@testable import CommandLineTool

/// Options of every kind.
private let options = [
  Option("f", "format", argument: "FORMAT", help: "with an argument"), Option("0", "null", help: "a digit"),
  Option("timeout", argument: "SECONDS", help: "no letter"), Option("n", "count", argument: "N", help: "a number"),
  Option("count-all", help: "a name that begins like another's"),
]

/// Splits the input into words at each NUL, and reads them as a command line.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOptions(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  let syntax = Syntax(
    "fuzz", synopsis: [], summary: "", sections: [Syntax.Section("", options)], notes: [])
  let words = bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
  do throws(ToolError) {
    let arguments = try syntax.parse(words)
    precondition(arguments.operands.count <= words.count, "there are more operands than words")
    for option in options {
      _ = try? arguments.texts(option)
      _ = try? arguments.count(option)
      _ = try? arguments.seconds(option)
    }
    for index in arguments.operands.indices { _ = try? arguments.identifier(index) }
    _ = try? arguments.wormholeDirectory()
  } catch {
    precondition(error.exitCode == .usage && error.message != nil)
  }
  return 0
}
