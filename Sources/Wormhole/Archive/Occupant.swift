/// What stands at an archive's name, when it is not simply an archive.
enum Occupant {
  /// Nothing.
  case absent
  /// An archive, damaged or of a newer format or not.
  case archive
  /// A regular file without the magic, in this state.
  case foreign(FileStatus)
  /// Something that is no regular file.
  case special(FileKind)

  /// Looks at the name without following or opening anything but a regular file.
  static func at(_ path: Path) throws(WormholeError) -> Occupant {
    do throws(Errno) {
      let kind = try FileSystem.status(of: path).kind
      guard kind == .regular else { return .special(kind) }
      let file = try FileDescriptor.open(path, OpenFlags.readOnly)
      let status = try file.status()
      guard status.kind == .regular else { return .special(status.kind) }
      if case .foreign = try file.readHead().head { return .foreign(status) }
      return .archive
    } catch {
      if error == .noEntry { return .absent }
      throw WormholeError(error, "read the archive", path)
    }
  }
}

extension FileStatus {
  /// Tells this state of a file from its other states and from other files.
  var version: UInt64 { Checksum.of(device, inode, UInt64(bitPattern: Int64(size)), UInt64(bitPattern: changed)) }
}

extension WormholeError {
  /// Something that is no regular file stands at the archive's name.
  static func notAnArchive(_ kind: FileKind, _ path: Path) -> WormholeError {
    let (name, remedy) =
      switch kind {
      case .directory: ("a directory", "move it away")
      case .symbolicLink: ("a symbolic link", "the next message sent replaces the link, not what it leads to")
      case .pipe: ("a named pipe", "the next message sent replaces it")
      case .socket: ("a socket", "the next message sent replaces it")
      case .device: ("a device", "the next message sent replaces it")
      case .regular: ("a file", "the next message sent replaces it")
      }
    return WormholeError(
      .notAnArchive, path: path.description, reason: "\(name) stands where the archive belongs; \(remedy)")
  }

  /// The archive is of a later format.
  static func newerArchive(_ version: UInt32, _ path: Path) -> WormholeError {
    WormholeError(
      .newerArchive, path: path.description,
      reason: "the archive has format \(version), this program knows \(ArchiveLayout.version); update the program")
  }

  /// The archive fails its checks.
  static func damagedArchive(_ part: String, _ path: Path) -> WormholeError {
    WormholeError(
      .damagedArchive, path: path.description,
      reason: "the archive's \(part) fails its checksum; the next message sent puts it right")
  }

  /// A stored message is larger than what this wormhole reads.
  static func storedTooLarge(_ length: Int, limit: Int, _ path: Path) -> WormholeError {
    WormholeError(
      .messageTooLarge, path: path.description,
      reason: "the message has \(length) bytes, the limit is \(limit); open the wormhole with a larger messageSizeLimit"
    )
  }
}
