import Glibc
import TestSupport
import Testing

@testable import Wormhole

/// A watcher of its own and a directory that it may watch.
final class WatchedPlace: Sendable {
  let watcher = Watcher()
  let parent: TemporaryDirectory
  let directory: Path

  init(_ place: TemporaryDirectory.Place = .memory) throws {
    parent = try TemporaryDirectory(place)
    directory = Path(parent.appending("watched"))
    try make()
  }

  deinit { watcher.end() }

  func make() throws { _ = try FileSystem.makeDirectory(directory, mode: 0o700) }

  /// Writes a byte into a file and closes it, making it first if it is missing.
  func write(_ name: String) throws { try parent.write([1], to: "watched/\(name)") }

  /// Removes the directory with its files.
  func remove() throws {
    for name in try parent.names() where name == "watched" {
      var names: [FileName] = []
      try FileSystem.forEachName(in: directory) { names.append($0) }
      for name in names { try FileSystem.remove(directory.appending(name)) }
      try FileSystem.removeDirectory(directory)
    }
  }

  /// Waits until the thread has dealt with everything that happened before.
  func settle() throws {
    let sink = RecordingSink()
    let name = FileName(Array("settled".utf8))
    try watcher.watch(Path(parent.path), .only([name]), sink)
    try parent.write([1], to: "settled")
    _ = try sink.inbox.next()
    watcher.unwatch(Path(parent.path), .only([name]), sink)
  }
}

func fileNames(_ names: String...) -> WatchedNames { .only(names.map { FileName(Array($0.utf8)) }) }

@Suite("The watcher", .ownThread, .timeLimit(.minutes(10)))
struct WatcherTests {
  @Test("Files that are there, come, are replaced and go are told of by name, others are not")
  func files() throws {
    let place = try WatchedPlace()
    try place.write("there")
    let sink = RecordingSink()
    try place.watcher.watch(place.directory, fileNames("there", "later", "replaced"), sink)
    try place.write("there")
    #expect(try sink.inbox.next() == "there")
    try place.write("other")
    try place.write("later")
    #expect(try sink.inbox.take(through: { $0 == "later" }).allSatisfy { $0 == "later" })
    for _ in 0..<3 {
      try place.write("new")
      try FileSystem.rename(place.directory.appending("new"), to: place.directory.appending("replaced"))
      try place.settle()
      #expect(sink.inbox.all.contains("replaced"))
      _ = try sink.inbox.take(sink.inbox.all.count)
      // Of the file that stands there now writes are told.
      try place.write("replaced")
      #expect(try sink.inbox.next() == "replaced")
    }
    try FileSystem.remove(place.directory.appending("there"))
    #expect(try sink.inbox.next() == "there")
    try FileSystem.rename(place.directory.appending("later"), to: place.directory.appending("elsewhere"))
    #expect(try sink.inbox.next() == "later")
    try place.write("elsewhere")
    try place.settle()
    #expect(sink.inbox.all.isEmpty)
  }

  @Test("A listener to all hears of every file, one to a name in the same directory of that one")
  func all() throws {
    let place = try WatchedPlace()
    try place.write("a")
    let (named, all) = (RecordingSink(), RecordingSink())
    try place.watcher.watch(place.directory, fileNames("a"), named)
    try place.watcher.watch(place.directory, .all, all)
    try place.settle()
    _ = try named.inbox.take(named.inbox.all.count)
    _ = try all.inbox.take(all.inbox.all.count)
    try place.write("a")
    try place.write("b")
    #expect(try all.inbox.take(through: { $0 == "b" }).contains("a"))
    try place.settle()
    #expect(named.inbox.all == ["a"])
    place.watcher.unwatch(place.directory, .all, all)
    try place.settle()
    _ = try named.inbox.take(named.inbox.all.count)
    let before = all.inbox.all.count
    try place.write("a")
    #expect(try named.inbox.next() == "a")
    #expect(all.inbox.all.count == before)
  }

  @Test("A directory that is removed and made again, moved away and made again, or not there yet, is heard of")
  func directoryComesAndGoes() throws {
    let place = try WatchedPlace()
    try place.remove()
    let sink = RecordingSink()
    try place.watcher.watch(place.directory, fileNames("a"), sink)
    for round in 0..<20 {
      try place.make()
      try place.write("a")
      try place.settle()
      #expect(sink.inbox.all.contains("a"))
      _ = try sink.inbox.take(sink.inbox.all.count)
      try place.write("a")
      #expect(try sink.inbox.next() == "a")
      if round.isMultiple(of: 2) {
        try place.remove()
      } else {
        try FileSystem.rename(place.directory, to: Path(place.parent.appending("away\(round)")))
      }
      #expect(try sink.inbox.next() == "a")
    }
  }

