import Wormhole

extension Measurement {
  /// Request to reply.
  static let requests = Measurement(name: "requests", summary: "From a request to its reply, 128 bytes each way") {
    (context) throws(BenchmarkError) in
    var findings = Findings()
    for place in context.places {
      let names = ["a Codable struct", "a Codable struct, on Wormhole.executor", "bytes"].map {
        "request and reply, \($0)"
      }
      let call = "D-Bus method call"
      let floor = "bare calls, there and back"
      let results = try Results(
        [
          Entry(name: names[0]) {
            try Asking(Reading(bytes: 128), shape: .structure, directory: try place.folder("requests-struct"))
          },
          Entry(name: names[1]) {
            try Asking(
              Reading(bytes: 128), shape: .structure, directory: try place.folder("requests-thread"),
              executor: Wormhole.executor)
          },
          Entry(name: names[2]) {
            try Asking(
              [UInt8](repeating: UInt8(ascii: "x"), count: 128), shape: .bytes,
              directory: try place.folder("requests-bytes"))
          },
          Entry(name: call) {
            let socket = try context.peers.address(of: Server.Kind.dbus)
            let child = try ChildProcess(ProcessImage.own, Role.answerCalls.arguments(socket, "128"))
            let name = try child.readLine()
            let caller = try DBusCall.Caller(socket: socket, destination: name, bytes: 128)
            return EndpointRally(caller, answeredBy: child)
          },
          Entry(name: floor) {
            try EndpointRally(.log, at: try place.folder("requests-floor"), bytes: 128, share: 1)
          },
        ],
        pace: Pace(rounds: context.choose(quick: 5, full: 25), samples: 100, warmUp: 10), unit: .microseconds,
        activity: "requests on \(place.fileSystem)", areApart: context.areApart)
      for name in names {
        findings.rows += [
          results.row(name, on: place, beside: call, bar: .ratioAtMost(1)),
          results.row(name, on: place, beside: floor),
        ]
      }
      findings.series += results.series(on: place)
    }
    return findings
  }
}
