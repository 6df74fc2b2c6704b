import Glibc

/// One end of a connected pair of Unix sockets: the least that two processes can do, and the reference for the rest.
final class UnixSocketEndpoint: Endpoint {
  private let connection: Connection
  private let message: [UInt8]

  /// Takes over an end of a pair.
  init(descriptor: Int32, bytes: Int) {
    // A stream does not carry an empty message, so there one byte stands for it.
    message = [UInt8](repeating: UInt8(ascii: "x"), count: max(1, bytes))
    connection = Connection(descriptor: descriptor, capacity: message.count)
  }

  /// Makes a connected pair, closed on exec.
  static func pair() throws(BenchmarkError) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    try checked(
      "socketpair", socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends))
    return (ends[0], ends[1])
  }

  func send() throws(BenchmarkError) { try connection.send(message) }

  func wait() throws(BenchmarkError) {
    try connection.need(message.count)
    connection.take(message.count)
  }
}