  @Test("A removed directory that somebody holds open is seen to be gone, and heard of when it is made again")
  func heldOpen() throws {
    let place = try WatchedPlace()
    let sink = RecordingSink()
    try place.watcher.watch(place.directory, fileNames("a"), sink)
    let held = try FileDescriptor.open(place.directory, OpenFlags.directory)
    try place.remove()
    #expect(try sink.inbox.next() == "a")
    try place.make()
    try place.settle()
    _ = try sink.inbox.take(sink.inbox.all.count)
    try place.write("a")
    #expect(try sink.inbox.next() == "a")
    _ = held.number
  }

  @Test("Removed level by level while something of it is held open, a directory is heard of when it is made again")
  func heldOpenAbove() throws {
    let place = try WatchedPlace()
    let (upper, deep) = (Path(place.parent.appending("watched/x")), Path(place.parent.appending("watched/x/y")))
    let make = {
      for path in [place.directory, upper, deep] { _ = try FileSystem.makeDirectory(path, mode: 0o700) }
    }
    try make()
    let sink = RecordingSink()
    try place.watcher.watch(deep, fileNames("a"), sink)
    // An open file keeps the inodes of all directories that it was in, so that none of them tells of its own removal.
    let file = try place.parent.write([1], to: "watched/x/y/b")
    let held = try FileDescriptor.open(Path(file), OpenFlags.readWrite)
    try FileSystem.remove(Path(file))
    for path in [deep, upper, place.directory] {
      try FileSystem.removeDirectory(path)
      // It has been noticed, and is waited for one level further up.
      try place.settle()
    }
    try make()
    try place.settle()
    _ = try sink.inbox.take(sink.inbox.all.count)
    try place.parent.write([1], to: "watched/x/y/a")
    #expect(try sink.inbox.next() == "a")
    _ = held.number
  }

  @Test("A directory further up that is moved away and made again is noticed")
  func ancestors() throws {
    let place = try WatchedPlace()
    let deep = Path(place.parent.appending("watched/x/y"))
    let make = {
      for name in ["watched", "watched/x", "watched/x/y"] {
        _ = try FileSystem.makeDirectory(Path(place.parent.appending(name)), mode: 0o700)
      }
    }
    try make()
    let sink = RecordingSink()
    try place.watcher.watch(deep, fileNames("a"), sink)
    for round in 0..<10 {
      try FileSystem.rename(place.directory, to: Path(place.parent.appending("away\(round)")))
      #expect(try sink.inbox.next() == "a")
      try make()
      try place.parent.write([1], to: "watched/x/y/a")
      _ = try sink.inbox.next()
      try place.settle()
      _ = try sink.inbox.take(sink.inbox.all.count)
      try place.parent.write([1], to: "watched/x/y/a")
      #expect(try sink.inbox.next() == "a")
    }
  }

