import Dispatch
import TestSupport
import Testing
import Wormhole

@Suite(.ownThread) struct RequestTests {
  /// A responder in another process, which is there.
  private func responder(_ directory: TemporaryDirectory) async throws -> HelperProcess {
    try await blocking {
      let process = try HelperProcess("wormhole-test-helper", ["respond", directory.path, "sum"])
      #expect(try process.nextLine() == "responding")
      return process
    }
  }

  /// How a request ends: its reply, or the code of its error.
  private func outcome(
    _ wormhole: Wormhole, _ text: String, timeout: Duration = .seconds(60), ifUnreachable: IfUnreachable = .fail
  ) async -> String {
    do throws(WormholeError) {
      return try await wormhole.request(
        text, identifier: "sum", as: String.self, timeout: timeout, ifUnreachable: ifUnreachable)
    } catch { return error.code.rawValue }
  }

  @Test("A request is answered by another process, and its error comes with its text") func answers() async throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    #expect(await outcome(wormhole, "early") == "notReachable")
    let process = try await responder(directory)
    #expect(await outcome(wormhole, "hello") == "re hello")
    do {
      _ = try await wormhole.request("fail now", identifier: "sum", as: String.self)
      Issue.record("no error")
    } catch {
      #expect(error.code == .responderFailed)
      #expect(error.reason == "refused fail now")
    }
    #expect(await outcome(wormhole, "never", timeout: .milliseconds(50)) == "timedOut")
    try process.kill()
    #expect(await outcome(wormhole, "late") == "notReachable")
  }

  @Test("A request that the responder cannot read is told as such, and not as a reply that the asker cannot read")
  func unreadableRequest() async throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    try wormhole.respond(to: Int.self, identifier: "sum") { $0.value + 1 }
    let error = try await #require(throws: WormholeError.self) {
      try await wormhole.request("three", identifier: "sum", as: Int.self)
    }
    #expect(error.code == .responderFailed)
    #expect(error.reason.hasPrefix("the responder could not read the request as Int: message of sum is no Int: "))
    let own = try await #require(throws: WormholeError.self) {
      try await wormhole.request(3, identifier: "sum", as: String.self)
    }
    #expect(own.code == .cannotDecode)
    #expect(own.reason.hasPrefix("message of sum is no String: "))
  }

  @Test("A thousand requests at once to a responder that is killed end in exactly one way each") func thousand()
    async throws
  {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    let process = try await responder(directory)
    let outcomes = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for number in 0..<1000 {
        let kind = ["say", "fail", "never"][number % 3]
        let timeout: Duration = number % 6 == 2 ? .milliseconds(300) : .seconds(60)
        group.addTask { (number, await outcome(wormhole, "\(kind) \(number)", timeout: timeout)) }
      }
      var outcomes: [Int: String] = [:]
      while let (number, outcome) = try await group.next() {
        #expect(outcomes.updateValue(outcome, forKey: number) == nil)
        // All that are answered and all whose time is over, then the end of the rest.
        if outcomes.count == 834 { try process.kill() }
      }
      return outcomes
    }
    for (number, outcome) in outcomes {
      switch number % 6 {
      case 0, 3: #expect(outcome == "re say \(number)")
      case 1, 4: #expect(outcome == "responderFailed")
      case 2: #expect(outcome == "timedOut")
      default: #expect(outcome == "responderGone")
      }
    }
    #expect(outcomes.count == 1000)
  }

  @Test("A responder that dies of a request is told as gone") func death() async throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    let process = try await responder(directory)
    #expect(await outcome(wormhole, "die") == "responderGone")
    _ = try await blocking { try process.waitUntilExit() }
  }

  @Test("A queued request waits for a responder that comes later") func queued() async throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    async let reply = outcome(wormhole, "early", ifUnreachable: .queue)
    let process = try await responder(directory)
    #expect(await reply == "re early")
    try process.kill()
    #expect(await outcome(wormhole, "nobody", timeout: .milliseconds(20), ifUnreachable: .queue) == "timedOut")
  }

  @Test("A responder never sees requests that were withdrawn, timed out, or whose asker has gone") func withdrawn()
    async throws
  {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    #expect(await outcome(wormhole, "too late", timeout: .milliseconds(1), ifUnreachable: .queue) == "timedOut")
    let task = Task { await outcome(wormhole, "cancelled", ifUnreachable: .queue) }
    task.cancel()
    #expect(await task.value == "cancelled")
    let process = try await responder(directory)
    #expect(await outcome(wormhole, "wanted") == "re wanted")
    #expect(try await blocking { try process.nextLine() } == "asked wanted")
  }

  @Test("Reachability is true while a responder lives, and false soon after SIGKILL") func reachability() async throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    var states = try wormhole.reachability(identifier: "sum").makeAsyncIterator()
    #expect(await states.next() == false)
    for _ in 0..<5 {
      let process = try await responder(directory)
      #expect(await states.next() == true)
      #expect(try wormhole.isReachable(identifier: "sum"))
      try process.kill()
      #expect(await states.next() == false)
      #expect(try !wormhole.isReachable(identifier: "sum"))
    }
    #expect(try !wormhole.isReachable(identifier: "another"))
  }
}

