import Glibc

/// A stream socket with room for what was received and not yet looked at.
final class Connection {
  /// The socket.
  let descriptor: Int32
  private var room: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0

  /// Takes over a connected socket.
  init(descriptor: Int32, capacity: Int) {
    self.descriptor = descriptor
    room = .allocate(byteCount: max(capacity, 65_536), alignment: 8)
    // A peer that answers nothing ends the measurement instead of holding it up for ever.
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Connects to a port of this machine, without Nagle's delay.
  static func loopback(port: UInt16, capacity: Int) throws(BenchmarkError) -> Connection {
    let descriptor = socket(AF_INET, streamType, 0)
    try checked("socket", descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    try finish(descriptor, result, "port \(port)")
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    return Connection(descriptor: descriptor, capacity: capacity)
  }

  /// Connects to a Unix socket.
  static func unix(path: String, capacity: Int) throws(BenchmarkError) -> Connection {
    let descriptor = socket(AF_UNIX, streamType, 0)
    try checked("socket", descriptor)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard path.utf8.count < room.count else { return false }
      room.copyBytes(from: path.utf8)
      return true
    }
    guard fits else { throw BenchmarkError("\(path) is too long for a socket") }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    try finish(descriptor, result, path)
    return Connection(descriptor: descriptor, capacity: capacity)
  }

  deinit {
    close(descriptor)
    room.deallocate()
  }

  /// The received bytes that were not yet taken.
  var received: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: room[start..<end]) }

  /// Sends all bytes.
  func send(_ bytes: [UInt8]) throws(BenchmarkError) {
    var done = 0
    let count = bytes.count
    while done < count {
      let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: done), count - done) }
      if written <= 0 { throw .failed("writing to a peer") }
      done += written
    }
  }

  /// Waits until at least `count` bytes are there.
  func need(_ count: Int) throws(BenchmarkError) {
    while end - start < count { try receive(room: count) }
  }

  /// Waits for a line that CR LF ends; its length without them.
  func needLine() throws(BenchmarkError) -> Int {
    var looked = 0
    while true {
      let bytes = received
      while looked + 1 < bytes.count {
        if bytes[looked] == UInt8(ascii: "\r"), bytes[looked + 1] == UInt8(ascii: "\n") { return looked }
        looked += 1
      }
      try receive(room: bytes.count + 1)
    }
  }

  /// Takes a line as text.
  func takeLine() throws(BenchmarkError) -> String {
    let length = try needLine()
    let line = String(decoding: received[..<length], as: UTF8.self)
    take(length + 2)
    return line
  }

  /// Drops bytes from the front.
  func take(_ count: Int) {
    start += count
    if start == end { (start, end) = (0, 0) }
  }

  /// Reads once, having made room for `needed` bytes from the front.
  private func receive(room needed: Int) throws(BenchmarkError) {
    if start + needed > room.count || end == room.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(
        byteCount: needed > room.count ? max(needed, room.count * 2) : room.count, alignment: 8)
      larger.copyMemory(from: received)
      room.deallocate()
      (room, start, end) = (larger, 0, end - start)
    }
    let count = read(descriptor, room.baseAddress?.advanced(by: end), room.count - end)
    if count == 0 { throw BenchmarkError("a peer closed the connection") }
    if count < 0 { throw .failed("reading from a peer") }
    end += count
  }

  private static let streamType = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

  /// Closes a socket that could not be connected, and says why.
  private static func finish(_ descriptor: Int32, _ result: Int32, _ target: String) throws(BenchmarkError) {
    guard result == -1 else { return }
    let number = errno
    close(descriptor)
    throw .failed("connecting to \(target)", number: number)
  }
}