  @Test("Two paths to one directory are both heard, and unwatching one leaves the other")
  func equivalentPaths() throws {
    let place = try WatchedPlace()
    #expect(symlink(place.directory.description, place.parent.appending("link")) == 0)
    let (straight, linked, odd) = (RecordingSink(), RecordingSink(), RecordingSink())
    let link = Path(place.parent.appending("link"))
    try place.watcher.watch(place.directory, fileNames("a"), straight)
    try place.watcher.watch(link, fileNames("a"), linked)
    try place.watcher.watch(Path(place.parent.appending("./watched/")), .all, odd)
    try place.write("a")
    for sink in [straight, linked, odd] { #expect(try sink.inbox.next() == "a") }
    place.watcher.unwatch(link, fileNames("a"), linked)
    place.watcher.unwatch(Path(place.parent.appending("./watched/")), .all, odd)
    try place.settle()
    _ = try straight.inbox.take(straight.inbox.all.count)
    let heard = linked.inbox.all.count
    try place.write("a")
    #expect(try straight.inbox.next() == "a")
    #expect(linked.inbox.all.count == heard)
  }

  @Test("After an overflow everything is told, and heard as before")
  func overflow() throws {
    let place = try WatchedPlace()
    let limit = try #require(Int(Self.text("/proc/sys/fs/inotify/max_queued_events")))
    for name in ["a", "b", "c"] { try place.write(name) }
    let sink = RecordingSink()
    try place.watcher.watch(place.directory, fileNames("a", "b", "c"), sink)
    let gate = Lock(false)
    let stopped = Inbox<Bool>()
    place.watcher.run {
      stopped.put(true)
      gate.wait(until: { $0 }, then: { _ in })
    }
    _ = try stopped.next()
    // Alternately, since equal events in a row are one; c only after the kernel has no room left.
    for round in 0...limit { try place.write(round.isMultiple(of: 2) ? "a" : "b") }
    try FileSystem.remove(place.directory.appending("c"))
    try place.write("c")
    gate.withLock { $0 = true }
    gate.notifyAll()
    _ = try sink.inbox.take(through: { $0 == "c" })
    try place.settle()
    _ = try sink.inbox.take(sink.inbox.all.count)
    try place.write("c")
    #expect(try sink.inbox.next() == "c")
  }

  @Test("A file that comes empty is told of when it has been filled, or a little later")
  func emptyFiles() throws {
    let place = try WatchedPlace()
    let sink = RecordingSink()
    try place.watcher.watch(place.directory, fileNames("a", "b"), sink)
    let file = open(place.parent.appending("watched/a"), O_WRONLY | O_CREAT, 0o600)
    #expect(file >= 0)
    try place.settle()
    // Only now its writer fills and closes it.
    #expect(write(file, "1", 1) == 1 && close(file) == 0)
    #expect(try sink.inbox.next() == "a")
    #expect(link(place.parent.appending("watched/a"), place.parent.appending("watched/b")) == 0)
    #expect(try sink.inbox.take(through: { $0 == "b" }).count <= 2)
  }

  @Test("Without watches for files the directory tells, and without any it is polled")
  func noWatches() throws {
    for allowed in [1, 0] {
      let place = try WatchedPlace()
      try place.write("a")
      let sink = RecordingSink()
      let directories = place.directory.description.split(separator: "/").count + 1
      let left = Lock(allowed * directories)
      try Interception.with { call in
        guard call == .inotifyAddWatch else { return nil }
        return left.withLock { left in
          left -= 1
          // Of the calls for files only those fail, when the directories may be watched.
          return left < 0 && (allowed == 0 || left == -1) ? .fail(.noSpace) : nil
        }
      } _: {
        try place.watcher.watch(place.directory, fileNames("a"), sink)
      }
      try place.write("a")
      #expect(try sink.inbox.next() == "a")
    }
  }

  @Test("Without an inotify instance directories are polled, until there is one")
  func noInstance() throws {
    let place = try WatchedPlace()
    let sink = RecordingSink()
    try Interception.with {
      $0 == .inotifyInit ? .fail(.processFilesFull) : nil
    } _: {
      try place.watcher.watch(place.directory, fileNames("a"), sink)
    }
    try place.write("a")
    #expect(try sink.inbox.next() == "a")
    // The first look has found an instance: from now on it hears.
    try place.settle()
    #expect(place.watcher.watchCount > 0)
    _ = try sink.inbox.take(sink.inbox.all.count)
    try place.write("a")
    #expect(try sink.inbox.next() == "a")
  }

  @Test("What nobody listens to any more is not watched any more")
  func unwatching() throws {
    let place = try WatchedPlace()
    let sinks = (0..<20).map { _ in RecordingSink() }
    for index in 0..<20 { try place.write("f\(index)") }
    for (index, sink) in sinks.enumerated() {
      try place.watcher.watch(place.directory, fileNames("f\(index)", "none"), sink)
    }
    #expect(place.watcher.watchCount > 20)
    for (index, sink) in sinks.enumerated() {
      place.watcher.unwatch(place.directory, fileNames("none"), sink)
      place.watcher.unwatch(place.directory, index.isMultiple(of: 2) ? .all : fileNames("f\(index)"), sink)
    }
    #expect(place.watcher.watchCount == 0)
  }

  @Test("Work is done on the thread, in order, and at its time")
  func work() throws {
    let watcher = Watcher()
    defer { watcher.end() }
    let order = Inbox<Int>()
    // All from one piece of work on the thread, which can do nothing of it before that has ended.
    watcher.run {
      watcher.after(nanoseconds: 30_000_000) { order.put(3) }
      watcher.after(nanoseconds: 10_000_000) { order.put(2) }
      if let never = watcher.after(nanoseconds: 20_000_000, { order.put(-1) }) { watcher.takeBack(never) }
      watcher.run { order.put(1) }
      order.put(watcher.isOnThread ? 0 : -2)
    }
    let given = try order.take(4)
    #expect(given == [0, 1, 2, 3])
    #expect(!watcher.isOnThread)
  }

  @Test("A directory that may not be read is refused with its reason")
  func refused() throws {
    let place = try WatchedPlace()
    let error = #expect(throws: WormholeError.self) {
      try Interception.with {
        $0 == .inotifyAddWatch ? .fail(.accessDenied) : nil
      } _: {
        try place.watcher.watch(place.directory, .all, RecordingSink())
      }
    }
    #expect(error?.code == .notPermitted && error?.path == place.directory.description)
    #expect(place.watcher.watchCount == 0)
  }

  @Test("Watching and unwatching from many threads while files change ends with nothing left and nothing missed")
  func concurrency() async throws {
    let place = try WatchedPlace()
    for index in 0..<4 { try place.write("f\(index)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          try await blocking {
            for round in 0..<50 {
              let sink = RecordingSink()
              let names = round.isMultiple(of: 5) ? WatchedNames.all : fileNames("f\(worker)")
              try place.watcher.watch(place.directory, names, sink)
              try place.write("f\(worker)")
              _ = try sink.inbox.take(through: { $0 == "f\(worker)" })
              place.watcher.unwatch(place.directory, names, sink)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(place.watcher.watchCount == 0)
  }

  /// The first line of a file of the kernel's.
  private static func text(_ path: String) throws -> String {
    let file = try FileDescriptor.open(Path(path), O_RDONLY)
    let bytes = try [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      count = try file.readSome(into: UnsafeMutableRawBufferPointer(buffer))
    }
    return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
  }
}
