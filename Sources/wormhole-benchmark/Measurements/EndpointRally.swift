import Glibc
import Wormhole

/// The round trip between two processes through a floor or a peer.
final class EndpointRally: Contestant {
  private let endpoint: any Endpoint
  private let child: ChildProcess
  /// What of a round trip is a sample.
  private let share: Double

  /// Starts the other process and connects both ends.
  ///
  /// - Parameters:
  ///   - way: How they pass messages.
  ///   - address: Where they meet.
  ///   - bytes: How long the messages are.
  ///   - share: What of a round trip is a sample: half of it for one way.
  init(_ way: Way, at address: String, bytes: Int, share: Double = 0.5) throws(BenchmarkError) {
    var address = address
    var passing: Int32?
    if way == .unix {
      let (mine, theirs) = try UnixSocketEndpoint.pair()
      (address, passing) = (String(mine), theirs)
    }
    defer { if let passing { close(passing) } }
    child = try ChildProcess(
      ProcessImage.own, Role.echo.arguments(way.rawValue, passing == nil ? address : "3", String(bytes)),
      passing: passing)
    try child.wait(for: "ready")
    endpoint = try way.open(.first, at: address, bytes: bytes)
    self.share = share
  }

  /// Measures the whole round trips to a process that answers already.
  init(_ endpoint: any Endpoint, answeredBy child: ChildProcess) {
    self.endpoint = endpoint
    self.child = child
    share = 1
  }

  var opponent: pid_t? { child.identifier }

  // The other process first, so that it does not complain that this end has gone.
  deinit { child.kill() }

  func play(_ count: Int, into samples: inout Samples) throws(BenchmarkError) {
    for _ in 0..<count {
      let start = Clock.monotonic
      try endpoint.send()
      try endpoint.wait()
      samples.append(Double(Clock.monotonic - start) / 1000 * share)
    }
  }

  /// The other process: sends back whatever comes, until it is ended.
  static func echo(_ name: String, at address: String, bytes: Int) throws(BenchmarkError) {
    guard let way = Way(rawValue: name) else { throw BenchmarkError("no way is called \(name)") }
    let endpoint = try way.open(.second, at: address, bytes: bytes)
    try Role.sayReady()
    while true {
      try endpoint.wait()
      try endpoint.send()
    }
  }
}
