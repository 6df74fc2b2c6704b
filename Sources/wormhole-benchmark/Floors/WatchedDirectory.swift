import CSystem
import Glibc

/// A directory that a floor works in: its descriptor, an inotify instance on it, and the room for what is read.
///
/// Everything is reserved once, so that sending and waiting make system calls and nothing else.
final class WatchedDirectory {
  /// The directory, for openat(2).
  let descriptor: Int32
  /// Where events are read into.
  let events = UnsafeMutableRawPointer.allocate(byteCount: 65_536, alignment: 8)
  private let inotify: Int32
  private let eventsSize = 65_536

  /// Opens a directory and watches it for the events of `mask`; 0 watches nothing.
  init(_ path: String, mask: Int32) throws(BenchmarkError) {
    descriptor = try checked("opening \(path)", open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard mask != 0 else {
      inotify = -1
      return
    }
    inotify = try checked("inotify_init1", inotify_init1(Int32(csystem_IN_CLOEXEC)))
    try checked("watching \(path)", inotify_add_watch(inotify, path, UInt32(mask)))
  }

  deinit {
    if inotify >= 0 { close(inotify) }
    close(descriptor)
    events.deallocate()
  }

  /// Waits for events, read(2), and calls `take` for each of a file called `name` until it says true.
  @inline(__always)
  func wait(for name: UnsafePointer<CChar>, _ take: () throws(BenchmarkError) -> Bool) throws(BenchmarkError) {
    while true {
      let count = read(inotify, events, eventsSize)
      if count <= 0 { throw .failed("reading events") }
      var offset = 0
      var isDone = false
      while offset < count {
        let event = events + offset
        let length = Int(event.load(fromByteOffset: 12, as: UInt32.self))
        if length > 0, strcmp((event + 16).assumingMemoryBound(to: CChar.self), name) == 0, !isDone {
          isDone = try take()
        }
        offset += 16 + length
      }
      if isDone { return }
    }
  }
}

extension String {
  /// The text as C string in memory of its own, never given back: for names that live as long as the process.
  func asLastingCString() -> UnsafePointer<CChar> {
    let bytes = Array(utf8CString)
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    copy.initialize(from: bytes, count: bytes.count)
    return UnsafePointer(copy)
  }
}
