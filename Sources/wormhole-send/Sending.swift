import CommandLineTool
import Wormhole

/// What one run of `wormhole-send` does.
struct Sending {
  /// What a message is made of.
  enum Kind {
    case text, json, bytes

    /// The payload of these bytes, which `isLine` says are a line of standard input.
    ///
    /// - Throws: 65 when they are not of the kind.
    func payload(_ bytes: [UInt8], isLine: Bool = false) throws(ToolError) -> Payload {
      switch self {
      case .bytes: return Payload(bytes: bytes, codec: .bytes)
      case .json:
        do { try JSON.check(bytes) } catch {
          let fault = error.description(in: bytes, isLine: isLine)
          throw ToolError(.badData, "the message is not JSON: \(fault); send it without --json to send text")
        }
        return Payload(bytes: bytes, codec: .json)
      case .text:
        guard let string = JSON.encodedString(bytes) else {
          throw ToolError(.badData, "the message is not UTF-8; send it with --bytes")
        }
        return Payload(bytes: string, codec: .json)
      }
    }
  }

  private let arguments: CommandLineArguments
  private let kind: Kind
  private let durability: Durability
  private let output: StandardOutput

  /// Checks that the options and operands go together; a reply is printed to `output`.
  init(_ arguments: CommandLineArguments, _ output: StandardOutput) throws(ToolError) {
    self.arguments = arguments
    self.output = output
    try arguments.refuseTogether([.json, .bytes])
    try arguments.refuseTogether([.lines, .stream, .signal, .clear, .clearAll, .request, .transferFile])
    try arguments.refuse([.metadata], without: .transferFile)
    // A file goes through the queue anyhow.
    try arguments.refuse([.json, .bytes], with: .transferFile)
    try arguments.refuse([.timeout], without: .request)
    try arguments.refuse([.durable], with: .request)
    for option in [Option.signal, .clear, .clearAll] { try arguments.refuse([.queue], with: option) }
    for option in [Option.stream, .signal, .clear, .clearAll] {
      try arguments.refuse([.json, .bytes], with: option)
    }
    for option in [Option.clear, .clearAll] { try arguments.refuse([.durable, .origin], with: option) }
    kind = arguments.has(.json) ? .json : arguments.has(.bytes) ? .bytes : .text
    durability = arguments.has(.durable) ? .durable : .cached
    try checkOperands()
  }

  /// Throws unless the operands are as many as the options want.
  private func checkOperands() throws(ToolError) {
    let count = arguments.operands.count
    if let option = arguments.given(of: [.stream, .clearAll]).first {
      guard count == 0 else { throw .usage("\(option.spelling) takes no IDENTIFIER; see wormhole-send --help") }
      return
    }
    let option = arguments.given(of: [.lines, .signal, .clear, .transferFile, .request]).first
    let takesMessage = option == nil || option == .request
    guard count > 0 else {
      let words = option.map { [$0.spelling] + ($0.argument.map { [$0] } ?? []) } ?? []
      let form = (["wormhole-send"] + words + ["IDENTIFIER"] + (takesMessage ? ["[MESSAGE]"] : [])).joined(
        separator: " ")
      throw .usage("an IDENTIFIER is missing: \(form); see wormhole-send --help")
    }
    if let option, !takesMessage, count > 1 {
      throw .usage("\(option.spelling) takes one IDENTIFIER and no MESSAGE; see wormhole-send --help")
    }
    guard count <= 2 else {
      throw .usage("one MESSAGE is expected, but \(count - 1) words were given; put it in quotes")
    }
  }

  /// Does it.
  func run() throws(ToolError) {
    let origin = try arguments.text(.origin)
    if arguments.has(.stream) {
      try sendStream(to: try arguments.openWormhole(origin: origin))
    } else if arguments.has(.clearAll) {
      // Where no directory is, all is clear.
      if let wormhole = try arguments.openExistingWormhole() { try calling(wormhole.clearAllMessages) }
    } else {
      let identifier = try arguments.identifier(0)
      if arguments.has(.lines) {
        try sendLines(to: try arguments.openWormhole(origin: origin), identifier)
      } else if arguments.has(.signal) {
        try signal(try arguments.openWormhole(origin: origin), identifier)
      } else if arguments.has(.transferFile) {
        try transferFile(to: identifier, origin: origin)
      } else if arguments.has(.clear) {
        try calling { () throws(WormholeError) in _ = try ArchiveName.fileName(for: identifier) }
        if let wormhole = try arguments.openExistingWormhole() { try clear(wormhole, identifier) }
      } else {
        // What is no message leaves nothing behind, not even the directory.
        let payload = try kind.payload(try message())
        if arguments.has(.request) {
          let timeout = try arguments.seconds(.timeout) ?? .seconds(5)
          try Runtime.start()
          let wormhole = try arguments.openWormhole(origin: origin)
          let request = Request(identifier, payload, timeout: timeout, waits: arguments.has(.queue))
          try request.ask(wormhole, printingTo: output)
          return
        }
        try send(payload, to: try arguments.openWormhole(origin: origin), identifier)
      }
    }
  }

