/// A client of the NATS text protocol: one connection that publishes and is subscribed.
final class NATSEndpoint: Endpoint {
  private let connection: Connection
  private let message: [UInt8]

  /// Connects and subscribes.
  init(_ side: Side, port: UInt16, bytes: Int) throws(BenchmarkError) {
    connection = try .loopback(port: port, capacity: bytes + 4096)
    let payload = [UInt8](repeating: UInt8(ascii: "x"), count: bytes)
    message = Array("PUB \(side.mine) \(bytes)\r\n".utf8) + payload + Array("\r\n".utf8)
    guard try connection.takeLine().hasPrefix("INFO") else { throw BenchmarkError("NATS did not greet") }
    try connection.send(
      Array("CONNECT {\"verbose\":false,\"pedantic\":false}\r\nSUB \(side.theirs) 1\r\nPING\r\n".utf8))
    guard try connection.takeLine() == "PONG" else { throw BenchmarkError("NATS refused the subscription") }
  }

  func send() throws(BenchmarkError) { try connection.send(message) }

  func wait() throws(BenchmarkError) {
    while true {
      let length = try connection.needLine()
      let line = connection.received
      switch line[0] {
      case UInt8(ascii: "M"):
        // MSG subject subscription length
        var number = 0
        for byte in line[..<length] { number = byte == UInt8(ascii: " ") ? 0 : number &* 10 &+ Int(byte) &- 0x30 }
        connection.take(length + 2)
        try connection.need(number + 2)
        connection.take(number + 2)
        return
      case UInt8(ascii: "P"):
        // The server asks whether this end lives.
        connection.take(length + 2)
        try connection.send(Array("PONG\r\n".utf8))
      case UInt8(ascii: "I"): connection.take(length + 2)
      default: throw BenchmarkError("NATS sent \(String(decoding: line[..<length], as: UTF8.self))")
      }
    }
  }
}
