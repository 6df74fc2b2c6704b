import TestSupport
import Testing
import Wormhole

@Suite(.ownThread) struct FileCrashTests {
  @Test(
    "A sender that is killed at any system call leaves the whole file or nothing, once another has opened the wormhole")
  func crashes() async throws {
    try await blocking {
      var call = 0
      while true {
        let world = try FileWorld()
        let path = try world.source("whole")
        let outcome = try HelperProcess.run("wormhole-test-helper", ["file-crash", world.place, path, "\(call)"])
        let wormhole = try Wormhole(directory: world.place)
        let outstanding = try wormhole.outstandingTransfers().count
        let left = try world.leftovers()
        #expect(left.count == outstanding, "call \(call): \(left)")
        let (inbox, token) = try world.receive()
        if outstanding == 1 {
          #expect(try inbox.next() == "source.txt")
          #expect(try world.text("out/source.txt") == "whole")
        }
        token.cancel()
        #expect(try world.leftovers().isEmpty, "call \(call)")
        if outcome.text == "done\n" { break }
        call += 1
      }
      #expect(call > 15)
    }
  }

  @Test("A receiver that is killed with a file in hand leaves it to the next, marked, and leaves nothing behind")
  func receiverCrashes() async throws {
    let world = try FileWorld()
    try world.wormhole.transferFile(at: try world.source("one"), metadata: "m", identifier: "files")
    try await blocking {
      for end in ["wait", "die"] {
        let receiver = try HelperProcess(
          "wormhole-test-helper", ["receive-files", world.place, "-", world.folder, end])
        let line = try receiver.nextLine()
        #expect(line.hasSuffix(end == "wait" ? " m false" : " m true"), "\(line)")
        try receiver.kill()
      }
      let receiver = try HelperProcess("wormhole-test-helper", ["receive-files", world.place, "-", world.folder])
      // The one that died had moved it: that file is there, and this is another.
      #expect(try receiver.nextLine() == "source-2.txt m true")
      // It says so before the file is noted as taken.
      try eventually("taken") { try world.wormhole.outstandingTransfers().isEmpty }
      receiver.closeInput()
      _ = try receiver.waitUntilExit()
      #expect(try world.text("out/source-2.txt") == "one")
    }
    _ = try Wormhole(directory: world.place)
    try eventually("nothing left") { try world.leftovers().isEmpty }
  }
}
