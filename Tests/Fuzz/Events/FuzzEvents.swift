import FuzzSupport

@testable import Wormhole

/// One instance for all runs: making one is slow.
private let instance = try? KernelWatches.Instance()

/// Takes nothing in.
private final class Sink: WatchSink {
  func changed(_ name: FileName?) {}
}

/// Reads the input as the bytes of inotify, and lets a table of watches follow from it what it will.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEvents(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  var length = 0
  for event in InotifyEvents(bytes) {
    length += 16 + event.name.count
    precondition(!event.name.contains(0), "a name has a NUL")
  }
  // What makes no sense counts as one overflow more.
  precondition(length <= count + 16, "there are more events than bytes")
  guard let instance = instance else { return 0 }
  var table = WatchTable()
  table.kernel = KernelWatches(instance)
  let (directory, sinks) = (Path(FuzzPlace.directory), [Sink(), Sink()])
  let names = WatchedNames.only([FileName(Array("a".utf8)), FileName(Array("b".utf8))])
  guard (try? table.watch(directory, names, sinks[0], interval: 1)) != nil,
    (try? table.watch(directory.appending("c"), .all, sinks[1], interval: 1)) != nil
  else { return 0 }
  // The kernel counts its watches up; small numbers stand for those that there are.
  let spots = table.directories.values.flatMap { [$0.own] + $0.above + Array($0.files.values) }
  let watches = spots.compactMap(\.watch).sorted { $0.rawValue < $1.rawValue }
  for event in InotifyEvents(bytes) {
    let number = Int(event.watch.rawValue)
    let watch = watches.indices.contains(number) ? watches[number] : event.watch
    table.handle(InotifyEvent(watch: watch, mask: event.mask, name: event.name))
  }
  table.settle()
  table.unwatch(directory, names, ObjectIdentifier(sinks[0]))
  table.unwatch(directory.appending("c"), .all, ObjectIdentifier(sinks[1]))
  precondition(table.directories.isEmpty, "a directory stays watched")
  return 0
}
