import Glibc
import TestSupport
import Testing
import Wormhole

@testable import class Wormhole.Presence
@testable import class Wormhole.PresenceWatch

@Suite(.ownThread) struct PresenceTests {
  private let directory: TemporaryDirectory
  private let wormhole: Wormhole

  init() throws {
    directory = try TemporaryDirectory(.memory)
    wormhole = try Wormhole(directory: directory.appending("hole"))
  }

  /// Another process that is there.
  private func holder(_ identifier: String, _ kind: String) async throws -> HelperProcess {
    try await blocking {
      let process = try HelperProcess("wormhole-test-helper", ["be-there", wormhole.directory, identifier, kind])
      #expect(try process.nextLine() == "there")
      return process
    }
  }

  private static let kinds: [(Exchange, String, other: Exchange)] = [
    (.requests, "requests", .transfers), (.transfers, "transfers", .requests),
  ]

  @Test("Each kind is told by itself, its end by SIGKILL too, and no other identifier is", arguments: 0..<2)
  func kinds(index: Int) async throws {
    let (kind, name, other) = Self.kinds[index]
    var states = try wormhole.reachability(identifier: "a", for: kind).makeAsyncIterator()
    #expect(await states.next() == false)
    for _ in 0..<3 {
      let process = try await holder("a", name)
      #expect(await states.next() == true)
      #expect(try wormhole.isReachable(identifier: "a", for: kind))
      #expect(try !wormhole.isReachable(identifier: "a", for: other))
      #expect(try !wormhole.isReachable(identifier: "A", for: kind))
      try process.kill()
      #expect(await states.next() == false)
      #expect(try !wormhole.isReachable(identifier: "a", for: kind))
    }
  }

  @Test("Of several holders the last to end ends it, whatever the order", arguments: 0..<2) func several(index: Int)
    async throws
  {
    let (kind, name, _) = Self.kinds[index]
    var processes: [HelperProcess] = []
    for _ in 0..<3 { processes.append(try await holder("a", name)) }
    processes.swapAt(0, 1)
    var states = try wormhole.reachability(identifier: "a", for: kind).makeAsyncIterator()
    #expect(await states.next() == true)
    while processes.count > 1 {
      try processes.removeFirst().kill()
      #expect(try wormhole.isReachable(identifier: "a", for: kind))
    }
    // A clean end is told like a kill.
    processes[0].closeInput()
    #expect(await states.next() == false)
    _ = try await blocking { [process = processes[0]] in try process.waitUntilExit() }
  }

  @Test("A holder that is stopped is still there; so it is for who opens the wormhole later") func stopped()
    async throws
  {
    let process = try await holder("a", "requests")
    try await blocking { try process.stop() }
    #expect(try Wormhole(directory: wormhole.directory).isReachable(identifier: "a"))
    try process.kill()
    var states = try wormhole.reachability(identifier: "a").makeAsyncIterator()
    if await states.next() == true { #expect(await states.next() == false) }
  }

  @Test(
    "Holders are there again after the directory was removed or moved away and made again", arguments: 0..<2,
    [false, true])
  func madeAgain(index: Int, isMoved: Bool) async throws {
    let (kind, name, _) = Self.kinds[index]
    let process = try await holder("a", name)
    var states = try wormhole.reachability(identifier: "a", for: kind).makeAsyncIterator()
    #expect(await states.next() == true)
    try await blocking {
      // The holder puts its files back as they go, until the directory has gone.
      if isMoved {
        try FileSystem.rename(Path(wormhole.directory), to: Path(directory.appending("away")))
      } else {
        try eventually("the directory is gone") { (try? directory.removeTree("hole")) != nil }
      }
      _ = try Wormhole(directory: wormhole.directory)
      try eventually("the holder is there again") { try wormhole.isReachable(identifier: "a", for: kind) }
    }
    try process.kill()
    while await states.next() == true {}
    #expect(try !wormhole.isReachable(identifier: "a", for: kind))
  }

  @Test("Within a process each receiver and responder counts, and ends with its token") func tokens() async throws {
    let tokens = try (0..<2).map { _ in
      try wormhole.respond(to: Int.self, identifier: "a") { $0.value }
    }
    let receiver = try wormhole.receiveTransfers(Int.self, identifier: "b") { _ in }
    #expect(try wormhole.isReachable(identifier: "a"))
    #expect(try wormhole.isReachable(identifier: "b", for: .transfers))
    tokens[0].cancel()
    tokens[0].cancel()
    #expect(try wormhole.isReachable(identifier: "a"))
    tokens[1].cancel()
    receiver.cancel()
    #expect(try !wormhole.isReachable(identifier: "a"))
    #expect(try !wormhole.isReachable(identifier: "b", for: .transfers))
  }

  @Test("Who serves all identifiers is there for each, asked for or not") func everyone() async throws {
    let seen = Inbox<String>()
    try wormhole.transfer(1, identifier: "early")
    let token = try wormhole.serveAll(.transfers) { seen.put($0) }
    #expect(try await seen.next() == "early")
    #expect(try wormhole.isReachable(identifier: "anything", for: .transfers))
    #expect(try !wormhole.isReachable(identifier: "anything"))
    try wormhole.transfer(1, identifier: "a/b")
    try wormhole.transfer(2, identifier: "a/b")
    try wormhole.passMessage(1, identifier: "mailbox")
    try wormhole.transfer(1, identifier: "late")
    #expect(try await seen.take(2) == ["a/b", "late"])
    token.cancel()
    #expect(try !wormhole.isReachable(identifier: "anything", for: .transfers))
  }

  @Test("Who comes right after the directory was made again is seen at once") func afterwards() throws {
    let parent = try TemporaryDirectory(.memory)
    let path = parent.appending("hole")
    let first = try Wormhole(directory: path)
    try first.respond(to: String.self, identifier: "before") { $0.value }
    for round in 0..<20 {
      try parent.removeTree("hole")
      let again = try Wormhole(directory: path)
      try again.respond(to: String.self, identifier: "after \(round)") { $0.value }
      #expect(try again.isReachable(identifier: "after \(round)"))
      withExtendedLifetime(again) {}
    }
    withExtendedLifetime(first) {}
  }
}

extension PresenceTests {
  @Test("Who looked for the directory while there was none is there again when it was made again") func noDirectory()
    throws
  {
    let presence = Presence.shared(
      hidden: Path(wormhole.directory).appending(FileName(Array(".wormhole".utf8))), mode: 0o600)
    try presence.enter(.requests, "a")
    #expect(try wormhole.isReachable(identifier: "a"))
    try FileSystem.rename(Path(wormhole.directory), to: Path(directory.appending("away")))
    presence.changed(nil)
    _ = try Wormhole(directory: wormhole.directory)
    presence.changed(nil)
    #expect(try wormhole.isReachable(identifier: "a"))
    presence.leave(.requests, "a")
  }

  @Test("Whose lock falls only after it was heard of is seen to be gone a little later") func lateFall() throws {
    let world = try RequestWorld()
    let presence = world.store.transfers.presence
    let there = try world.silentPresence()
    try world.settle()
    let looks = Inbox<Bool>()
    let watch = try PresenceWatch(presence) {
      looks.put((try? presence.isThere(.requests, "sum")) ?? false)
      // As the kernel does with a process that dies: its files are closed one after the other.
      try? there.unlockAll()
    }
    presence.ring()
    #expect(try looks.take(through: { !$0 }).first == true)
    watch.end()
  }
}
