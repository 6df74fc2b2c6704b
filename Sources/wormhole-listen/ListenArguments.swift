import CommandLineTool

extension CommandLineArguments {
  /// Throws when options and operands do not go together.
  func checkListening() throws(ToolError) {
    try refuseTogether([.read, .exec, .list, .respond, .setAside, .putBack, .forget, .diagnose])
    try refuseTogether([.queue, .read, .list, .respond, .diagnose])
    for option in [Option.read, .list, .setAside, .putBack, .forget, .diagnose] {
      try refuse([.ready, .current, .count, .timeout, .every, .ignoreOrigin], with: option)
    }
    try refuse([.verbose], with: .list)
    try refuse([.verbose], with: .diagnose)
    if has(.diagnose), !operands.isEmpty {
      throw .usage("--diagnose takes no IDENTIFIER; see wormhole-listen --help")
    }
    // Nothing in a queue is left out: who does not want a transfer has taken it all the same.
    try refuse([.current, .every, .ignoreOrigin], with: .queue)
    try refuse([.current, .every, .ignoreOrigin, .null], with: .respond)
    try refuse([.save], without: .queue)
    try refuse([.save], with: .exec)
    let setting = [Option.setAside, .putBack, .forget]
    for option in setting { try refuse([.format, .verbose, .null, .queue], with: option) }
    if given(of: setting).isEmpty { try refuse([.subscriber], without: .queue) }
    try refuse([.forget], without: .subscriber)
    if let option = given(of: [.read] + setting).first {
      let form = option == .forget ? "--forget --subscriber NAME" : option.spelling
      guard !operands.isEmpty else {
        throw .usage("an IDENTIFIER is missing: wormhole-listen \(form) IDENTIFIER; see wormhole-listen --help")
      }
      guard operands.count == 1 else {
        throw .usage("\(option.spelling) takes one IDENTIFIER; see wormhole-listen --help")
      }
    }
    if let option = given(of: [.list, .diagnose]).first, try messageFormat() == .raw {
      throw .usage("--format raw does not go with \(option.spelling), which prints text or json")
    }
  }

  /// How messages are printed.
  func messageFormat() throws(ToolError) -> MessageFormat {
    let name = try text(.format) ?? "text"
    guard let format = MessageFormat(rawValue: name) else {
      throw .usage("--format \(shown(name)): text, json or raw is expected")
    }
    return format
  }

  /// Makes of events what the options say.
  func formatter() throws(ToolError) -> MessageFormatter {
    MessageFormatter(
      try messageFormat(), showsIdentifier: has(.verbose) || operands.count != 1, endsWithNull: has(.null),
      isOfTransfers: has(.queue))
  }

  /// The identifiers to listen to.
  func identifiers() throws(ToolError) -> [String] {
    var identifiers: [String] = []
    for index in operands.indices { identifiers.append(try identifier(index)) }
    return identifiers
  }
}