/// What stands in the way of requests and replies.
@Suite(.ownThread) struct RequestFailureTests {
  /// The code that a request ends with, or its reply.
  private func outcome(_ wormhole: Wormhole, _ text: String) async -> String {
    do throws(WormholeError) {
      return try await wormhole.request(text, identifier: "sum", as: String.self, timeout: .seconds(60))
    } catch { return error.code.rawValue }
  }

  @Test("A reply that is larger than the limit is an error to its asker") func tooLarge() async throws {
    let directory = try TemporaryDirectory(.memory)
    let small = try Wormhole(directory: directory.path, options: WormholeOptions(messageSizeLimit: 1000))
    try small.respond(to: String.self, identifier: "sum") { String(repeating: "x", count: Int($0.value) ?? 0) }
    let asker = try Wormhole(directory: directory.path)
    #expect(await outcome(asker, "900") == String(repeating: "x", count: 900))
    #expect(await outcome(asker, "1000") == "responderFailed")
  }

  @Test(
    "Requests under way when the directory is removed or moved away end with an error, those after it are answered",
    arguments: [false, true])
  func gone(isMovedAway: Bool) async throws {
    let parent = try TemporaryDirectory(.memory)
    let path = parent.appending("hole")
    let wormhole = try Wormhole(directory: path)
    let asked = Inbox<String>()
    let (nothing, source) = AsyncStream<Void>.makeStream()
    defer { source.finish() }
    try wormhole.respond(to: String.self, identifier: "sum") { request in
      asked.put(request.value)
      if request.value == "never" { for await _ in nothing {} }
      return "re \(request.value)"
    }
    async let lost = outcome(wormhole, "never")
    #expect(try await asked.next() == "never")
    let away = parent.appending("away")
    if isMovedAway {
      try FileSystem.rename(Path(path), to: Path(away))
    } else {
      try await blocking { try parent.removeTree("hole") }
    }
    #expect(await lost == "inputOutput")
    // Opened again, it is made again; responders are there again as soon as they hear of it.
    if isMovedAway { try FileSystem.rename(Path(away), to: Path(path)) }
    let again = isMovedAway ? wormhole : try Wormhole(directory: path)
    var states = try again.reachability(identifier: "sum").makeAsyncIterator()
    while await states.next() == false {}
    #expect(await outcome(again, "hello") == "re hello")
  }

