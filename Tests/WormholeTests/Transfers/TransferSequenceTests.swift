import Glibc
import TestSupport
import Testing
import Wormhole

@Suite("Transfers by sequence", .ownThread, .timeLimit(.minutes(10))) struct TransferSequenceTests {
  @Test("What is no value of the wanted type is told, set aside and passed over") func undecodable() async throws {
    let world = try FileWorld()
    let errors = Inbox<WormholeError>()
    try world.wormhole.transfer("text", identifier: "queue")
    try world.wormhole.transferFile(at: world.source("content"), identifier: "queue")
    try world.wormhole.transfer(3, identifier: "queue")
    var transfers = try world.wormhole.transfers(Int.self, identifier: "queue", onError: { errors.put($0) })
      .makeAsyncIterator()
    #expect(await transfers.next()?.value == 3)
    #expect(try await errors.next().reason.hasPrefix("message of queue is no Int: "))
    #expect(try await errors.next().reason == "transfer 2 of queue is a file; use receiveFiles")
    #expect(errors.all.isEmpty)
    #expect(try world.wormhole.setAsideTransfers(identifier: "queue").map(\.sequence) == [1, 2])
  }

  @Test("What cannot be set aside is not lost: it is told once, and tried again until it can") func settingAside()
    async throws
  {
    let world = try FileWorld()
    let errors = Inbox<WormholeError>()
    try world.wormhole.transfer("text", identifier: "queue")
    try world.wormhole.transfer(2, identifier: "queue")
    let transfers = try world.wormhole.transfers(Int.self, identifier: "queue", onError: { errors.put($0) })
    // A file stands where the hidden folder was.
    let (hidden, away) = (world.place + "/.wormhole", world.directory.appending("away"))
    #expect(rename(hidden, away) == 0)
    _ = try world.directory.write([], to: "hole/.wormhole")
    async let value = first(of: transfers)
    #expect(try await errors.next().code == .cannotDecode)
    #expect(try await errors.next().code == .cannotCreate)
    #expect(unlink(hidden) == 0 && rename(away, hidden) == 0)
    #expect(await value == 2)
    #expect(try world.wormhole.setAsideTransfers(identifier: "queue").map(\.sequence) == [1])
    #expect(errors.all.isEmpty)
  }

  /// The first value of a sequence.
  private func first(of transfers: Transfers<Int>) async -> Int? {
    var iterator = transfers.makeAsyncIterator()
    return await iterator.next()?.value
  }

  @Test("Files come one after the other, each taken when the next is asked for; what was left of one is removed")
  func files() async throws {
    let world = try FileWorld()
    for number in 1...3 {
      try world.wormhole.transferFile(at: world.source("content \(number)"), metadata: number, identifier: "files")
    }
    let sequence = try world.wormhole.files(identifier: "files")
    var files = sequence.makeAsyncIterator()
    let first = try #require(await files.next())
    #expect(try first.metadata(as: Int.self) == 1)
    #expect(try world.wormhole.outstandingTransfers(identifier: "files").count == 3)
    #expect(try first.move(intoDirectory: world.folder) == world.folder + "/source.txt")
    let second = try #require(await files.next())
    #expect(try world.wormhole.outstandingTransfers(identifier: "files").count == 2)
    #expect(try world.text("out/source.txt") == "content 1")
    #expect(access(second.path, R_OK) == 0)
    #expect(await files.next()?.sequence == 3)
    #expect(access(second.path, R_OK) != 0)
    let ending = Task {
      var files = sequence.makeAsyncIterator()
      return await files.next()
    }
    ending.cancel()
    #expect(await ending.value == nil)
    #expect(try world.wormhole.outstandingTransfers(identifier: "files").isEmpty)
    #expect(try world.leftovers().isEmpty)
  }

  @Test("Breaking out of the loop leaves the file in hand untaken: it comes again, whole and marked") func breaking()
    async throws
  {
    let world = try FileWorld()
    try world.wormhole.transferFile(at: world.source("content"), identifier: "files")
    var path = ""
    for await file in try world.wormhole.files(identifier: "files") {
      #expect(!file.isRedelivered)
      path = file.path
      break
    }
    #expect(access(path, R_OK) != 0)
    #expect(try world.wormhole.outstandingTransfers(identifier: "files").count == 1)
    for await file in try world.wormhole.files(identifier: "files") {
      #expect(file.isRedelivered)
      #expect(file.size == 7)
      try file.move(intoDirectory: world.folder)
      break
    }
    #expect(try world.text("out/source.txt") == "content")
  }

  @Test("Among files, what is no file is told and set aside, and a file that is gone too") func noFiles() async throws {
    let world = try FileWorld()
    let errors = Inbox<WormholeError.Code>()
    try world.wormhole.transfer("text", identifier: "files")
    try world.wormhole.transferFile(at: world.source("gone"), identifier: "files")
    for name in try world.leftovers() { #expect(unlink("\(world.place)/.wormhole/\(name)") == 0) }
    try world.wormhole.transferFile(at: world.source("content"), identifier: "files")
    var files = try world.wormhole.files(identifier: "files", onError: { errors.put($0.code) }).makeAsyncIterator()
    #expect(await files.next()?.sequence == 3)
    #expect(try await errors.take(2) == [.cannotDecode, .unreadableFile])
    #expect(try world.wormhole.setAsideTransfers(identifier: "files").map(\.sequence) == [1, 2])
  }
}
