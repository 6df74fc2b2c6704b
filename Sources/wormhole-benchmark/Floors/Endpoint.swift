/// One end of a way to pass messages between two processes: it sends to the other and waits for the other's.
protocol Endpoint: AnyObject {
  /// Sends the message that was set at the beginning.
  func send() throws(BenchmarkError)
  /// Waits until a message of the other end has come, and takes it in.
  func wait() throws(BenchmarkError)
}

/// Which of two ends this is: the first sends "ping" and hears "pong", the second the other way round.
enum Side: String {
  case first
  case second

  /// What this end sends under.
  var mine: String { self == .first ? "ping" : "pong" }
  /// What the other end sends under.
  var theirs: String { self == .first ? "pong" : "ping" }
}

/// The ways to pass messages that a program would otherwise use, and the floors.
enum Way: String, CaseIterable {
  case log, rename, unix, zeromq, redis, mqtt, nats, dbus

  /// Opens an end of this way.
  ///
  /// - Parameters:
  ///   - side: Which end.
  ///   - address: A directory for the floors, a descriptor, port or socket for the peers.
  ///   - bytes: How long the messages are.
  func open(_ side: Side, at address: String, bytes: Int) throws(BenchmarkError) -> any Endpoint {
    switch self {
    case .log: try LogFloor(side, directory: address, bytes: bytes)
    case .rename: try RenameFloor(side, directory: address, bytes: bytes)
    case .unix: UnixSocketEndpoint(descriptor: Int32(address) ?? -1, bytes: bytes)
    case .zeromq: try ZeroMQEndpoint(side, address: address, bytes: bytes)
    case .redis: try RedisEndpoint(side, port: UInt16(address) ?? 0, bytes: bytes)
    case .mqtt: try MQTTEndpoint(side, port: UInt16(address) ?? 0, bytes: bytes)
    case .nats: try NATSEndpoint(side, port: UInt16(address) ?? 0, bytes: bytes)
    case .dbus: try DBusEndpoint(side, socket: address, bytes: bytes)
    }
  }

  /// What a newcomer reads in the tables.
  var title: String {
    switch self {
    case .log: "bare calls"
    case .rename: "temporary + rename"
    case .unix: "Unix socket pair"
    case .zeromq: "ZeroMQ (ipc)"
    case .redis: "Redis publish"
    case .mqtt: "MQTT (mosquitto)"
    case .nats: "NATS"
    case .dbus: "D-Bus signal"
    }
  }
}
