import Glibc

extension Subcommand {
  /// `echo [TEXT…]`: a line for each argument, then each line of standard input.
  static let echo = Subcommand(name: "echo") { arguments in
    for argument in arguments { say(argument) }
    while let line = readLine() { say(line) }
  }

  /// `signal-own-end SIGNAL`: ends the helper by this signal.
  static let signalOwnEnd = Subcommand(name: "signal-own-end") { arguments in
    raise(arguments.first.flatMap { Int32($0) } ?? SIGTERM)
  }
}
