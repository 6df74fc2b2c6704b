package import CommandLineTool
import Wormhole

/// `todo-watch` from its command line to its end.
package enum WatchProgram {
  /// Runs a command, or fills the terminal.
  package static func run(_ arguments: CommandLineArguments, _ output: StandardOutput) throws(ToolError) -> ExitCode {
    try Runtime.start()
    if arguments.operands.isEmpty {
      for option in [Option.json, .clear] { try arguments.refuse(option, "the screen") }
      return try runAlone(arguments)
    }
    switch try arguments.operand(0) {
    case let name where ["follow", "face"].contains(name):
      for option in [Option.json, .clear] { try arguments.refuse(option, name) }
      return name == "face" ? try face(arguments, output) : try follow(arguments, output)
    default: return try Commands(WatchStore(try arguments.openTodoWormhole()), arguments, output).run()
    }
  }

  /// Fills the terminal.
  private static func runAlone(_ arguments: CommandLineArguments) throws(ToolError) -> ExitCode {
    guard let terminal = Terminal.drawable else {
      throw .usage("there is no terminal to draw on; give a command such as list, see --help")
    }
    let events = EventQueue<FullScreen.Event<WatchScreen.News>>()
    TerminalInput.start { events.put(.terminal($0)) }
    let wormhole = try arguments.openTodoWormhole()
    let session = try attempting { try WatchSession(wormhole) { events.put(.news($0)) } }
    FullScreen.run(WatchScreen(), in: terminal, events: events, setOn: session.setOn) { perform($0, session) }
    return .success
  }

  /// Prints the lines of the face as they change.
  private static func follow(_ arguments: CommandLineArguments, _ output: StandardOutput) throws(ToolError) -> ExitCode
  {
    try arguments.refuseMore(than: 1)
    let events = EventQueue<FullScreen.Event<WatchScreen.News>>()
    TerminalInput.startSignals { events.put(.terminal($0)) }
    let wormhole = try arguments.openTodoWormhole()
    let session = try attempting { try WatchSession(wormhole) { events.put(.news($0)) } }
    defer { withExtendedLifetime(session) {} }
    try FollowProgram.run(WatchScreen(), events: events, output: output)
    return .success
  }

  /// Draws the face for another program.
  private static func face(_ arguments: CommandLineArguments, _ output: StandardOutput) throws(ToolError) -> ExitCode {
    try arguments.refuseMore(than: 1)
    let events = EventQueue<FaceProgram.Event>()
    let wormhole = try arguments.openTodoWormhole()
    let session = try attempting { try WatchSession(wormhole) { events.put(.news($0)) } }
    FaceProgram.readInput(into: events)
    try FaceProgram.run(events: events, output: output) { perform($0, session) }
    return .success
  }

  /// Does what a key asked for.
  private static func perform(_ action: WatchScreen.Action, _ session: WatchSession) -> FullScreen.Continuation {
    if action == .quit { return .end }
    session.perform(action)
    return .goOn
  }
}
