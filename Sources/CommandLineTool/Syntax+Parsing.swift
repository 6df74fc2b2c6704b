import CSystem
import Glibc
import Wormhole

extension Syntax {
  /// getopt_long(3) keeps its state in variables of the process; tests parse on many threads.
  private static let parsing = Lock(())

  /// Reads the arguments after the program's name.
  ///
  /// Done by getopt_long(3), so with its rules: options and operands may be mixed, unless POSIXLY_CORRECT is set; the
  /// argument of a long option follows a `=` or is the next word; letters may be joined; `--` ends the options; a long
  /// option may be shortened as far as it stays the only one, and a name that is complete is never ambiguous.
  /// Reading ends at `--help` or `--version`: what follows them need not be right.
  package func parse(_ arguments: [[UInt8]]) throws(ToolError) -> CommandLineArguments {
    try Self.parsing.withLock { (_) throws(ToolError) in
      // getopt_long permutes the array and keeps pointers into it while it works.
      let words = ([Array(program.utf8)] + arguments).map { UnsafeMutablePointer<CChar>.string($0) }
      let names = options.map { UnsafeMutablePointer<CChar>.string(Array($0.name.utf8)) }
      let letters = UnsafeMutablePointer<CChar>.string(Array(optionString.utf8))
      let argv = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count + 1)
      argv.initialize(from: words + [nil], count: words.count + 1)
      defer {
        for string in words + names + [letters] { string.deallocate() }
        argv.deallocate()
      }
      var longOptions = options.indices.map {
        CSystem.option(name: names[$0], has_arg: options[$0].argument == nil ? 0 : 1, flag: nil, val: value(of: $0))
      }
      longOptions.append(CSystem.option(name: nil, has_arg: 0, flag: nil, val: 0))

      var result = CommandLineArguments(program: program)
      csystem_getopt_reset()
      while true {
        let found = csystem_getopt_long(Int32(words.count), argv, letters, longOptions)
        if found == -1 { break }
        guard found != badOption, found != missingArgument else {
          throw error(found, word: argv[Int(csystem_optind()) - 1].map { String(cString: $0) } ?? "")
        }
        guard let option = option(of: found) else { continue }
        result.options.append((option, csystem_optarg().map { bytes(of: $0) }))
        if option == .help || option == .version { return result }
      }
      for index in Int(csystem_optind())..<words.count {
        if let word = argv[index] { result.operands.append(bytes(of: word)) }
      }
      return result
    }
  }

  /// Options are told apart by their place in the table, above every character that getopt_long gives.
  private static let firstValue = 256
  private func value(of index: Int) -> Int32 { Int32(Self.firstValue + index) }

  /// What getopt_long gives for an option it does not know or that takes no argument, and for a missing argument.
  private var badOption: Int32 { 0x3F }
  private var missingArgument: Int32 { 0x3A }

  /// The letters for getopt_long: a colon first, so that a missing argument is told from an unknown option.
  private var optionString: String {
    ":" + options.map { option in option.letter.map { "\($0)" + (option.argument == nil ? "" : ":") } ?? "" }.joined()
  }

  /// The error for what getopt_long refused while it was at `word`.
  private func error(_ found: Int32, word: String) -> ToolError {
    let value = csystem_optopt()
    let known = option(of: value)
    let remedy = "see \(program) --help"
    if found == missingArgument, let known {
      return .usage("option \(known.spelling) needs \(known.argument ?? "an argument"); \(remedy)")
    }
    if let known { return .usage("option \(known.spelling) takes no argument; \(remedy)") }
    if value != 0, let scalar = Unicode.Scalar(UInt32(bitPattern: value)) {
      // More often than an option somebody mistypes, a number below zero is text.
      let hint = ("0"..."9").contains(scalar) ? "text that begins with a dash goes behind --; " : ""
      return .usage("unknown option -\(Character(scalar)); \(hint)\(remedy)")
    }
    let name = word.dropFirst(2).prefix { $0 != "=" }
    let candidates = options.filter { $0.name.hasPrefix(name) }.map(\.spelling)
    return candidates.count > 1
      ? .usage("option --\(name) could be \(candidates.joined(separator: ", ")); write more of it")
      : .usage("unknown option --\(name); \(remedy)")
  }

  /// The option of a value that getopt_long gave: a letter, or a place in the table.
  private func option(of value: Int32) -> Option? {
    if Int(value) >= Self.firstValue { return options[Int(value) - Self.firstValue] }
    return options.first { $0.letter?.asciiValue.map { Int32($0) } == value }
  }

  /// The bytes of a C string.
  private func bytes(of string: UnsafePointer<CChar>) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: string, count: strlen(string)))
  }
}

extension UnsafeMutablePointer<CChar> {
  /// A C string of these bytes, to be deallocated; what follows a NUL is not seen.
  fileprivate static func string(_ bytes: [UInt8]) -> Self {
    let string = Self.allocate(capacity: bytes.count + 1)
    for (index, byte) in bytes.enumerated() { string[index] = CChar(bitPattern: byte) }
    string[bytes.count] = 0
    return string
  }
}
