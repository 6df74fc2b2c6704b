/// What a command line said: its options in order, and its operands.
package struct CommandLineArguments: Sendable {
  /// The name of the tool, for errors.
  let program: String
  /// The options with their arguments, in order.
  var options: [(option: Option, argument: [UInt8]?)] = []
  /// All else, in order, as bytes: an operand may be any message.
  package internal(set) var operands: [[UInt8]] = []

  /// A command line of the tool `program` that says nothing.
  init(program: String) { self.program = program }

  /// Whether the option was given.
  package func has(_ option: Option) -> Bool { options.contains { $0.option == option } }

  /// The options of `candidates` that were given.
  package func given(of candidates: [Option]) -> [Option] { candidates.filter(has) }

  /// Those arguments of an option that were given, in order, as text.
  package func texts(_ option: Option) throws(ToolError) -> [String] {
    var texts: [String] = []
    for (given, argument) in options where given == option {
      guard let text = String(validating: argument ?? [], as: UTF8.self) else {
        throw .usage("the argument of \(option.spelling) is not UTF-8")
      }
      texts.append(text)
    }
    return texts
  }

  /// The argument of an option as text, the last one when it was given more than once, nil when it was not.
  package func text(_ option: Option) throws(ToolError) -> String? { try texts(option).last }

  /// The argument of an option as a command of the shell.
  ///
  /// - Throws: 64 for an empty one: it succeeds and does nothing, which is a variable that is not set and nobody's wish.
  package func command(_ option: Option) throws(ToolError) -> String? {
    let text = try text(option)
    guard text.map({ $0.contains { !$0.isWhitespace } }) ?? true else {
      throw .usage("\(option.spelling): the COMMAND is empty; to do nothing, say true")
    }
    return text
  }

  /// The argument of an option as it is, the last one when it was given more than once, nil when it was not.
  package func bytes(_ option: Option) -> [UInt8]? { options.last { $0.option == option }?.argument }

  /// The argument of an option as a whole number from 1.
  package func count(_ option: Option) throws(ToolError) -> Int? {
    guard let text = try text(option) else { return nil }
    guard let count = Int(text), count > 0 else {
      throw .usage("\(option.spelling) \(shown(text)): a whole number from 1 is expected")
    }
    return count
  }

  /// The argument of an option as a time in seconds, which may have a fraction: any number from 0.
  package func seconds(_ option: Option) throws(ToolError) -> Duration? {
    guard let text = try text(option) else { return nil }
    // Decimal alone: not hexadecimal, which Double would take too.
    let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || ".eE+-".utf8.contains($0) }
    // More than a century is as good as a century, and stays clear of every overflow.
    guard isDecimal, let seconds = Double(text), seconds.isFinite, seconds >= 0 else {
      throw .usage("\(option.spelling) \(shown(text)): a number of seconds is expected, such as 5 or 0.5")
    }
    return .nanoseconds(Int64(min(seconds, 3_155_760_000) * 1_000_000_000))
  }

  /// Throws when more than one of these options was given.
  package func refuseTogether(_ candidates: [Option]) throws(ToolError) {
    let given = given(of: candidates)
    guard given.count > 1 else { return }
    throw .usage("\(given[0].spelling) and \(given[1].spelling) exclude each other; see \(program) --help")
  }

  /// Throws when one of these options was given with `option`, for which they mean nothing.
  package func refuse(_ candidates: [Option], with option: Option) throws(ToolError) {
    guard has(option), let other = given(of: candidates).first(where: { $0 != option }) else { return }
    throw .usage("\(other.spelling) does not go with \(option.spelling); see \(program) --help")
  }

  /// Throws when one of these options was given without `option`, to which they belong.
  package func refuse(_ candidates: [Option], without option: Option) throws(ToolError) {
    guard !has(option), let other = given(of: candidates).first else { return }
    throw .usage("\(other.spelling) needs \(option.spelling); see \(program) --help")
  }

  /// An operand that names a mailbox.
  package func identifier(_ index: Int) throws(ToolError) -> String {
    guard let text = String(validating: operands[index], as: UTF8.self) else {
      throw ToolError(.badData, "identifier \(String(decoding: operands[index], as: UTF8.self)) is not UTF-8")
    }
    return text
  }
}

/// An argument as errors show it: an empty one is seen, too.
package func shown(_ argument: String) -> String { argument.isEmpty ? "\"\"" : argument }
