import Glibc

/// Something that the helper can do for a test.
struct Subcommand: Sendable {
  /// Its name on the command line.
  let name: String
  /// Does it, with the arguments after the name; an error ends the helper with 1 and the line `error: …`.
  let run: @Sendable ([String]) throws -> Void

  /// All that the helper can do.
  static let all: [Subcommand] = [
    .echo, .signalOwnEnd, .pass, .hear, .increment, .fill, .transfer, .receive, .swallow, .respond, .ask,
    .archiveCrash, .archiveSend, .archiveIncrement, .fileCrash, .receiveFiles, .setDefaults, .watchDefaults, .beThere,
    .soak, .transferCrash, .sendWhileSpawning, .requestCrash, .requestFaults,
  ]
}

/// Writes a line that reaches the test at once, although it goes through a pipe.
///
/// Past the streams of stdio: flushing all of them would wait for a thread that reads standard input.
func say(_ line: String) {
  var rest = Array("\(line)\n".utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    if count < 0 { exit(1) }
    rest = rest.dropFirst(count)
  }
}
