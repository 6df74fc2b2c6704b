import Dispatch
import Glibc
import TestSupport
import Testing
import Wormhole

@Suite(.ownThread) struct FileTests {
  @Test("A file arrives as it was, with name, size and metadata; its source stays, and nothing is left in transit")
  func arrival() async throws {
    let world = try FileWorld()
    let path = try world.source("the text")
    let transfer = try world.wormhole.transferFile(at: path, metadata: ["page": 3], identifier: "files")
    #expect(transfer.isFile)
    #expect(try world.wormhole.outstandingTransfers().map(\.isFile) == [true])
    let inbox = Inbox<String>()
    try world.wormhole.receiveFiles(identifier: "files") { file in
      let page = try file.metadata(as: [String: Int].self)?["page"] ?? 0
      inbox.put("\(file.name) \(file.size) \(page) \(file.identifier) \(file.sequence) \(file.isRedelivered)")
      try file.move(to: world.directory.appending("out/here"))
    }
    #expect(try await inbox.next() == "source.txt 8 3 files 1 false")
    #expect(try await transfer.waitUntilDelivered())
    try eventually("no file in transit") { try world.leftovers().isEmpty }
    #expect(try world.text("out/here") == "the text")
    #expect(try world.text("source.txt") == "the text")
    // The received file is nobody else's.
    #expect(try world.status("out/here").linkCount == 1)
    #expect(try world.status("out/here").mode & 0o777 == 0o600)
  }

  @Test("Files and messages keep one order, and each goes to its handler") func mixed() async throws {
    let world = try FileWorld()
    let path = try world.source("x")
    try world.wormhole.transfer("one", identifier: "files")
    try world.wormhole.transferFile(at: path, identifier: "files")
    try world.wormhole.transfer("three", identifier: "files")
    let inbox = Inbox<String>()
    let token = try world.wormhole.receiveTransfers(
      String.self, identifier: "files", onFile: { inbox.put($0.name) }, handler: { inbox.put($0.value) })
    #expect(try await inbox.take(3) == ["one", "source.txt", "three"])
    token.cancel()
    #expect(try world.leftovers().isEmpty)
  }

  @Test("What is of the other kind is told and set aside with its file, and can be put back") func otherKind()
    async throws
  {
    let world = try FileWorld()
    try world.wormhole.transferFile(at: try world.source("kept"), metadata: "m", identifier: "files")
    try world.wormhole.transfer("text", identifier: "files")
    let (inbox, errors) = (Inbox<String>(), Inbox<WormholeError.Code>())
    let token = try world.wormhole.receiveTransfers(
      String.self, identifier: "files", onError: { errors.put($0.code) }, handler: { inbox.put($0.value) })
    #expect(try await inbox.next() == "text")
    #expect(try await errors.next() == .cannotDecode)
    token.cancel()
    let aside = try world.wormhole.setAsideTransfers()
    #expect(aside.map(\.isFile) == [true])
    #expect(try aside.first?.payload.decoded(as: String.self, identifier: "files") == "m")
    #expect(try world.leftovers().count == 1)
    // Nothing sweeps it while it is set aside.
    try world.sweep()
    #expect(try world.wormhole.putBackTransfers(identifier: "files") == 1)
    let (files, _) = try world.receive()
    #expect(try await files.next() == "source.txt")
    #expect(try world.text("out/source.txt") == "kept")
    try eventually("no file in transit") { try world.leftovers().isEmpty }
  }

  @Test("A file whose handler throws comes again, also after the handler has moved it") func refusal() async throws {
    let world = try FileWorld()
    try world.wormhole.transferFile(at: try world.source("again"), identifier: "files")
    let inbox = Inbox<String>()
    try world.wormhole.receiveFiles(identifier: "files") { file in
      let place = try file.move(intoDirectory: world.folder)
      inbox.put("\(place.dropFirst(world.folder.utf8.count + 1)) \(file.isRedelivered)")
      if !file.isRedelivered { throw SupportError("not yet") }
    }
    #expect(try await inbox.take(2) == ["source.txt false", "source-2.txt true"])
    #expect(try world.text("out/source-2.txt") == "again")
    // A copy: what the first handler does to its file is its own affair.
    #expect(try world.status("out/source-2.txt").inode != world.status("out/source.txt").inode)
  }

  @Test("A cancelled file is removed at once and never arrives") func cancelling() async throws {
    let world = try FileWorld()
    let path = try world.source("x")
    try world.wormhole.transferFile(at: path, identifier: "files")
    try world.wormhole.transferFile(at: path, identifier: "files")
    let listed = try world.wormhole.outstandingTransfers()
    #expect(try listed[0].cancel())
    #expect(try world.leftovers().count == 1)
    let (inbox, token) = try world.receive()
    #expect(try await inbox.next() == "source.txt")
    token.cancel()
    #expect(inbox.all.isEmpty)
    #expect(try world.leftovers().isEmpty)
  }

  @Test("A file that is given away is not copied, and its source is gone") func giving() async throws {
    let world = try FileWorld()
    let path = try world.source("given")
    let inode = try world.status("source.txt").inode
    try world.wormhole.transferFile(at: path, identifier: "files", passing: .moving)
    #expect(throws: Errno.noEntry) { try world.status("source.txt") }
    let (inbox, _) = try world.receive()
    #expect(try await inbox.next() == "source.txt")
    // From end to end the same file.
    #expect(try world.status("out/source.txt").inode == inode)
  }

