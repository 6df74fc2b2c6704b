import Glibc

/// A server of another system, started for this run alone: on the loopback address or a private socket, keeping nothing.
final class Server {
  /// Which server.
  enum Kind: CaseIterable {
    case redis, mosquitto, nats, dbus

    /// The name of its program.
    var program: String {
      switch self {
      case .redis: "redis-server"
      case .mosquitto: "mosquitto"
      case .nats: "nats-server"
      case .dbus: "dbus-daemon"
      }
    }
  }

  /// Its port, or the path of its socket.
  let address: String
  private let process: ChildProcess

  /// Starts a server with its files in `folder`, and waits until it takes connections.
  init(_ kind: Kind, program: String, folder: String) throws(BenchmarkError) {
    let arguments: [String]
    if kind == .dbus {
      address = "\(folder)/bus"
      try Self.write(Self.busConfiguration(socket: address), to: "\(folder)/bus.conf")
      arguments = ["--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile"]
    } else {
      let port = try Self.freePort()
      address = String(port)
      switch kind {
      case .redis:
        arguments = [
          "--bind", "127.0.0.1", "--port", address, "--save", "", "--appendonly", "no", "--dir", folder,
        ]
      case .mosquitto:
        try Self.write(
          "listener \(port) 127.0.0.1\nallow_anonymous true\npersistence false\nset_tcp_nodelay true\n",
          to: "\(folder)/mosquitto.conf")
        arguments = ["-c", "\(folder)/mosquitto.conf"]
      default: arguments = ["-a", "127.0.0.1", "-p", address]
      }
    }
    process = try ChildProcess(
      ProcessImage.own, [Role.marker, Role.guarded.rawValue, program] + arguments, output: .null, errors: .null)
    try waitUntilReady(kind)
  }

  /// Tries to connect until it works, for at most ten seconds.
  private func waitUntilReady(_ kind: Kind) throws(BenchmarkError) {
    var failure = BenchmarkError("")
    for _ in 0..<1000 {
      do throws(BenchmarkError) {
        if kind == .dbus {
          _ = try Connection.unix(path: address, capacity: 0)
        } else {
          _ = try Connection.loopback(port: UInt16(address) ?? 0, capacity: 0)
        }
        return
      } catch {
        failure = error
        usleep(10_000)
      }
    }
    throw BenchmarkError("\(kind.program) does not take connections: \(failure)")
  }

  /// A port of the loopback address that nobody uses now.
  private static func freePort() throws(BenchmarkError) -> UInt16 {
    let descriptor = try checked("socket", socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
      }
    }
    try checked("looking for a free port", result)
    return address.sin_port.bigEndian
  }

  /// A bus on which everybody with this user's number may do everything.
  private static func busConfiguration(socket: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(socket)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>

    """
  }

  /// Writes a configuration.
  private static func write(_ text: String, to path: String) throws(BenchmarkError) {
    let file = try checked("making \(path)", open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600))
    defer { close(file) }
    let bytes = Array(text.utf8)
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw .failed("writing \(path)") }
  }
}
