import Glibc
import Wormhole

extension Subcommand {
  /// `file-crash DIRECTORY PATH CALL`: transfers a file to `files`, and ends, as if killed, instead of making the system
  /// call of this number, counted from 0; says `done` when the transfer comes to its end before that.
  static let fileCrash = Subcommand(name: "file-crash") { arguments in
    let wormhole = try Wormhole(directory: arguments[0])
    let call = Int(arguments[2]) ?? 0
    try endingAtCall(call) { _ = try wormhole.transferFile(at: arguments[1], metadata: "crash", identifier: "files") }
    say("done")
  }

  /// `receive-files DIRECTORY SUBSCRIBER FOLDER [die|wait]`: moves each file of `files` into a folder, says its name there
  /// and its metadata, and ends with its standard input. With `die`, it ends by SIGKILL once it has moved one, before its
  /// handler returns; with `wait` its handler never returns.
  static let receiveFiles = Subcommand(name: "receive-files") { arguments in
    let wormhole = try Wormhole(directory: arguments[0])
    let end = arguments.count > 3 ? arguments[3] : ""
    try wormhole.receiveFiles(
      identifier: "files", subscriber: arguments[1] == "-" ? nil : arguments[1], onError: { say("error \($0)") }
    ) { file in
      let place = end == "wait" ? file.path : try file.move(intoDirectory: arguments[2])
      let metadata = try file.metadata(as: String.self) ?? "-"
      say("\(place.split(separator: "/").last ?? "") \(metadata) \(file.isRedelivered)")
      if end == "die" { kill(getpid(), SIGKILL) }
      while end == "wait" { pause() }
    }
    while readLine() != nil {}
  }
}

/// Runs `body` and ends the process instead of making the system call of this number.
private func endingAtCall(_ call: Int, _ body: () throws -> Void) throws {
  let made = Lock(0)
  try Interception.with({ (_) -> Fault? in
    let number = made.withLock { (count: inout Int) -> Int in
      defer { count += 1 }
      return count
    }
    if number == call { _exit(9) }
    return nil
  }) { try body() }
}
