import Glibc
import TestSupport
import Testing

/// What tests rely on when they run programs.
@Suite("Helper processes", .ownThread)
struct HelperProcessTests {
  @Test("Lines go in and come out, and the end is reported with its code")
  func linesAndEnd() throws {
    let process = try HelperProcess("wormhole-test-helper", ["echo", "first"])
    #expect(try process.nextLine() == "first")
    process.write("second\nthird")
    #expect(try process.nextLine() == "second")
    process.closeInput()
    let outcome = try process.waitUntilExit()
    #expect(outcome.exit == .code(0))
    #expect(outcome.text == "third\n")
  }

  @Test("More than the pipes hold goes through in both directions")
  func largeInput() throws {
    let text = String(repeating: "0123456789abcde\n", count: 100_000)
    let outcome = try HelperProcess.run("wormhole-test-helper", ["echo"], input: text.utf8)
    #expect(outcome.text == text)
  }

  @Test("A signal that ends a process is reported")
  func endBySignal() throws {
    let outcome = try HelperProcess.run("wormhole-test-helper", ["signal-own-end", "\(SIGUSR1)"])
    #expect(outcome.exit == .signal(SIGUSR1))
  }

  @Test("A killed process has gone when kill returns, and a stopped one goes on when told")
  func stopAndKill() throws {
    let process = try HelperProcess("wormhole-test-helper", ["echo"])
    try process.stop()
    process.write("hello\n")
    process.resume()
    #expect(try process.nextLine() == "hello")
    #expect(process.isRunning)
    try process.kill()
    #expect(!process.isRunning)
    #expect(try process.waitUntilExit().exit == .signal(SIGKILL))
  }

  @Test("A wait that is not fulfilled ends with an error that tells what the program said")
  func boundedWait() throws {
    let process = try HelperProcess("/bin/sh", ["-c", "echo complaint >&2; read line"])
    #expect(try process.nextErrorLine() == "complaint")
    #expect(throws: SupportError.self) { try process.nextLine(within: .milliseconds(1)) }
  }

  @Test("A program that does not exist is an error")
  func noSuchProgram() {
    #expect(throws: SupportError.self) { try HelperProcess("wormhole-no-such-program") }
    #expect(throws: SupportError.self) { try HelperProcess("/nonexistent/program") }
  }

  @Test("A temporary directory goes with all it holds", arguments: TemporaryDirectory.Place.allCases)
  func temporaryDirectory(place: TemporaryDirectory.Place) throws {
    var directory: TemporaryDirectory? = try TemporaryDirectory(place)
    let path = try #require(directory?.path)
    try directory?.write("text".utf8, to: "file")
    #expect(mkdir("\(path)/folder", 0o700) == 0)
    try directory?.write([1], to: "folder/inner")
    #expect(symlink("/", "\(path)/link") == 0)
    #expect(chmod("\(path)/folder", 0) == 0)
    #expect(try directory?.names() == ["file", "folder", "link"])
    directory = nil
    #expect(access(path, F_OK) != 0)
  }

  @Test("An inbox gives what was put, in order, and throws when too little comes")
  func inbox() async throws {
    let inbox = Inbox<Int>()
    async let first = inbox.next()
    for number in 1...3 { inbox.put(number) }
    #expect(try await first == 1)
    #expect(try await inbox.take(2) == [2, 3])
    await #expect(throws: SupportError.self) { try await inbox.next(within: .milliseconds(1)) }
  }
}
