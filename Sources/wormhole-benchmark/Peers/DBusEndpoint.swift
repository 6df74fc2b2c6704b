/// An end that sends and hears D-Bus signals with an array of bytes.
final class DBusEndpoint: Endpoint {
  private let bus: DBusConnection
  private var signal: [UInt8]
  private let theirs: String

  /// Connects and subscribes.
  init(_ side: Side, socket: String, bytes: Int) throws(BenchmarkError) {
    bus = try DBusConnection(socket: socket, capacity: bytes + 4096)
    theirs = side.theirs
    signal = DBusMessage.bytes(
      .signal, serial: 1,
      texts: [(.path, DBusConnection.path), (.interface, DBusConnection.interface), (.member, side.mine)],
      body: .bytes([UInt8](repeating: UInt8(ascii: "x"), count: bytes)))
    try bus.subscribe(member: theirs)
  }

  func send() throws(BenchmarkError) { _ = try bus.sendAgain(&signal) }

  func wait() throws(BenchmarkError) {
    while true {
      let message = try bus.next()
      if message.kind == DBusMessage.Kind.signal.rawValue, message.member == theirs { return }
    }
  }
}

/// The two ends of a D-Bus method call.
enum DBusCall {
  /// Answers calls for ever, with as many bytes as it was opened for; says the name to call first.
  static func answer(socket: String, bytes: Int, ready: (String) throws(BenchmarkError) -> Void) throws(BenchmarkError)
  {
    let bus = try DBusConnection(socket: socket, capacity: bytes + 4096)
    let body = [UInt8](repeating: UInt8(ascii: "x"), count: bytes)
    try ready(bus.name)
    while true {
      let call = try bus.next()
      guard call.kind == DBusMessage.Kind.call.rawValue else { continue }
      try bus.send(
        DBusMessage.bytes(
          .reply, serial: bus.nextSerial(), texts: [(.destination, call.sender)], replySerial: call.serial,
          body: .bytes(body)))
    }
  }

  /// Calls a method and waits for its answer: as a contestant of a round trip.
  final class Caller: Endpoint {
    private let bus: DBusConnection
    private var call: [UInt8]
    private var serial: UInt32 = 0

    /// Connects to the bus; `destination` is the name that answers.
    init(socket: String, destination: String, bytes: Int) throws(BenchmarkError) {
      bus = try DBusConnection(socket: socket, capacity: bytes + 4096)
      call = DBusMessage.bytes(
        .call, serial: 1,
        texts: [
          (.path, DBusConnection.path), (.destination, destination), (.interface, DBusConnection.interface),
          (.member, "Ask"),
        ], body: .bytes([UInt8](repeating: UInt8(ascii: "x"), count: bytes)))
    }

    func send() throws(BenchmarkError) { serial = try bus.sendAgain(&call) }
    func wait() throws(BenchmarkError) { _ = try bus.reply(to: serial) }
  }
}
