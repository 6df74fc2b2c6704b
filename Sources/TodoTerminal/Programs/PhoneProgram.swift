package import CommandLineTool
import Wormhole

/// `todo-phone` from its command line to its end.
package enum PhoneProgram {
  /// Runs a command, or fills the terminal.
  package static func run(_ arguments: CommandLineArguments, _ output: StandardOutput) throws(ToolError) -> ExitCode {
    try Runtime.start()
    guard arguments.operands.isEmpty else {
      try arguments.refuse(.withWatch, "commands")
      return try arguments.operand(0) == "follow" ? follow(arguments, output) : command(arguments, output)
    }
    try arguments.refuse(.json, "the screen")
    if arguments.has(.withWatch) {
      guard let terminal = Terminal.drawable else { return try Exchange.run(arguments, output) }
      return try runWithWatch(arguments, terminal)
    }
    guard let terminal = Terminal.drawable else {
      throw .usage("there is no terminal to draw on; give a command such as list, see --help")
    }
    return try runAlone(arguments, terminal)
  }

  /// Runs one command.
  private static func command(_ arguments: CommandLineArguments, _ output: StandardOutput) throws(ToolError) -> ExitCode
  {
    try Commands(PhoneStore(try arguments.openTodoWormhole()), arguments, output).run()
  }

  /// Fills the terminal with the phone alone.
  private static func runAlone(_ arguments: CommandLineArguments, _ terminal: Terminal) throws(ToolError) -> ExitCode {
    let events = EventQueue<FullScreen.Event<PhoneScreen.News>>()
    TerminalInput.start { events.put(.terminal($0)) }
    let wormhole = try arguments.openTodoWormhole()
    let session = try attempting { try PhoneSession(wormhole) { events.put(.news($0)) } }
    FullScreen.run(PhoneScreen(), in: terminal, events: events, setOn: session.setOn) { action in
      if action == .quit { return .end }
      session.perform(action)
      return .goOn
    }
    return .success
  }

  /// Fills the terminal with the phone and, in a process of its own, a watch.
  private static func runWithWatch(_ arguments: CommandLineArguments, _ terminal: Terminal) throws(ToolError)
    -> ExitCode
  {
    let events = EventQueue<FullScreen.Event<SideBySideScreen.News>>()
    TerminalInput.start { events.put(.terminal($0)) }
    let wormhole = try arguments.openTodoWormhole()
    let session = try attempting { try PhoneSession(wormhole) { events.put(.news(.phone($0))) } }
    let start = { () throws(ToolError) in
      try attempting {
        try WatchProcess(directory: wormhole.directory) {
          events.put(.news(.watch($0)))
        } onEnd: {
          events.put(.news(.watchEnded($0)))
        }
      }
    }
    var watch = try start()
    defer { watch.tellToEnd() }
    watch.send(.hasKeys(false))
    var size = terminal.size
    FullScreen.run(
      SideBySideScreen(), in: terminal, events: events,
      resized: { new in
        size = new
        watch.send(.size(SideBySideScreen.watchSize(in: new)))
      }, setOn: session.setOn
    ) { action in
      switch action {
      case .phone(.quit): return .end
      case .phone(let action): session.perform(action)
      case .watch(let input): watch.send(input)
      case .restartWatch:
        do throws(ToolError) {
          watch = try start()
          watch.send(.size(SideBySideScreen.watchSize(in: size)))
        } catch {
          events.put(.news(.watchEnded(error.message ?? "it could not be started")))
        }
      }
      return .goOn
    }
    return .success
  }

  /// Prints the lines of the screen as they change.
  private static func follow(_ arguments: CommandLineArguments, _ output: StandardOutput) throws(ToolError) -> ExitCode
  {
    try arguments.refuseMore(than: 1)
    try arguments.refuse(.json, "follow")
    let events = EventQueue<FullScreen.Event<PhoneScreen.News>>()
    TerminalInput.startSignals { events.put(.terminal($0)) }
    let wormhole = try arguments.openTodoWormhole()
    let session = try attempting { try PhoneSession(wormhole) { events.put(.news($0)) } }
    defer { withExtendedLifetime(session) {} }
    try FollowProgram.run(PhoneScreen(), events: events, output: output)
    return .success
  }
}

extension CommandLineArguments {
  /// Throws when an option was given that does not go with what is run.
  func refuse(_ option: Option, _ what: String) throws(ToolError) {
    guard has(option) else { return }
    throw .usage("\(option.spelling) does not go with \(what); see --help")
  }
}

extension Terminal {
  /// The terminal of this process, nil when there is none or nothing can be drawn on it.
  static var drawable: Terminal? { ColorSupport.canDraw(Program.environment) ? Terminal() : nil }
}