  /// Puts a file into the queue.
  private func transferFile(to identifier: String, origin: String?) throws(ToolError) {
    let metadata = try arguments.bytes(.metadata).map { (bytes) throws(ToolError) in
      do throws(JSONError) { try JSON.check(bytes) } catch {
        throw ToolError(
          .badData,
          "--metadata is not JSON: \(error.description(in: bytes)); text needs double quotes around it, '\"so\"'")
      }
      return Payload(bytes: bytes, codec: .json)
    }
    let wormhole = try arguments.openWormhole(origin: origin)
    try calling { () throws(WormholeError) in
      try wormhole.transferFile(
        path: arguments.bytes(.transferFile) ?? [], metadata: metadata, identifier: identifier, durability: durability)
    }
  }

  /// The message: an operand, or all of standard input.
  private func message() throws(ToolError) -> [UInt8] {
    if arguments.operands.count == 2, arguments.operands[1] != Array("-".utf8) { return arguments.operands[1] }
    if arguments.operands.count == 1, StandardInput.isTerminal {
      // Whoever forgot the identifier, and gave the message alone, would wait for nothing.
      let identifier = try arguments.identifier(0)
      StandardError.report(
        "wormhole-send", "type the message for \(identifier), then Control-D; or give it: IDENTIFIER MESSAGE")
    }
    var input = StandardInput(limit: Self.sizeLimit)
    return try input.readAll()
  }

  /// The most bytes of a message.
  private static let sizeLimit = WormholeOptions().messageSizeLimit

  /// Sends each line of standard input.
  private func sendLines(to wormhole: Wormhole, _ identifier: String) throws(ToolError) {
    var input = StandardInput(limit: Self.sizeLimit)
    var number = 0
    while let line = try input.nextLine() {
      number += 1
      do {
        try send(try kind.payload(line, isLine: true), to: wormhole, identifier)
      } catch {
        throw ToolError(error.exitCode, "standard input, line \(number): \(error.message ?? "")")
      }
    }
  }

  /// Does what each line of standard input says.
  private func sendStream(to wormhole: Wormhole) throws(ToolError) {
    // A line holds the message and what is said about it; bytes are a third longer in base64.
    var input = StandardInput(limit: Self.sizeLimit * 2)
    var number = 0
    while let text = try input.nextLine() {
      number += 1
      do throws(ToolError) {
        let line = try StreamLine(text)
        if arguments.has(.queue), line.action == .signal || line.action == .clear {
          throw ToolError(.badData, "only messages go into a queue; send signals and clear without --queue")
        }
        switch line.action {
        case .send(let payload): try send(payload, to: wormhole, line.identifier)
        case .signal: try signal(wormhole, line.identifier)
        case .clear: try clear(wormhole, line.identifier)
        case .skip: break
        }
      } catch {
        throw ToolError(error.exitCode, "standard input, line \(number): \(error.message ?? "")")
      }
    }
  }

  /// Sends one message, or puts it into the queue.
  private func send(_ payload: Payload, to wormhole: Wormhole, _ identifier: String) throws(ToolError) {
    try calling { () throws(WormholeError) in
      if arguments.has(.queue) {
        try wormhole.transfer(payload, identifier: identifier, durability: durability)
        return
      }
      try wormhole.passMessage(payload, identifier: identifier, durability: durability)
    }
  }

  /// Sends one signal.
  private func signal(_ wormhole: Wormhole, _ identifier: String) throws(ToolError) {
    try calling { () throws(WormholeError) in try wormhole.signal(identifier: identifier, durability: durability) }
  }

  /// Clears one mailbox.
  private func clear(_ wormhole: Wormhole, _ identifier: String) throws(ToolError) {
    try calling { () throws(WormholeError) in try wormhole.clearMessage(identifier: identifier) }
  }
}
