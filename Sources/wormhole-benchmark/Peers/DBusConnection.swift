import Glibc

/// A connection to a message bus: authenticated by the user's number, and known to the bus by a name.
final class DBusConnection {
  /// The name that the bus gave it.
  private(set) var name = ""
  private let connection: Connection
  private var serial: UInt32 = 0

  /// The interface, path and methods that only this program uses.
  static let interface = "wormhole.Benchmark"
  static let path = "/wormhole/benchmark"

  /// Connects to the bus at a Unix socket.
  init(socket: String, capacity: Int) throws(BenchmarkError) {
    connection = try .unix(path: socket, capacity: capacity)
    // EXTERNAL: the kernel tells the bus who this is; the text is the user's number, its digits in hexadecimal.
    let digits = String(getuid()).utf8.map { String($0, radix: 16) }.joined()
    try connection.send([0] + Array("AUTH EXTERNAL \(digits)\r\n".utf8))
    guard try connection.takeLine().hasPrefix("OK") else { throw BenchmarkError("the bus refused this user") }
    try connection.send(Array("BEGIN\r\n".utf8))
    name = try callBus("Hello", .none).text
  }

  /// From now on receives the signals called `member`.
  func subscribe(member: String) throws(BenchmarkError) {
    _ = try callBus("AddMatch", .text("type='signal',interface='\(Self.interface)',member='\(member)'"))
  }

  /// The number of the next message.
  func nextSerial() -> UInt32 {
    serial += 1
    return serial
  }

  /// Sends a message.
  func send(_ message: [UInt8]) throws(BenchmarkError) { try connection.send(message) }

  /// Sends a message that was made before, under a number of its own.
  func sendAgain(_ message: inout [UInt8]) throws(BenchmarkError) -> UInt32 {
    let serial = nextSerial()
    withUnsafeBytes(of: serial.littleEndian) { bytes in
      for (index, byte) in bytes.enumerated() { message[DBusMessage.serialOffset + index] = byte }
    }
    try connection.send(message)
    return serial
  }

  /// Takes the next message.
  func next() throws(BenchmarkError) -> DBusMessage {
    try connection.need(16)
    let size = DBusMessage.size(connection.received)
    try connection.need(size)
    let message = DBusMessage(UnsafeRawBufferPointer(rebasing: connection.received[..<size]))
    connection.take(size)
    return message
  }

  /// Takes messages until the answer to a call comes.
  func reply(to serial: UInt32) throws(BenchmarkError) -> DBusMessage {
    while true {
      let message = try next()
      guard message.replySerial == serial else { continue }
      if message.kind == DBusMessage.Kind.error.rawValue { throw BenchmarkError("D-Bus: \(message.text)") }
      return message
    }
  }

  /// Calls a method of the bus itself.
  private func callBus(_ member: String, _ body: DBusMessage.Body) throws(BenchmarkError) -> DBusMessage {
    let serial = nextSerial()
    let bus = "org.freedesktop.DBus"
    let texts: [(DBusMessage.Field, String)] = [
      (.path, "/org/freedesktop/DBus"), (.destination, bus), (.interface, bus), (.member, member),
    ]
    try send(DBusMessage.bytes(.call, serial: serial, texts: texts, body: body))
    return try reply(to: serial)
  }
}
