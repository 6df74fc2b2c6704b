/// What the first sectors of a file say: an archive's header and commit block, or what is wrong with them.
package enum ArchiveHead {
  /// No archive: the magic is missing.
  case foreign
  /// An archive of a later format.
  case newer(UInt32)
  /// An archive whose header fails its checks; the identity may be right all the same.
  case damagedHeader(identity: UInt64)
  /// An archive whose commit block fails its checks.
  case damagedCommit(ArchiveHeader)
  /// An archive.
  case archive(ArchiveHeader, Commit)

  /// Judges the first bytes of a file.
  package init(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 12, bytes.integer(at: 0) == ArchiveLayout.magic else {
      let isCutOff = bytes.count >= 8 && bytes.integer(at: 0) == ArchiveLayout.magic
      self = isCutOff ? .damagedHeader(identity: 0) : .foreign
      return
    }
    // The version comes before all checks: another format may have the rest elsewhere.
    let version: UInt32 = bytes.integer(at: 8)
    if version > ArchiveLayout.version { self = .newer(version); return }
    guard version == ArchiveLayout.version, let header = ArchiveHeader(bytes), header.kind == .latest else {
      self = .damagedHeader(identity: bytes.count >= 24 ? bytes.integer(at: 16) : 0)
      return
    }
    guard bytes.count > ArchiveLayout.commitOffset,
      let commit = Commit(UnsafeRawBufferPointer(rebasing: bytes[ArchiveLayout.commitOffset...]), of: header),
      !commit.newest.isNone
    else {
      self = .damagedCommit(header)
      return
    }
    self = .archive(header, commit)
  }

  /// Writes both into the first `ArchiveLayout.headLength` bytes of a file.
  package static func encode(_ header: ArchiveHeader, _ commit: Commit, into bytes: UnsafeMutableRawBufferPointer) {
    for index in bytes.indices { bytes[index] = 0 }
    header.encode(into: bytes)
    commit.encode(
      into: UnsafeMutableRawBufferPointer(rebasing: bytes[ArchiveLayout.commitOffset...]), identity: header.identity)
  }
}

/// What one read of a head gave.
struct HeadReading {
  /// What the bytes are.
  let head: ArchiveHead
  /// By this a head is known again: as long as it stays the same, so does what it leads to.
  let digest: UInt64
  /// Whether the file may have lost its name.
  let isMarked: Bool

  /// Makes sense of the bytes.
  init(_ bytes: UnsafeRawBufferPointer) {
    head = ArchiveHead(bytes)
    isMarked = bytes.count > ArchiveLayout.nameMark && bytes[ArchiveLayout.nameMark] != 0
    // Only a head that may be damaged, or one whose records may be, is compared with the next one.
    if case .archive(_, let commit) = head { digest = commit.sequence } else { digest = Checksum.of(bytes, seed: .max) }
  }
}

extension FileDescriptor {
  /// Reads header and commit block in one call, with a checksum of them by which two states are told apart.
  borrowing func readHead() throws(Errno) -> HeadReading {
    try withUnsafeTemporaryAllocation(byteCount: ArchiveLayout.headLength, alignment: 8) {
      (buffer) throws(Errno) -> HeadReading in
      let count = try read(into: buffer, at: 0)
      return HeadReading(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Marks an archive before it loses its name; under its lock.
  borrowing func markAsLosingName() throws(Errno) {
    let mark: UInt8 = 1
    try withUnsafeBytes(of: mark) { (bytes) throws(Errno) in try write(bytes, at: ArchiveLayout.nameMark) }
  }
}
