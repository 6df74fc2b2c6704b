import Glibc

/// The other systems on this machine, each started when it is first wanted and stopped with the run.
final class Peers {
  private let folder: String
  private var servers: [Server.Kind: Result<Server, BenchmarkError>] = [:]

  /// The peers of a run; their sockets and configurations are kept in `folder`.
  init(folder: String) { self.folder = folder }

  /// The address of a server, started now if need be.
  func address(of kind: Server.Kind) throws(BenchmarkError) -> String {
    if let server = servers[kind] { return try server.get().address }
    let result = Result<Server, BenchmarkError> { () throws(BenchmarkError) in
      guard let program = ProcessImage.find(kind.program) else { throw BenchmarkError("absent") }
      let folder = "\(folder)/\(kind.program)"
      if mkdir(folder, 0o700) == -1, errno != EEXIST { throw .failed("making \(folder)") }
      return try Server(kind, program: program, folder: folder)
    }
    servers[kind] = result
    return try result.get().address
  }

  /// The address of a way to pass messages that is a peer; throws when the peer is absent.
  func address(of way: Way) throws(BenchmarkError) -> String {
    switch way {
    case .redis: return try address(of: Server.Kind.redis)
    case .mqtt: return try address(of: Server.Kind.mosquitto)
    case .nats: return try address(of: Server.Kind.nats)
    case .dbus: return try address(of: Server.Kind.dbus)
    case .zeromq:
      if let absence = ZeroMQEndpoint.absence { throw BenchmarkError(absence) }
      return "\(folder)/zeromq-\(UInt32.random(in: 0...UInt32.max))"
    case .unix, .log, .rename: return ""
    }
  }

  /// What became of each server that was wanted, and of ZeroMQ.
  var states: [(name: String, state: String)] {
    guard !servers.isEmpty else { return [] }
    let states = Server.Kind.allCases.map { kind in
      switch servers[kind] {
      case .success?: (kind.program, "found, started for this run")
      case .failure(let error)?: (kind.program, error.description)
      case nil: (kind.program, "not needed")
      }
    }
    return states + [("libzmq", ZeroMQEndpoint.absence ?? "found")]
  }
}
