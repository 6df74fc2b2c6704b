import CSystem
import Glibc
import Wormhole

/// What this program does when it was started by itself, as the other process of a measurement.
enum Role: String {
  /// Becomes another program that does not outlive the one that measures.
  case guarded
  /// Sends back what it hears, through a floor or a peer.
  case echo
  /// Sends back what it hears, through a wormhole.
  case echoWormhole
  /// Notes when it hears what.
  case hear
  /// Listens and does nothing.
  case listen
  /// Takes transfers.
  case receive
  /// Answers requests.
  case respond
  /// Answers D-Bus method calls.
  case answerCalls
  /// Opens one wormhole, and more when told.
  case open

  /// The first argument of a process that has a role.
  static let marker = "--as-another-process"

  /// The arguments that start this role.
  func arguments(_ arguments: String...) -> [String] { [Self.marker, rawValue] + arguments }

  /// Plays the role to its end.
  func run(_ arguments: [String]) throws {
    // Whatever becomes of the program that measures, none of its processes outlives it.
    try checked("prctl", csystem_signal_on_parent_death(SIGKILL))
    func argument(_ index: Int) -> String { index < arguments.count ? arguments[index] : "" }
    func number(_ index: Int) -> Int { Int(argument(index)) ?? 0 }
    switch self {
    case .guarded:
      ProcessImage.become(argument(0), Array(arguments.dropFirst()))
      throw BenchmarkError.failed("starting \(argument(0))")
    case .echo: try EndpointRally.echo(argument(0), at: argument(1), bytes: number(2))
    case .echoWormhole:
      guard let shape = Shape(rawValue: argument(0)), let hearing = Hearing(rawValue: argument(2)) else { return }
      let setting = WormholeSetting(arguments.dropFirst(3))
      switch shape {
      case .bytes:
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: number(1))
        try WormholeRally.echo(bytes, hearing: hearing, setting: setting)
      case .structure:
        try WormholeRally.echo(Reading(bytes: number(1)), hearing: hearing, setting: setting)
      }
    case .hear:
      try Audience.hear(
        argument(0), directory: argument(1), identifier: argument(2), table: argument(3), index: number(4))
    case .listen:
      let wormhole = try Wormhole(directory: argument(0))
      try wormhole.listenForMessage([UInt8].self, identifier: argument(1)) { _ in }
      try Self.sayReady()
      Self.waitForEnd()
      withExtendedLifetime(wormhole) {}
    case .receive:
      try TransferRun.receive(
        argument(0), directory: argument(1), bytes: number(2), table: argument(3), batch: number(4))
    case .respond:
      switch Shape(rawValue: argument(0)) {
      case .bytes?: try Asking<[UInt8]>.respond(directory: argument(1))
      case .structure?: try Asking<Reading>.respond(directory: argument(1))
      case nil: throw BenchmarkError("no shape is called \(argument(0))")
      }
    case .answerCalls: try DBusCall.answer(socket: argument(0), bytes: number(1), ready: Self.sayReady)
    case .open: try OpenWormholes.open(in: argument(0), areApart: argument(1) == "apart", count: number(2))
    }
  }

  /// Tells the process that measures that all is set up.
  static func sayReady(_ text: String) throws(BenchmarkError) {
    let bytes = Array("\(text)\n".utf8)
    guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else { throw .failed("writing") }
  }

  /// Tells the process that measures that all is set up.
  static func sayReady() throws(BenchmarkError) { try sayReady("ready") }

  /// Waits until the process that measures says something, or has no more use for this one.
  static func waitForEnd() {
    var byte: UInt8 = 0
    while read(STDIN_FILENO, &byte, 1) == -1, errno == EINTR {}
  }
}
