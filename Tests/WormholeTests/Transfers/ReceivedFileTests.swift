import TestSupport
import Testing
import Wormhole

@Suite(.ownThread) struct ReceivedFileTests {
  /// Sends a file of this name and gives where it was moved to in the folder.
  private func place(_ world: FileWorld, _ name: [UInt8]) async throws -> String {
    let path = Path(world.directory.appending("in")).appending(FileName(name))
    _ = try FileSystem.makeDirectory(Path(world.directory.appending("in")), mode: 0o700)
    try FileDescriptor.open(path, OpenFlags.createNew, mode: 0o600).close()
    return path.description
  }

  @Test("Whatever a file was called, it is moved into the directory that was named, and nothing is overwritten")
  func names() async throws {
    let world = try FileWorld()
    let (inbox, _) = try world.receive()
    let expected: [(String, String)] = [
      ("plain.txt", "plain.txt"), ("two\nlines", "two_lines"), (".profile", "_profile"), ("...", "_.."),
      ("tab\tand \u{1B}[31m", "tab_and _[31m"), ("Grüße 雪.tar", "Grüße 雪.tar"), ("-rf", "-rf"), (" ", " "),
      (String(repeating: "n", count: 250) + ".txt", String(repeating: "n", count: 250) + ".txt"),
    ]
    for (name, safe) in expected {
      let path = try await place(world, Array(name.utf8))
      for number in 1...2 {
        try world.wormhole.transferFile(at: path, identifier: "files")
        let found = try await inbox.next()
        if number == 1 { #expect(found == safe) } else { #expect(found != safe && found.utf8.count <= 255) }
      }
    }
    #expect(try world.directory.names(in: "out").count == expected.count * 2)
    #expect(try world.directory.names() == ["hole", "in", "out"])
  }

  @Test("Files of one name are numbered without a gap, however many") func numbers() async throws {
    let world = try FileWorld()
    let path = try world.source("x", "a.b.txt")
    for _ in 0..<40 { try world.wormhole.transferFile(at: path, identifier: "files") }
    let (inbox, _) = try world.receive()
    let expected = (1...40).map { $0 == 1 ? "a.b.txt" : "a.b-\($0).txt" }
    #expect(try await inbox.take(40) == expected)
  }

  @Test("Moving never replaces, and to another file system it copies the whole") func moving() async throws {
    let world = try FileWorld(.disk)
    let other = try TemporaryDirectory(.memory)
    let text = String(repeating: "line\n", count: 300_000)
    try world.wormhole.transferFile(at: try world.source(text), identifier: "files")
    try other.write("old".utf8, to: "taken")
    let inbox = Inbox<String>()
    try world.wormhole.receiveFiles(identifier: "files") { file in
      for place in ["taken", "no/such/directory"] {
        do throws(WormholeError) {
          try file.move(to: other.appending(place))
          inbox.put("moved to \(place)")
        } catch { inbox.put("\(error.code)") }
      }
      try file.move(to: other.appending("new"))
      inbox.put("moved")
    }
    #expect(try await inbox.take(3) == ["cannotCreate", "cannotCreate", "moved"])
    #expect(try other.names() == ["new", "taken"])
    #expect(try other.read("new") == Array(text.utf8))
    #expect(try other.read("taken") == Array("old".utf8))
  }
}
