/// One event as the kernel reports it, struct inotify_event of inotify(7).
struct InotifyEvent {
  /// The watch it comes from.
  let watch: WatchDescriptor
  /// What happened.
  let mask: WatchMask
  /// The name in the watched directory, empty when the event is about the watched thing itself.
  let name: Slice<UnsafeRawBufferPointer>
}

/// The events in the bytes of one read(2) from an inotify instance.
///
/// The bytes are not trusted: where they make no sense, the rest counts as one overflow, after which everything is
/// looked at, so that a surprise costs time and never a message.
struct InotifyEvents: Sequence, IteratorProtocol {
  /// The length of an event's fixed part: watch, mask, cookie and the length of the name field, four bytes each.
  private static let headerLength = 16

  private var rest: Slice<UnsafeRawBufferPointer>

  /// The events in `bytes`, which must outlive the sequence and the names it gives.
  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  /// The next event, nil at the end of the bytes.
  mutating func next() -> InotifyEvent? {
    if rest.isEmpty { return nil }
    guard rest.count >= Self.headerLength else { return nonsense() }
    let bytes = UnsafeRawBufferPointer(rebasing: rest)
    let watch = bytes.loadUnaligned(fromByteOffset: 0, as: Int32.self)
    let mask = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    let length = Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
    guard length <= rest.count - Self.headerLength else { return nonsense() }
    let field = rest.dropFirst(Self.headerLength).prefix(length)
    rest = rest.dropFirst(Self.headerLength + length)
    // The field is padded with NULs to the alignment of the next event.
    return InotifyEvent(
      watch: WatchDescriptor(rawValue: watch), mask: WatchMask(rawValue: mask), name: field.prefix { $0 != 0 })
  }

  /// Ends the sequence with an overflow.
  private mutating func nonsense() -> InotifyEvent {
    rest = rest.suffix(0)
    return InotifyEvent(watch: WatchDescriptor(rawValue: -1), mask: .overflow, name: rest)
  }
}
