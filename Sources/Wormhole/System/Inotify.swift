import CSystem
import Glibc

/// The events of inotify(7) that matter here, as bits.
package struct WatchMask: OptionSet, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A writer closed the file: a send is whole.
  package static let closeWrite = WatchMask(rawValue: UInt32(IN_CLOSE_WRITE))
  package static let create = WatchMask(rawValue: UInt32(IN_CREATE))
  package static let movedTo = WatchMask(rawValue: UInt32(IN_MOVED_TO))
  package static let movedFrom = WatchMask(rawValue: UInt32(IN_MOVED_FROM))
  package static let delete = WatchMask(rawValue: UInt32(IN_DELETE))
  package static let deleteSelf = WatchMask(rawValue: UInt32(IN_DELETE_SELF))
  package static let moveSelf = WatchMask(rawValue: UInt32(IN_MOVE_SELF))
  /// The kernel dropped events: anything may have happened.
  package static let overflow = WatchMask(rawValue: UInt32(IN_Q_OVERFLOW))
  /// The watch is gone.
  package static let ignored = WatchMask(rawValue: UInt32(IN_IGNORED))
  package static let unmounted = WatchMask(rawValue: UInt32(IN_UNMOUNT))
  /// What the event happened to is a directory.
  package static let isDirectory = WatchMask(rawValue: UInt32(IN_ISDIR))
  /// Adds to the mask of a watch that is there instead of replacing it.
  package static let maskAdd = WatchMask(rawValue: UInt32(IN_MASK_ADD))
  /// Only a directory may be watched so.
  package static let onlyDirectory = WatchMask(rawValue: UInt32(IN_ONLYDIR))
  /// A link itself, never its target.
  package static let dontFollow = WatchMask(rawValue: UInt32(IN_DONT_FOLLOW))
}

/// The number of a watch in its inotify instance.
package struct WatchDescriptor: Hashable, Sendable {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }
}

/// One inotify instance.
package struct Inotify: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Makes an instance, inotify_init1(2); EMFILE when the user has too many.
  package init() throws(Errno) {
    descriptor = .adopting(try systemCall(.inotifyInit) { inotify_init1(Int32(csystem_IN_CLOEXEC)) })
  }

  /// Watches what stands at a path, inotify_add_watch(2); a second time: replaces the mask, with the same number.
  package func add(_ path: Path, _ mask: WatchMask) throws(Errno) -> WatchDescriptor {
    WatchDescriptor(
      rawValue: try systemCall(.inotifyAddWatch) { inotify_add_watch(descriptor.number, path.bytes, mask.rawValue) })
  }

  /// Ends a watch, inotify_rm_watch(2); its `ignored` event follows.
  package func remove(_ watch: WatchDescriptor) throws(Errno) {
    _ = try systemCall(.inotifyRmWatch) { inotify_rm_watch(descriptor.number, watch.rawValue) }
  }

  /// Waits for events and reads them, read(2).
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    // Never cut short by a test: the kernel gives events whole, and refuses room that is too small for one.
    try systemCall(.read) { Glibc.read(descriptor.number, buffer.baseAddress, buffer.count) }
  }

  /// Waits until there are events or `milliseconds` are over, poll(2).
  package func hasEvents(within milliseconds: Int32) throws(Errno) -> Bool {
    var request = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    return try systemCall(.poll) { poll(&request, 1, milliseconds) } > 0
  }
}
