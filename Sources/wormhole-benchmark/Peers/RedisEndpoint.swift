/// A Redis client in the serialization protocol RESP 2: one connection publishes, one is subscribed.
final class RedisEndpoint: Endpoint {
  private let publisher: Connection
  private let subscriber: Connection
  private let command: [UInt8]
  private let bytes: Int

  /// Connects and subscribes.
  init(_ side: Side, port: UInt16, bytes: Int) throws(BenchmarkError) {
    publisher = try .loopback(port: port, capacity: 4096)
    subscriber = try .loopback(port: port, capacity: bytes + 4096)
    self.bytes = bytes
    let payload = [UInt8](repeating: UInt8(ascii: "x"), count: bytes)
    command = Self.command([Array("PUBLISH".utf8), Array(side.mine.utf8), payload])
    try subscriber.send(Self.command([Array("SUBSCRIBE".utf8), Array(side.theirs.utf8)]))
    try takeArray(of: 3)
  }

  func send() throws(BenchmarkError) {
    try publisher.send(command)
    let reply = try publisher.takeLine()
    guard reply.hasPrefix(":") else { throw BenchmarkError("Redis answered \(reply)") }
  }

  func wait() throws(BenchmarkError) { try takeArray(of: 3) }

  /// An array of bulk strings, as commands are written.
  private static func command(_ parts: [[UInt8]]) -> [UInt8] {
    var command = Array("*\(parts.count)\r\n".utf8)
    for part in parts { command += Array("$\(part.count)\r\n".utf8) + part + Array("\r\n".utf8) }
    return command
  }

  /// Takes an array of so many bulk strings or integers.
  private func takeArray(of count: Int) throws(BenchmarkError) {
    guard try takeNumber(after: UInt8(ascii: "*")) == count else { throw BenchmarkError("Redis sent another array") }
    for _ in 0..<count {
      try subscriber.need(1)
      if subscriber.received[0] == UInt8(ascii: ":") {
        _ = try takeNumber(after: UInt8(ascii: ":"))
      } else {
        let length = try takeNumber(after: UInt8(ascii: "$"))
        try subscriber.need(length + 2)
        subscriber.take(length + 2)
      }
    }
  }

  /// Takes a line that is a sign and a number.
  private func takeNumber(after sign: UInt8) throws(BenchmarkError) -> Int {
    let length = try subscriber.needLine()
    let line = subscriber.received
    guard length > 1, line[0] == sign else { throw BenchmarkError("Redis sent something unexpected") }
    let number = line[1..<length].reduce(0) { $0 * 10 + Int($1) - 0x30 }
    subscriber.take(length + 2)
    return number
  }
}