  @Test("The files of requests and replies stay small however many go through") func space() async throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    try wormhole.respond(to: String.self, identifier: "sum") { $0.value }
    let text = String(repeating: "x", count: 4000)
    for _ in 0..<500 { #expect(await outcome(wormhole, text) == text) }
    for name in try directory.names(in: ".wormhole") where name.hasPrefix("p-") || name.hasPrefix("r-") {
      #expect(try directory.read(".wormhole/\(name)").count < 600_000)
    }
  }

  @Test("Nothing of requests outlasts both sides: what they leave goes when a wormhole is opened") func leftovers()
    async throws
  {
    let directory = try TemporaryDirectory(.memory)
    try await blocking {
      let process = try HelperProcess("wormhole-test-helper", ["respond", directory.path, "sum"])
      #expect(try process.nextLine() == "responding")
      let asker = try HelperProcess("wormhole-test-helper", ["ask", directory.path, "sum", "3"])
      _ = try asker.nextLine()
      _ = try asker.waitUntilExit()
      #expect(try directory.names(in: ".wormhole").filter { $0.hasPrefix("r-") || $0.hasPrefix("p-") }.count == 2)
      // While its responder is there, its queue stays, and only the asker's goes.
      _ = try Wormhole(directory: directory.path)
      #expect(try directory.names(in: ".wormhole").filter { $0.hasPrefix("p-") } == [])
      #expect(try directory.names(in: ".wormhole").contains("r-sum.queue"))
      try process.kill()
      _ = try process.waitUntilExit()
    }
    let wormhole = try Wormhole(directory: directory.path)
    #expect(try directory.names(in: ".wormhole") == ["presence"])
    // Requests that wait for a responder stay.
    async let reply = wormhole.request(
      "early", identifier: "sum", as: String.self, timeout: .seconds(60), ifUnreachable: .queue)
    try await blocking {
      try eventually("the request is there") { try directory.names(in: ".wormhole").contains("r-sum.queue") }
    }
    let responder = try Wormhole(directory: directory.path)
    try responder.respond(to: String.self, identifier: "sum") { "re \($0.value)" }
    #expect(try await reply == "re early")
  }

  @Test("A queue of requests that a power cut has left damaged is in nobody's way", arguments: [0, 4096])
  func damagedQueue(length: Int) async throws {
    let directory = try TemporaryDirectory(.memory)
    _ = try Wormhole(directory: directory.path)
    try directory.write([UInt8](repeating: 0, count: length), to: ".wormhole/r-sum.queue")
    let wormhole = try Wormhole(directory: directory.path)
    try wormhole.respond(to: String.self, identifier: "sum") { "re \($0.value)" }
    #expect(await outcome(wormhole, "hello") == "re hello")
  }

  @Test("Where a queue of requests is damaged, its responder goes on with a new one", arguments: [0, 512])
  func damagedUnderResponder(offset: Int) async throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    let errors = Inbox<WormholeError>()
    try wormhole.respond(to: String.self, identifier: "n", onError: { errors.put($0) }) { "re \($0.value)" }
    let file = try FileDescriptor.open(Path(directory.appending(".wormhole/r-n.queue")), OpenFlags.readWrite)
    try [UInt8](repeating: 0xFF, count: 8).withUnsafeBytes { try file.write($0, at: offset) }
    try file.close()
    // That its head is damaged is seen by those alone who open it.
    if offset == 512 { #expect(try await errors.next().code == .damagedArchive) }
    for _ in 0..<3 {
      let asked = try await blocking {
        try HelperProcess.run("wormhole-test-helper", ["request-crash", directory.path, "ask", "100000"])
      }
      #expect(asked.text == "reply re question\ndone\n", "\(asked)")
    }
  }