  @Test("A file with a second name is copied though it is given away, so that the other name keeps its own")
  func linked()
    async throws
  {
    let world = try FileWorld()
    let path = try world.source("shared")
    try FileSystem.link(Path(path), to: Path(world.directory.appending("other")))
    try world.wormhole.transferFile(at: path, identifier: "files", passing: .moving)
    #expect(throws: Errno.noEntry) { try world.status("source.txt") }
    #expect(try world.status("other").linkCount == 1)
    let (inbox, _) = try world.receive()
    #expect(try await inbox.next() == "source.txt")
    #expect(try world.status("out/source.txt").inode != world.status("other").inode)
  }

  @Test("Each subscriber gets a file of its own, a late one too, and the last leaves nothing behind") func subscribers()
    async throws
  {
    let world = try FileWorld()
    let inbox = Inbox<String>()
    /// Changes its file at once, which reaches nobody else.
    @Sendable func receive(_ subscriber: String) throws -> ListeningToken {
      try world.wormhole.receiveFiles(identifier: "files", subscriber: subscriber) { file in
        try file.move(to: "\(world.folder)/\(subscriber)")
        let text = try world.text("out/\(subscriber)")
        try world.directory.write("changed".utf8, to: "out/\(subscriber)")
        inbox.put("\(subscriber) \(text)")
      }
    }
    try receive("one").cancel()
    _ = try receive("two")
    try world.wormhole.transferFile(at: try world.source("for all"), identifier: "files")
    #expect(try await inbox.next() == "two for all")
    _ = try receive("three")
    #expect(try await inbox.next() == "three for all")
    #expect(try world.leftovers().contains { $0.hasPrefix("f-") })
    _ = try receive("one")
    #expect(try await inbox.next() == "one for all")
    try eventually("nothing in transit") { try world.leftovers().isEmpty }
    #expect(Set(try ["one", "two", "three"].map { try world.status("out/\($0)").inode }).count == 3)
  }

  @Test("A subscriber that comes while another has a file in hand gets it as it was") func comingInBetween()
    async throws
  {
    let world = try FileWorld()
    try world.wormhole.transferFile(at: try world.source("as it was"), identifier: "files")
    let (started, ended) = (Inbox<String>(), Inbox<String>())
    let isReleased = Lock(false)
    try world.wormhole.receiveFiles(
      identifier: "files", subscriber: "one", on: .queue(DispatchQueue(label: "one"))
    ) { file in
      let place = try file.move(intoDirectory: world.folder)
      started.put(place)
      isReleased.wait(until: { $0 }) { _ in }
    }
    #expect(try await started.next().hasSuffix("source.txt"))
    let hold = try world.wormhole.receiveFiles(identifier: "files", subscriber: "two") { _ in throw SupportError("no") }
    hold.cancel()
    isReleased.withLock { $0 = true }
    isReleased.notifyAll()
    try eventually("the files are two") { try world.status("out/source.txt").linkCount == 1 }
    try world.directory.write("changed".utf8, to: "out/source.txt")
    try world.wormhole.receiveFiles(identifier: "files", subscriber: "two") { file in
      ended.put(
        String(
          decoding: try world.directory.read(String(file.path.dropFirst(world.directory.path.utf8.count + 1))),
          as: UTF8.self))
    }
    #expect(try await ended.next() == "as it was")
  }

  @Test("What is no readable regular file is refused with path, number and remedy") func sources() throws {
    let world = try FileWorld()
    mkfifo(world.directory.appending("pipe"), 0o600)
    symlink("nowhere", world.directory.appending("dangling"))
    let expected: [(String, Errno)] = [
      ("missing", .noEntry), ("out", .isDirectory), ("pipe", .invalidArgument), ("dangling", .noEntry),
      ("pipe/below", .notDirectory),
    ]
    for (name, number) in expected {
      let path = world.directory.appending(name)
      do {
        try world.wormhole.transferFile(at: path, identifier: "files")
        Issue.record("\(name) was transferred")
      } catch {
        #expect(error.code == .unreadableFile, "\(name)")
        #expect(error.path == path)
        #expect(error.errno == number.rawValue, "\(error)")
        #expect(error.reason.contains("; "), "\(error)")
      }
    }
    #expect(throws: WormholeError.self) { try world.wormhole.transferFile(at: "", identifier: "files") }
    #expect(throws: WormholeError.self) { try world.wormhole.transferFile(at: "/dev/zero", identifier: "files") }
    #expect(try world.leftovers().isEmpty)
    #expect(try world.wormhole.outstandingTransfers().isEmpty)
  }

  @Test("Files in transit stay below their limit, but one that is alone always goes") func limit() async throws {
    let world = try FileWorld(options: WormholeOptions(fileLimit: 10))
    let path = try world.source("twelve bytes")
    let first = try world.wormhole.transferFile(at: path, identifier: "files")
    do {
      try world.wormhole.transferFile(at: path, identifier: "others")
      Issue.record("a second file")
    } catch { #expect(error.code == .queueFull) }
    #expect(try first.cancel())
    try world.wormhole.transferFile(at: path, identifier: "others")
    #expect(try world.leftovers().count == 1)
  }
}
