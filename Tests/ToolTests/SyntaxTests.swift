import CommandLineTool
import Testing

/// The reading of command lines, and the help that is made from the same table.
@Suite("Command lines")
struct SyntaxTests {
  private static let verbose = Option("v", "verbose", help: "say more")
  private static let version2 = Option("verify", help: "look twice")
  private static let count = Option("n", "count", argument: "N", help: "so many")
  private static let wait = Option("wait", argument: "SECONDS", help: "so long")

  private let syntax = Syntax(
    "tool", synopsis: ["[OPTION]... [NAME]", "--verify"], summary: "Does something.",
    sections: [Syntax.Section("Doing:", [verbose, version2, count, wait])], notes: ["A note."])

  /// What the syntax reads.
  private func parse(_ words: String...) throws -> CommandLineArguments {
    try syntax.parse(words.map { Array($0.utf8) })
  }

  /// The error line of a command line that is refused with code 64.
  private func refusal(_ words: String...) -> String? {
    do {
      _ = try syntax.parse(words.map { Array($0.utf8) })
      return nil
    } catch {
      #expect(error.exitCode == .usage)
      return error.message
    }
  }

  @Test("Letters, joined letters and names with their arguments are read, operands wherever they stand")
  func forms() throws {
    let arguments = try parse("one", "-vn3", "two", "--wait=0.5", "-n", "4", "--wait", "2", "-")
    #expect(arguments.has(Self.verbose))
    #expect(!arguments.has(Self.version2))
    #expect(try arguments.count(Self.count) == 4)
    #expect(try arguments.texts(Self.wait) == ["0.5", "2"])
    #expect(try arguments.seconds(Self.wait) == .seconds(2))
    #expect(arguments.operands == [Array("one".utf8), Array("two".utf8), Array("-".utf8)])
  }

  @Test("Two hyphens end the options")
  func endOfOptions() throws {
    let arguments = try parse("-v", "--", "-n", "--", "--wait")
    #expect(arguments.operands.map { String(decoding: $0, as: UTF8.self) } == ["-n", "--", "--wait"])
    #expect(arguments.has(Self.verbose))
    #expect(!arguments.has(Self.count))
  }

  @Test("A long option may be shortened while it stays the only one")
  func abbreviations() throws {
    #expect(try parse("--verb").has(Self.verbose))
    #expect(try parse("--veri").has(Self.version2))
    #expect(try parse("--w", "1").has(Self.wait))
    #expect(refusal("--ver") == "option --ver could be --verbose, --verify, --version; write more of it")
  }

  @Test("What is not understood is refused with the option and the remedy")
  func refusals() {
    #expect(refusal("-y") == "unknown option -y; see tool --help")
    #expect(refusal("-vy") == "unknown option -y; see tool --help")
    #expect(refusal("--nothing") == "unknown option --nothing; see tool --help")
    #expect(refusal("--nothing=1") == "unknown option --nothing; see tool --help")
    #expect(refusal("a", "--nothing", "b") == "unknown option --nothing; see tool --help")
    #expect(refusal("--verbose=1") == "option --verbose takes no argument; see tool --help")
    #expect(refusal("-n") == "option --count needs N; see tool --help")
    #expect(refusal("--wait") == "option --wait needs SECONDS; see tool --help")
    #expect(refusal("-v", "--count") == "option --count needs N; see tool --help")
  }

  @Test("Nothing behind a request for help has to be right")
  func helpFirst() throws {
    #expect(try parse("-h", "--nothing").has(.help))
    #expect(try parse("--version", "-n").has(.version))
    #expect(refusal("--nothing", "-h") == "unknown option --nothing; see tool --help")
  }

  @Test("Numbers are whole and positive, times may have fractions", arguments: ["0", "-1", "1.5", "", "x", "1x"])
  func badCount(text: String) throws {
    let arguments = try parse("-n", text)
    #expect(throws: ToolError.self) { try arguments.count(Self.count) }
  }

  @Test(
    "A time is a decimal number of seconds from 0",
    arguments: ["-1", "", "1s", "nan", "inf", "-inf", "1e400", "0x1", ".", "1.2.3", "1e", "e9", " 1", "1 "])
  func badSeconds(text: String) throws {
    let arguments = try parse("--wait=\(text)")
    let line = "--wait \(shown(text)): a number of seconds is expected, such as 5 or 0.5"
    #expect(throws: ToolError.usage(line)) { try arguments.seconds(Self.wait) }
  }

  @Test(
    "Seconds with fractions are read exactly enough",
    arguments: [
      ("0", 0), ("-0", 0), ("0.25", 250), (".5", 500), ("3.", 3000), ("1e3", 1_000_000), ("25E-2", 250), ("+2", 2000),
      ("1e9", 1_000_000_000_000), ("1e300", 3_155_760_000_000), ("99999999999999999999", 3_155_760_000_000),
    ])
  func goodSeconds(text: String, milliseconds: Int) throws {
    #expect(try parse("--wait", text).seconds(Self.wait) == .milliseconds(milliseconds))
  }

  @Test("Operands are bytes, whatever they are; arguments of options are text")
  func bytes() throws {
    let arguments = try syntax.parse([[0xFF, 0x61], Array("--wait=".utf8) + [0xFF]])
    #expect(arguments.operands == [[0xFF, 0x61]])
    #expect(throws: ToolError.usage("the argument of --wait is not UTF-8")) { try arguments.text(Self.wait) }
    #expect(throws: ToolError(.badData, "identifier \u{FFFD}a is not UTF-8")) { try arguments.identifier(0) }
  }

  @Test("A command that is empty is refused, and so are empty numbers, which are shown as such")
  func emptyArguments() throws {
    for text in ["", " ", "\n\t"] {
      #expect(throws: ToolError.usage("--wait: the COMMAND is empty; to do nothing, say true")) {
        try parse("--wait", text).command(Self.wait)
      }
    }
    #expect(try parse("--wait", "true").command(Self.wait) == "true")
    #expect(try parse("-v").command(Self.wait) == nil)
    #expect(throws: ToolError.usage(#"--count "": a whole number from 1 is expected"#)) {
      try parse("-n", "").count(Self.count)
    }
  }

  @Test("Options that exclude each other are refused by name")
  func exclusions() throws {
    let arguments = try parse("-v", "--verify")
    #expect(throws: ToolError.usage("--verbose and --verify exclude each other; see tool --help")) {
      try arguments.refuseTogether([Self.count, Self.verbose, Self.version2])
    }
    #expect(throws: ToolError.usage("--verbose does not go with --verify; see tool --help")) {
      try arguments.refuse([Self.verbose, Self.version2], with: Self.version2)
    }
    #expect(throws: ToolError.usage("--verbose needs --count; see tool --help")) {
      try arguments.refuse([Self.verbose], without: Self.count)
    }
    try arguments.refuse([Self.wait], without: Self.count)
  }

  @Test("The help shows every option of the table, aligned")
  func help() {
    #expect(
      syntax.help == """
        Usage: tool [OPTION]... [NAME]
               tool --verify
        Does something.

        Doing:
          -v, --verbose             say more
              --verify              look twice
          -n, --count N             so many
              --wait SECONDS        so long

        The wormhole:
          -g, --group GROUP         the application group: programs that name the same
                                    one meet (default: group.wormhole)
              --optional-directory NAME
                                    the wormhole's directory in that of the group
                                    (default: wormhole)
          -d, --directory PATH      the wormhole is exactly this directory, whatever the
                                    group

        The tool itself:
          -h, --help                print this help and end
              --version             print the version and end

        A note.

        """)
  }
}
