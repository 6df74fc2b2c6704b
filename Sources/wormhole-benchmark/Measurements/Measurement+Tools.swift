import FoundationEssentials
import Glibc
import Wormhole

extension Measurement {
  /// Sending from the shell.
  static let startup = Measurement(
    name: "startup", summary: "Sending one message with a command, the whole process"
  ) { (context) throws(BenchmarkError) in
    var findings = Findings()
    let isStatic = isStatic(context.tool("wormhole-send"))
    for place in context.places {
      let folder = try place.folder("startup")
      func command(_ name: String, _ program: String, _ arguments: @escaping () throws -> [String]) -> Entry {
        Entry(name: name) {
          guard let path = ProcessImage.find(program) else { throw BenchmarkError("absent") }
          let arguments = try arguments()
          return Repeated(batch: 1, .milliseconds) {
            let code = try ChildProcess(path, arguments, output: .null).waitForExit()
            guard code == 0 else { throw BenchmarkError("\(program) ended with \(code)") }
          }
        }
      }
      let results = try Results(
        [
          command("wormhole-send", context.tool("wormhole-send")) { ["-d", folder, "note", "hello"] },
          command("mosquitto_pub", "mosquitto_pub") {
            [
              "-h", "127.0.0.1", "-p", try context.peers.address(of: Server.Kind.mosquitto), "-t", "note", "-m",
              "hello",
            ]
          },
          command("dbus-send", "dbus-send") {
            [
              "--bus=unix:path=\(try context.peers.address(of: Server.Kind.dbus))", "--type=signal",
              DBusConnection.path, "\(DBusConnection.interface).note", "string:hello",
            ]
          },
          command("redis-cli publish", "redis-cli") {
            ["-p", try context.peers.address(of: Server.Kind.redis), "publish", "note", "hello"]
          },
          command("/bin/true", "true") { [] },
        ],
        pace: Pace(rounds: context.choose(quick: 10, full: 60), samples: 3, warmUp: 1), unit: .milliseconds,
        activity: "commands on \(place.fileSystem)")
      var rows = [
        results.row("wormhole-send", on: place, beside: "mosquitto_pub", bar: isStatic ? .ratioAtMost(1) : nil),
        results.row("wormhole-send", on: place, beside: "dbus-send", bar: isStatic ? .ratioAtMost(1.5) : nil),
        results.row("wormhole-send", on: place, beside: "redis-cli publish"),
        results.row("wormhole-send", on: place, beside: "/bin/true"),
      ]
      if !isStatic, rows[0].note == nil {
        rows[0].note = "a dynamic build, so without a verdict: build with -c release -Xswiftc -static-executable"
      }
      findings.rows += rows
      findings.series += results.series(on: place)
    }
    return findings
  }

  /// Listening from the shell, while nothing happens.
  static let idle = Measurement(name: "idle", summary: "A listening command while nothing happens") {
    (context) throws(BenchmarkError) in
    let seconds = context.choose(quick: 5, full: 60)
    let folder = try context.places[0].folder("idle")
    var waiting: [(name: String, process: ChildProcess)] = []
    let program = context.tool("wormhole-listen")
    guard access(program, X_OK) == 0 else { throw BenchmarkError("\(program) is absent") }
    let listener = try ChildProcess(program, ["-d", folder, "--ready"], output: .null, errors: .pipe)
    try listener.wait(for: "listening")
    waiting.append(("wormhole-listen", listener))
    if let program = ProcessImage.find("mosquitto_sub") {
      let port = try context.peers.address(of: Server.Kind.mosquitto)
      waiting.append(
        ("mosquitto_sub", try ChildProcess(program, ["-h", "127.0.0.1", "-p", port, "-t", "note"], output: .null)))
    }
    if let program = ProcessImage.find("dbus-monitor") {
      let address = "unix:path=\(try context.peers.address(of: Server.Kind.dbus))"
      waiting.append(
        ("dbus-monitor", try ChildProcess(program, ["--address", address, "type='signal'"], output: .null)))
    }
    // What a program does to settle is not idling.
    sleep(1)

    var before: [ProcessStatus] = []
    for (_, process) in waiting { before.append(try ProcessStatus(of: process.identifier)) }
    for second in 0..<seconds {
      Progress.show("idling", done: second, of: seconds)
      sleep(1)
    }
    Progress.clear()

    var findings = Findings()
    for (index, (name, process)) in waiting.enumerated() {
      let now = try ProcessStatus(of: process.identifier)
      let wakeUps = Double((now.switches - before[index].switches) * 60 / seconds)
      let isSubject = index == 0
      findings.rows += [
        Row(
          subject: "\(name), resident memory", figure: .single(now.resident / 1024, .mebibytes),
          bar: isSubject ? .atMost(12) : nil),
        Row(
          subject: "\(name), wake-ups a minute", figure: .single(wakeUps, .count), bar: isSubject ? .atMost(0) : nil),
      ]
    }
    return findings
  }

  /// Whether a program holds the Swift libraries itself, so that none has to be found and loaded.
  static func isStatic(_ path: String) -> Bool {
    guard let bytes = try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped) else { return false }
    return bytes.firstRange(of: Data("libswiftCore.so".utf8)) == nil
  }
}

extension Context {
  /// The path of one of Wormhole's own tools.
  func tool(_ name: String) -> String { "\(tools)/\(name)" }
}
