import CommandLineTool

extension Option {
  /// `-v, --verbose`
  static let verbose = Option(
    "v", "verbose", help: "begin each line with the identifier and a tab, also with one identifier")
  /// `-f, --format`
  static let format = Option(
    "f", "format", argument: "text|json|raw",
    help:
      "text (the default): a line for each message, JSON strings as their text, other JSON without blanks, property "
      + "lists as JSON, bytes as they are; json: an object a line for each event; raw: the payload, nothing added")
  /// `-0, --null`
  static let null = Option("0", "null", help: "end messages with NUL instead of a line end")
  /// `--ready`
  static let ready = Option(
    "ready", help: "write \"wormhole-listen: listening\" to standard error once nothing sent from now on can be missed")
  /// `-c, --current`
  static let current = Option("c", "current", help: "print the stored messages first, then each new one")
  /// `-n, --count`
  static let count = Option("n", "count", argument: "N", help: "end after N messages, transfers or requests")
  /// `--timeout`
  static let timeout = Option(
    "timeout", argument: "SECONDS",
    help:
      "end with 75 when the time is over first; what --current prints comes before, also with 0, and a running COMMAND "
      + "is ended by SIGTERM")
  /// `--every`
  static let every = Option(
    "every",
    help: "every version and not only the newest, as far as the file still holds it; with --current those stored too")
  /// `-x, --exec`
  static let exec = Option(
    "x", "exec", argument: "COMMAND",
    help: "instead of printing, run COMMAND by sh -c for each, one after the other, with what would be printed as its "
      + "standard input, and WORMHOLE_IDENTIFIER, WORMHOLE_SEQUENCE, WORMHOLE_ORIGIN in its environment")
  /// `-q, --queue`
  static let queue = Option(
    "q", "queue",
    help: "take transfers from the queue of IDENTIFIER: one counts as taken when it is printed, or when COMMAND exits "
      + "with 0; else it stays first in line, and the tool ends with 70. A file is taken by --exec, --save or -f raw")
  /// `--subscriber`
  static let subscriber = Option(
    "subscriber", argument: "NAME",
    help:
      "with --queue: take the transfers as this subscriber; each name gets all of them once, those without a name share "
      + "one place. A queue has places for 23 names, each kept until --forget")
  /// `--save`
  static let save = Option(
    "save", argument: "DIRECTORY",
    help:
      "with --queue: move each file into DIRECTORY and print where it is: under its own name, which becomes name-2.txt "
      + "and so on where that is taken. One whose place cannot be printed is not kept there, and stays first in line")
  /// `--set-aside`
  static let setAside = Option(
    "set-aside", help: "set the transfer that is first in line aside, and print \"1 set aside\"")
  /// `--put-back`
  static let putBack = Option(
    "put-back", help: "put the transfers that were set aside back, at the end of the queue, and print how many")
  /// `--forget`
  static let forget = Option(
    "forget",
    help: "give up the place of --subscriber, who never comes again: nothing is kept for it any more, and its place is "
      + "free for another")
  /// `--respond`
  static let respond = Option(
    "respond", argument: "COMMAND",
    help: "answer requests to IDENTIFIER: COMMAND is run as by --exec, and what it prints is the reply, JSON when it "
      + "parses, else text, without one line end at its end; when it fails, so does the request. With -f raw it finds "
      + "the payload alone, also where it serves several identifiers")
  /// `--read`
  static let read = Option("read", help: "print the stored message of one identifier and end")
  /// `--list`
  static let list = Option(
    "list",
    help:
      "a line for each identifier, or for those given, with tabs between its columns: the identifier as in its file "
      + "name; how many messages its file still holds, the newest of which is the stored one; their bytes; the age of "
      + "the newest (s, m, h, d; - where there is none); how many transfers and files wait in its queue; reachable or "
      + "unreachable: whether somebody responds to its requests or takes its transfers now. With -f json objects, "
      + "which tell the last two apart, and how many transfers are set aside")
  /// `--diagnose`
  static let diagnose = Option(
    "diagnose",
    help:
      "a line for each thing that could keep messages from arriving, with tabs between its columns: what it is; ok, "
      + "note or problem; what was found, and what to do about it")
  /// `--ignore-origin`
  static let ignoreOrigin = Option(
    "ignore-origin", argument: "NAME", help: "leave out messages whose sender has this name (wormhole-send --origin)")
}

extension Syntax {
  /// The command line of `wormhole-listen`.
  static let listen = Syntax(
    "wormhole-listen",
    synopsis: [
      "[OPTION]... [IDENTIFIER...]", "[OPTION]... --queue [IDENTIFIER...]",
      "[OPTION]... --respond COMMAND [IDENTIFIER...]",
      "[OPTION]... --set-aside|--put-back IDENTIFIER", "[OPTION]... --forget --subscriber NAME IDENTIFIER",
      "[OPTION]... --read IDENTIFIER",
      "[OPTION]... --list [IDENTIFIER...]", "[OPTION]... --diagnose",
    ],
    summary:
      "Prints each new message that is sent to IDENTIFIER, or to any identifier without one. With several or all "
      + "identifiers a line is identifier<TAB>message, the identifier as in its file name.",
    sections: [
      Section("What is printed:", [.format, .verbose, .null, .ignoreOrigin]),
      Section("From when to when:", [.current, .every, .count, .timeout, .ready]),
      Section("Transfers and requests:", [.queue, .subscriber, .save, .setAside, .putBack, .forget, .respond]),
      Section("Instead of listening and printing:", [.exec, .read, .list, .diagnose]),
    ],
    notes: [
      "Objects have identifier, event (message, signal, cleared, undecodable), message (base64 when codec is bytes or the "
        + "event is undecodable; null when there is none), codec (json, propertyList, bytes), sequence, sent (RFC 3339, "
        + "UTC), origin and skipped, and of transfers redelivered: whether an earlier receiver may have seen it. Text and raw print messages only.",
      "A file in a queue is the standard input of COMMAND, with WORMHOLE_FILE (its path, from where COMMAND may move it "
        + "away; what is left is removed), WORMHOLE_FILE_NAME (the name it had, safe to use in a directory) and "
        + "WORMHOLE_METADATA (unset when there are none) in the environment. With --save the text of a file is its path "
        + "there; its object has event file, the metadata as message, and file (that path), name and size; one that was saved "
        + "by a tool that was killed before it printed the path comes again under the next name, redelivered. With -f raw "
        + "and without --save it is its bytes. Otherwise it stays first in line, and the tool ends with 70.",
      "SIGINT and SIGTERM end the tool with 0; they are passed on to a running COMMAND, whose end is awaited, as it is "
        + "when the time is over. A COMMAND "
        + "that fails is reported, and listening goes on. A long option may be shortened while it stays the only one.",
      "Exit status: 0; 64 the command line is wrong; 65 the data is bad (identifier, a damaged or newer archive); 66 no such "
        + "message or directory; 70 the COMMAND for a transfer failed; 73 the wormhole cannot be created; 74 input or output "
        + "failed; 75 the time was over; 77 not permitted. --diagnose ends with what its first problem leads to: 66 "
        + "when the wormhole is not there, 74 for limits that are used up and events that are not heard, 75 for a file "
        + "that stays locked.",
    ])
}
