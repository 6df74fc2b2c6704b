import Glibc
import TestSupport
import Testing

@testable import Wormhole

/// Where the kernel does not tell of changes: they are looked for every so often, and it is said.
@Suite("Polling", .timeLimit(.minutes(10)), .ownThread)
struct PollingTests {
  /// An interval that keeps the tests short, in nanoseconds.
  private static let interval: UInt64 = 10_000_000

  /// A file system that nobody knows.
  private static let unknown: UInt = 0x1234

  @Test("On a file system that others change unseen, listeners look every so often and are told why, once")
  func remote() throws {
    for magic in [0x6969, 0x6573_5546, 0x0102_1997, 0xFF53_4D42] as [UInt] {
      let place = try WatchedPlace()
      let (first, second) = (RecordingSink(), RecordingSink())
      try Interception.with({ $0 == .fstatfs ? .answer(magic) : nil }) {
        try place.watcher.watch(place.directory, fileNames("a", "b"), first, interval: Self.interval)
        try place.watcher.watch(place.directory, .all, second, interval: Self.interval)
      }
      // Nothing happens there, and they are told to look all the same, again and again.
      #expect(try first.inbox.take(6).allSatisfy { ["a", "b"].contains($0) })
      #expect(try second.inbox.take(3) == ["everything", "everything", "everything"])
      for sink in [first, second] {
        let notice = try sink.notices.next()
        #expect(notice.code == .noEvents && notice.path == place.directory.description)
        #expect(notice.reason.contains("every 0.01 s") && notice.reason.contains("local file system"))
        #expect(sink.notices.all.isEmpty)
      }
    }
  }

  @Test("A file system that is not known is tested: with events it is not polled, without it is")
  func unknown() throws {
    for isHeard in [true, false] {
      let place = try WatchedPlace()
      _ = try FileSystem.makeDirectory(place.directory.appending(".wormhole"), mode: 0o700)
      let sink = RecordingSink()
      try Interception.with({ call in
        if call == .fstatfs { return .answer(Self.unknown) }
        // The test's event is awaited by poll(2).
        return call == .poll && !isHeard ? .fail(.noMemory) : nil
      }) {
        try place.watcher.watch(place.directory, fileNames("a"), sink, interval: Self.interval)
      }
      if isHeard {
        try place.settle()
        #expect(sink.inbox.all.isEmpty && sink.notices.all.isEmpty)
      } else {
        #expect(try sink.notices.next().code == .noEvents)
        _ = try sink.inbox.take(3)
      }
      #expect(try hiddenNames(place.directory).isEmpty)
    }
  }

  @Test("Opening and listening on a known local file system makes no test file and one call more")
  func localIsNotTested() throws {
    let place = try WatchedPlace()
    let calls = Lock<[SystemCall]>([])
    try Interception.with({ call in
      calls.withLock { $0.append(call) }
      return nil
    }) { try place.watcher.watch(place.directory, fileNames("a"), RecordingSink()) }
    let made = calls.withLock { $0 }
    #expect(made.filter { $0 == .fstatfs }.count == 1)
    #expect(made.allSatisfy { [.fstatfs, .inotifyInit, .inotifyAddWatch].contains($0) }, "\(made)")
  }

  @Test("The shortest interval that somebody wants in a directory counts")
  func intervals() throws {
    let place = try WatchedPlace()
    let (slow, fast) = (RecordingSink(), RecordingSink())
    try Interception.with({ $0 == .fstatfs ? .answer(0x6969) : nil }) {
      try place.watcher.watch(place.directory, fileNames("a"), slow, interval: 3_600_000_000_000)
      try place.watcher.watch(place.directory, fileNames("b"), fast, interval: Self.interval)
    }
    _ = try fast.inbox.take(3)
    _ = try slow.inbox.take(2)
    #expect(try slow.notices.next().code == .noEvents && fast.notices.next().code == .noEvents)
  }

  @Test("Used up limits are told with what to raise, and again when they are used up later")
  func limits() throws {
    let place = try WatchedPlace()
    let sink = RecordingSink()
    try Interception.with({ $0 == .inotifyInit ? .fail(.processFilesFull) : nil }) {
      try place.watcher.watch(place.directory, fileNames("a"), sink, interval: Self.interval)
    }
    let notice = try sink.notices.next()
    #expect(notice.code == .limitReached && notice.reason.contains("fs.inotify.max_user_instances"))
    // The first look has found an instance.
    _ = try sink.inbox.next()
    try place.settle()
    let other = try WatchedPlace()
    try Interception.with({ $0 == .inotifyAddWatch ? .fail(.noSpace) : nil }) {
      try other.watcher.watch(other.directory, fileNames("a"), sink, interval: Self.interval)
    }
    #expect(try sink.notices.next().reason.contains("fs.inotify.max_user_watches"))
  }

  @Test("Handlers and sequences are told by onError, and hear everything", arguments: [false, true])
  func listeners(isSequence: Bool) async throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(
      directory: directory.path, options: WormholeOptions(pollingInterval: .milliseconds(10)))
    let (values, errors) = (Inbox<Int>(), Inbox<WormholeError>())
    let onError: @Sendable (WormholeError) -> Void = { errors.put($0) }
    // Under the injection only: what arms the shared watcher again later finds the true kind.
    let sequence = try Interception.with({ $0 == .fstatfs ? .answer(0x6573_5546) : nil }) {
      () throws(WormholeError) -> Messages<Int>? in
      if isSequence { return try wormhole.messages(Int.self, identifier: "n", options: [.every], onError: onError) }
      try wormhole.listenForMessage(Int.self, identifier: "n", options: [.every], onError: onError) { values.put($0) }
      return nil
    }
    let task = sequence.map { sequence in Task { for await value in sequence { values.put(value) } } }
    let notice = try await errors.next()
    #expect(notice.code == .noEvents && notice.reason.contains("fuse"))
    for value in 1...20 { try wormhole.passMessage(value, identifier: "n") }
    #expect(try await values.take(20) == Array(1...20))
    #expect(errors.all.isEmpty)
    task?.cancel()
  }

  @Test("A receiver of transfers is told by onError, and takes everything in order")
  func transfers() throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(
      directory: directory.path, options: WormholeOptions(pollingInterval: .milliseconds(10)))
    let (values, errors) = (Inbox<Int>(), Inbox<WormholeError>())
    try Interception.with({ $0 == .fstatfs ? .answer(0xFE53_4D42) : nil }) {
      _ = try wormhole.receiveTransfers(Int.self, identifier: "n", onError: { errors.put($0) }) { values.put($0.value) }
    }
    #expect(try errors.next().reason.contains("smb2"))
    for value in 1...20 { try wormhole.transfer(value, identifier: "n") }
    #expect(try values.take(20) == Array(1...20))
  }

  private func hiddenNames(_ directory: Path) throws -> [String] {
    var names: [String] = []
    try FileSystem.forEachName(in: directory.appending(".wormhole")) { names.append("\($0)") }
    return names
  }
}
