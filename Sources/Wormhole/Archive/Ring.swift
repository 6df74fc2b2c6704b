/// Where the next record goes: a pure calculation.
package enum Ring {
  /// A place for a record.
  package struct Place: Equatable {
    /// The first byte in the file.
    package var offset: Int
    /// Whether the ring begins again with it.
    package var hasWrapped: Bool
  }

  /// The first place after the newest record that overlaps no protected one, the ring beginning again once at most.
  ///
  /// - Returns: nil when there is none, so that the ring must grow.
  package static func place(length: Int, after commit: Commit, capacity: Int) -> Place? {
    let end = ArchiveLayout.recordsOffset + capacity
    var offset = commit.newest.isNone ? ArchiveLayout.recordsOffset : commit.newest.end
    var hasWrapped = false
    while true {
      if length > end - offset {
        if hasWrapped { return nil }
        hasWrapped = true
        offset = ArchiveLayout.recordsOffset
        continue
      }
      guard let inTheWay = firstOverlap(offset, length, commit) else {
        return Place(offset: offset, hasWrapped: hasWrapped)
      }
      offset = inTheWay.end
    }
  }

  /// The bytes that a ring needs so that a record of this length can be sent again and again beside the protected ones.
  package static func capacity(for length: Int, protected: Int, retention: Int) -> Int {
    let needed = 2 * ArchiveLayout.aligned(length) + protected
    // An eighth of its size as the step: a message that grows byte by byte does not have a new ring made each time, and
    // a large one does not leave half of its ring unused.
    var step = 4096
    while step * 16 < needed { step *= 2 }
    return max(ArchiveLayout.aligned(retention), (needed + step - 1) / step * step)
  }

  /// A protected record that a record there would touch.
  private static func firstOverlap(_ offset: Int, _ length: Int, _ commit: Commit) -> Extent? {
    func isInTheWay(_ extent: Extent) -> Bool {
      !extent.isNone && offset < extent.end && extent.offset < offset + length
    }
    if isInTheWay(commit.newest) { return commit.newest }
    if isInTheWay(commit.payload) { return commit.payload }
    return isInTheWay(commit.durable) ? commit.durable : nil
  }
}
