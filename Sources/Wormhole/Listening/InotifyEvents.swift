/// One event as the kernel reports it, struct inotify_event of inotify(7).
struct InotifyEvent {
  /// The watch it comes from.
  let watch: WatchDescriptor
  /// What happened.
  let mask: WatchMask
  /// The name in the watched directory, empty when the event is about the watched thing itself.
  let name: UnsafeRawBufferPointer
}

/// The events in the bytes of one read(2) from an inotify instance.
///
/// The bytes are not trusted: where they make no sense, the rest counts as one overflow, after which everything is
/// looked at, so that a surprise costs time and never a message.
struct InotifyEvents: Sequence, IteratorProtocol {
  /// The length of an event's fixed part: watch, mask, cookie and the length of the name field, four bytes each.
  private static let headerLength = 16

  private let bytes: UnsafeRawBufferPointer
  /// Where the next event begins.
  private var position = 0

  /// The events in `bytes`, which must outlive the sequence and the names it gives.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The next event, nil at the end of the bytes.
  mutating func next() -> InotifyEvent? {
    let rest = bytes.count - position
    if rest == 0 { return nil }
    guard rest >= Self.headerLength else { return nonsense() }
    let watch = bytes.loadUnaligned(fromByteOffset: position, as: Int32.self)
    let mask = bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)
    let length = Int(bytes.loadUnaligned(fromByteOffset: position + 12, as: UInt32.self))
    guard length <= rest - Self.headerLength else { return nonsense() }
    let start = position + Self.headerLength
    position = start + length
    // The field is padded with NULs to the alignment of the next event.
    var end = start
    while end < position, bytes[end] != 0 { end += 1 }
    return InotifyEvent(
      watch: WatchDescriptor(rawValue: watch), mask: WatchMask(rawValue: mask),
      name: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
  }

  /// Ends the sequence with an overflow.
  private mutating func nonsense() -> InotifyEvent {
    position = bytes.count
    return InotifyEvent(
      watch: WatchDescriptor(rawValue: -1), mask: .overflow, name: UnsafeRawBufferPointer(start: nil, count: 0))
  }
}
