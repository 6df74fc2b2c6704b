import Glibc
import Wormhole

/// The round trip between two processes through the library.
final class WormholeRally<Value: Codable & Sendable>: Contestant {
  private let opened: [Wormhole]
  private let child: ChildProcess
  private let rally: Rally
  private let value: Value
  /// What of a round trip is a sample.
  private let share = 0.5

  /// Starts the other process and lets both ends listen.
  init(_ value: Value, shape: Shape, bytes: Int, hearing: Hearing, setting: WormholeSetting) throws {
    self.value = value
    child = try ChildProcess(
      ProcessImage.own,
      Role.echoWormhole.arguments(shape.rawValue, String(bytes), hearing.rawValue) + setting.arguments)
    opened = try setting.open()
    let wormhole = opened[0]
    rally = Rally { try wormhole.passMessage(value, identifier: Side.first.mine) }
    let rally = rally
    try hearing.listen(Value.self, wormhole, Side.first.theirs) { _ in rally.heard() }
    try child.wait(for: "ready")
  }

  var opponent: pid_t? { child.identifier }

  // The other process first, so that it does not complain that this end has gone.
  deinit { child.kill() }

  func play(_ count: Int, into samples: inout Samples) throws(BenchmarkError) {
    samples.append(contentsOf: try rally.play(count).lazy.map { [share] in Double($0) / 1000 * share })
  }

  /// The other process: sends a value whenever one comes, until it is ended.
  static func echo(_ value: Value, hearing: Hearing, setting: WormholeSetting) throws {
    let opened = try setting.open()
    let wormhole = opened[0]
    try hearing.listen(Value.self, wormhole, Side.second.theirs) { _ in
      do {
        try wormhole.passMessage(value, identifier: Side.second.mine)
      } catch {
        Progress.report("the other process cannot answer: \(error)")
      }
    }
    try Role.sayReady()
    Role.waitForEnd()
    withExtendedLifetime(opened) {}
  }
}

extension Hearing {
  /// Listens in this way.
  func listen<Value: Decodable & Sendable>(
    _ type: Value.Type, _ wormhole: Wormhole, _ identifier: String, _ heard: @escaping @Sendable (Value) -> Void
  ) throws(WormholeError) {
    switch self {
    case .handler: try wormhole.listenForMessage(type, identifier: identifier, handler: heard)
    case .sequence:
      let messages = try wormhole.messages(type, identifier: identifier)
      Task.detached {
        for await message in messages { heard(message) }
      }
    case .sequenceOnThread:
      let messages = try wormhole.messages(type, identifier: identifier)
      Task.detached(executorPreference: Wormhole.executor) {
        for await message in messages { heard(message) }
      }
    }
  }
}