  @Test("A handler on a queue of its own does not hold up the other listeners of its program") func onQueue()
    async throws
  {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    let (started, heard) = (Inbox<Void>(), Inbox<String>())
    let gate = DispatchSemaphore(value: 0)
    try wormhole.respond(to: String.self, identifier: "sum", on: .queue(DispatchQueue(label: "slow"))) { request in
      started.put(())
      wait(for: gate)
      return request.value
    }
    try wormhole.listenForMessage(String.self, identifier: "note") { heard.put($0) }
    async let reply = outcome(wormhole, "slow")
    try await started.next()
    try wormhole.passMessage("meanwhile", identifier: "note")
    #expect(try await heard.next() == "meanwhile")
    gate.signal()
    #expect(await reply == "slow")
  }
}

extension RequestFailureTests {
  @Test("Requests that wait for their turn go to another responder when theirs ends") func turns() async throws {
    let directory = try TemporaryDirectory(.memory)
    let (asker, first, second) = (
      try Wormhole(directory: directory.path), try Wormhole(directory: directory.path),
      try Wormhole(directory: directory.path)
    )
    let started = Inbox<String>()
    let gate = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "one at a time")
    let token = try first.respond(to: String.self, identifier: "sum", on: .queue(queue)) { request in
      started.put(request.value)
      wait(for: gate)
      return "first \(request.value)"
    }
    @Sendable func ask(_ text: String) async throws -> String {
      try await asker.request(
        text, identifier: "sum", as: String.self, timeout: .seconds(60), ifUnreachable: .queue)
    }
    async let inHand = ask("a")
    #expect(try await started.next() == "a")
    async let waiting = (ask("b"), ask("c"))
    token.cancel()
    try second.respond(to: String.self, identifier: "sum") { "second \($0.value)" }
    #expect(try await waiting == ("second b", "second c"))
    gate.signal()
    #expect(try await inHand == "first a")
  }
}

extension RequestFailureTests {
  @Test(
    "A request that waited for its turn is looked at again: withdrawn, of an asker that has gone, or answered already")
  func waited() async throws {
    let directory = try TemporaryDirectory(.memory)
    let (asker, first, second) = (
      try Wormhole(directory: directory.path), try Wormhole(directory: directory.path),
      try Wormhole(directory: directory.path)
    )
    let (handled, noted) = (Inbox<String>(), Inbox<Int>())
    let gate = DispatchSemaphore(value: 0)
    try first.respond(to: String.self, identifier: "sum", on: .queue(DispatchQueue(label: "one at a time"))) {
      request in
      handled.put(request.value)
      if request.value == "a" { wait(for: gate) }
      return "first \(request.value)"
    }
    try asker.listenForMessage(Int.self, identifier: "note") { noted.put($0) }
    // Returns when the first responder has read the request that `ask` sends, as the kernel's events come in order.
    func read(_ number: Int, _ ask: () throws -> Void) async throws {
      let size = try directory.read(".wormhole/r-sum.queue").count
      try ask()
      try await blocking {
        try eventually("the request is there") { try directory.read(".wormhole/r-sum.queue").count > size }
      }
      try asker.passMessage(number, identifier: "note")
      #expect(try await noted.next() == number)
    }
    async let inHand = outcome(asker, "a")
    #expect(try await handled.next() == "a")
    var withdrawn: Task<String, Never>?
    try await read(1) { withdrawn = Task { await outcome(asker, "b") } }
    withdrawn?.cancel()
    #expect(await withdrawn?.value == "cancelled")
    var process: HelperProcess?
    try await read(2) {
      process = try HelperProcess("wormhole-test-helper", ["ask", directory.path, "sum", "1"])
    }
    try process?.kill()
    let other = try second.respond(to: String.self, identifier: "sum") { request in
      handled.put("second \(request.value)")
      return "second \(request.value)"
    }
    #expect(await outcome(asker, "d") == "second d")
    other.cancel()
    gate.signal()
    #expect(await inHand == "first a")
    #expect(await outcome(asker, "e") == "first e")
    #expect(handled.all == ["second d", "e"])
  }
}

/// Blocks the thread, as a handler that calls something slow does.
private func wait(for gate: DispatchSemaphore) { gate.wait() }
