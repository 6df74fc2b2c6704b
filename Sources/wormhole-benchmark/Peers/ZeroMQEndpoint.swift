import Glibc

/// An end of a ZeroMQ pair over ipc, through the machine's own libzmq: its threads are part of what it costs.
final class ZeroMQEndpoint: Endpoint {
  private typealias NewContext = @convention(c) () -> UnsafeMutableRawPointer?
  private typealias NewSocket = @convention(c) (UnsafeMutableRawPointer?, Int32) -> UnsafeMutableRawPointer?
  private typealias Attach = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Int32
  private typealias Send = @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, Int, Int32) -> Int32
  private typealias Receive = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int, Int32) -> Int32

  private let socket: UnsafeMutableRawPointer
  private let sendMessage: Send
  private let receiveMessage: Receive
  private let payload: UnsafeMutableRawPointer
  private let received: UnsafeMutableRawPointer
  private let bytes: Int

  /// Why there is nothing to measure, nil when there is.
  ///
  /// A program that is linked statically can load the library, which then ends it: its own C library is another one.
  static var absence: String? {
    if Measurement.isStatic(ProcessImage.own) { return "not for a program that is linked statically" }
    return library == nil ? "absent" : nil
  }

  private static var library: UnsafeMutableRawPointer? { dlopen("libzmq.so.5", RTLD_NOW) }

  /// Binds or connects to a socket's path.
  init(_ side: Side, address: String, bytes: Int) throws(BenchmarkError) {
    guard let library = Self.library else { throw BenchmarkError("libzmq is not installed") }
    guard let newContext = dlsym(library, "zmq_ctx_new"), let newSocket = dlsym(library, "zmq_socket"),
      let attach = dlsym(library, side == .second ? "zmq_bind" : "zmq_connect"),
      let send = dlsym(library, "zmq_send"), let receive = dlsym(library, "zmq_recv")
    else { throw BenchmarkError("libzmq lacks a function") }
    let pairType: Int32 = 0
    let context = unsafeBitCast(newContext, to: NewContext.self)()
    guard let socket = unsafeBitCast(newSocket, to: NewSocket.self)(context, pairType) else {
      throw BenchmarkError("libzmq gives no socket")
    }
    guard unsafeBitCast(attach, to: Attach.self)(socket, "ipc://\(address)") == 0 else {
      throw .failed("libzmq at \(address)")
    }
    self.socket = socket
    sendMessage = unsafeBitCast(send, to: Send.self)
    receiveMessage = unsafeBitCast(receive, to: Receive.self)
    self.bytes = bytes
    payload = .allocate(byteCount: max(bytes, 8), alignment: 8)
    payload.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "x"), count: max(bytes, 8))
    received = .allocate(byteCount: max(bytes, 8), alignment: 8)
  }

  // The socket lives as long as the process: ending it would wait for messages that nobody takes.

  func send() throws(BenchmarkError) {
    if sendMessage(socket, payload, bytes, 0) != Int32(bytes) { throw .failed("zmq_send") }
  }

  func wait() throws(BenchmarkError) {
    if receiveMessage(socket, received, bytes, 0) != Int32(bytes) { throw .failed("zmq_recv") }
  }
}
