import CommandLineTool

extension Option {
  /// `-j, --json`
  static let json = Option(
    "j", "json",
    help: "the message is one JSON value (RFC 8259): checked, then stored byte for byte, blanks around it too")
  /// `-b, --bytes`
  static let bytes = Option("b", "bytes", help: "the message is bytes as they are")
  /// `-l, --lines`
  static let lines = Option(
    "l", "lines", help: "each line of standard input is a message, sent as soon as it is complete")
  /// `--stream`
  static let stream = Option(
    "stream",
    help:
      "no IDENTIFIER; standard input is JSON Lines {\"identifier\": …, \"message\": …}, each sent as it comes: also "
      + "what wormhole-listen -f json prints")
  /// `--signal`
  static let signal = Option("signal", help: "wake the listeners of IDENTIFIER without a message; the stored one stays")
  /// `--clear`
  static let clear = Option("clear", help: "clear IDENTIFIER: its stored message goes")
  /// `--clear-all`
  static let clearAll = Option("clear-all", help: "clear every identifier of the wormhole")
  /// `-q, --queue`
  static let queue = Option(
    "q", "queue",
    help:
      "put it into the queue of IDENTIFIER, where it waits until its receiver has taken it; with --request, wait for "
      + "a responder that comes later, within --timeout")
  /// `--request`
  static let request = Option("request", help: "ask whoever responds to IDENTIFIER, and print the reply")
  /// `--timeout`
  static let timeout = Option(
    "timeout", argument: "SECONDS", help: "how long --request waits for the reply (default: 5)")
  /// `--transfer-file`
  static let transferFile = Option(
    "transfer-file", argument: "PATH",
    help: "no MESSAGE; put a copy of this file into the queue of IDENTIFIER, where it waits until its receiver has "
      + "taken it")
  /// `--metadata`
  static let metadata = Option(
    "metadata", argument: "JSON",
    help: "with --transfer-file: one JSON value that goes with the file, stored byte for byte")
  /// `--durable`
  static let durable = Option("durable", help: "the message is on the disk before the tool ends")
  /// `--origin`
  static let origin = Option("origin", argument: "NAME", help: "who sends (default: wormhole-send)")
}

extension Syntax {
  /// The command line of `wormhole-send`.
  static let send = Syntax(
    "wormhole-send",
    synopsis: [
      "[OPTION]... IDENTIFIER [MESSAGE]", "[OPTION]... --lines IDENTIFIER", "[OPTION]... --stream",
      "[OPTION]... --request IDENTIFIER [MESSAGE]", "[OPTION]... --transfer-file PATH IDENTIFIER",
      "[OPTION]... --signal|--clear IDENTIFIER",
      "[OPTION]... --clear-all",
    ],
    summary: "Sends a message to whoever listens to IDENTIFIER, now or later: it stays until the next one is sent. "
      + "Without MESSAGE, or with -, the message is all of standard input, as it is. A message is text unless an "
      + "option says otherwise.",
    sections: [
      Section("The message:", [.json, .bytes, .lines, .stream]),
      Section("Instead of a message:", [.transferFile, .metadata, .signal, .clear, .clearAll]),
      Section("How it is sent:", [.queue, .request, .timeout, .durable, .origin]),
    ],
    notes: [
      "A long option may be shortened while it stays the only one; -- ends the options, so that a MESSAGE may begin with "
        + "a hyphen. With --lines, --json and --bytes say what each line is.",
      "With --stream the members event and codec are understood as wormhole-listen prints them: signals are sent as "
        + "signals, cleared identifiers are cleared, bytes are base64, what was undecodable is passed over; the "
        + "other members that it prints may be there and do nothing, any other is refused. The first bad line is named by its number and ends the tool; those before it are sent.",
      "Exit status: 0 sent; 64 the command line is wrong; 65 the data is bad (identifier, JSON, text that is not UTF-8, "
        + "too large, a damaged or newer archive); 66 no standard input, or no such file; 69 nobody responds, or the responder has gone; "
        + "70 the responder failed; 73 the wormhole cannot be created; 74 input or output failed; 75 no reply in time, "
        + "the queue is full, or the lock was not to be had; 77 not permitted.",
    ])
}
