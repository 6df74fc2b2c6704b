import Glibc

/// An MQTT 3.1.1 client at quality of service 0: one connection that publishes and is subscribed.
final class MQTTEndpoint: Endpoint {
  private let connection: Connection
  private let packet: [UInt8]
  private let bytes: Int

  /// Connects and subscribes.
  init(_ side: Side, port: UInt16, bytes: Int) throws(BenchmarkError) {
    connection = try .loopback(port: port, capacity: bytes + 4096)
    self.bytes = bytes
    let payload = [UInt8](repeating: UInt8(ascii: "x"), count: bytes)
    packet = Self.packet(0x30, Self.text(side.mine) + payload)

    // Protocol level 4, clean session, no keep-alive: an end that waits for its turn must not be dropped.
    let name = "wormhole-benchmark-\(getpid())-\(side.rawValue)"
    try connection.send(Self.packet(0x10, Self.text("MQTT") + [4, 2, 0, 0] + Self.text(name)))
    guard try takePacket() == 0x20 else { throw BenchmarkError("mosquitto refused the connection") }
    try connection.send(Self.packet(0x82, [0, 1] + Self.text(side.theirs) + [0]))
    guard try takePacket() == 0x90 else { throw BenchmarkError("mosquitto refused the subscription") }
  }

  func send() throws(BenchmarkError) { try connection.send(packet) }

  func wait() throws(BenchmarkError) {
    while try takePacket() & 0xF0 != 0x30 {}
  }

  /// A packet: type and flags, the length of the rest, the rest.
  private static func packet(_ type: UInt8, _ rest: [UInt8]) -> [UInt8] {
    var packet = [type]
    var length = rest.count
    repeat {
      packet.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
      length >>= 7
    } while length > 0
    return packet + rest
  }

  /// A text with its length in two bytes.
  private static func text(_ text: String) -> [UInt8] {
    [UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 0xFF)] + Array(text.utf8)
  }

  /// Takes a packet; its first byte.
  private func takePacket() throws(BenchmarkError) -> UInt8 {
    var headerSize = 1
    var length = 0
    repeat {
      headerSize += 1
      try connection.need(headerSize)
      length |= Int(connection.received[headerSize - 1] & 0x7F) << (7 * (headerSize - 2))
    } while connection.received[headerSize - 1] & 0x80 != 0 && headerSize < 5
    try connection.need(headerSize + length)
    let type = connection.received[0]
    connection.take(headerSize + length)
    return type
  }
}
