/// The directory itself: where it is, whose it is, who may use it, and what it lies on.
extension Diagnosis {
  /// What checkAccess takes.
  private static let (readSearch, write): (Int32, Int32) = (0o5, 0o2)

  /// Looks at the directory; nil when there is none to look into.
  mutating func checkPlace() -> FileStatus? {
    let status: FileStatus
    do throws(Errno) {
      status = try FileSystem.statusFollowingLinks(of: directory)
    } catch {
      if error == .noEntry {
        problem(
          "path", "\(directory) is not there",
          "the first program that sends or listens there makes it; check that all name the same group and directory",
          nil)
      } else {
        problem("path", WormholeError(error, "use the directory", directory))
      }
      return nil
    }
    guard status.kind == .directory else {
      problem("path", WormholeError(Errno.notDirectory, "use the directory", directory))
      return nil
    }
    let target = (try? FileSystem.target(of: directory)).map { ", a link to \($0)" } ?? ""
    ok("path", "\(directory)\(target)")
    if let kind = try? FileSystem.statusFollowingLinks(of: hidden).kind, kind != .directory {
      problem("path", "something other than a directory stands at \(hidden)", "move it away", .cannotCreate)
    }
    checkOwner(status)
    checkMode(status)
    checkFileSystem()
    return status
  }

  private mutating func checkOwner(_ status: FileStatus) {
    let user = Program.user
    let text = "\(Program.userName(status.owner)), group \(status.group)"
    if status.owner == user || user == 0 || status.mode & 0o070 == 0o070 {
      ok("owner", text)
    } else {
      note(
        "owner", "\(text), while this runs as \(Program.userName(user))",
        "run all programs as one user, or open the wormhole with permissions for a group")
    }
  }

  private mutating func checkMode(_ status: FileStatus) {
    let mode = "0" + String(status.mode & 0o7777, radix: 8)
    do throws(Errno) {
      try FileSystem.checkAccess(directory, Self.readSearch)
    } catch {
      problem("mode", WormholeError(error, "mode \(mode): read the directory", directory))
      return
    }
    do throws(Errno) {
      try FileSystem.checkAccess(directory, Self.write)
      if (try? FileSystem.status(of: hidden)) != nil { try FileSystem.checkAccess(hidden, Self.write) }
    } catch {
      note(
        "mode", "\(mode): this user may read and listen, not send: \(error)",
        "to send, \(error == .readOnly ? "mount the file system writable" : "change the owner or the mode with chown or chmod")"
      )
      return
    }
    if status.mode & 0o002 != 0 {
      note("mode", "\(mode): every user of the machine may put messages there", "chmod o-w \(directory)")
    } else {
      ok("mode", mode)
    }
  }

  private mutating func checkFileSystem() {
    let (kind, room): (FileSystemKind, (bytes: UInt, isReadOnly: Bool))
    do throws(Errno) {
      (kind, room) = (try FileSystemKind.of(directory), try FileSystem.room(at: directory))
    } catch {
      problem("file system", WormholeError(error, "look at the file system", directory))
      return
    }
    let size = room.bytes >= 1 << 30 ? "\(room.bytes >> 30) GiB" : "\(room.bytes >> 10) KiB"
    let text = "\(kind.name), \(room.isReadOnly ? "read-only" : "\(size) free")"
    if !room.isReadOnly, room.bytes < 1 << 16 {
      problem("file system", text, "free some space: messages that need more are refused", .noSpace)
      return
    }
    switch kind.telling {
    case .everything: ok("file system", "\(text), tells of all changes")
    case .ownChangesOnly:
      note(
        "file system",
        "\(text), does not tell of what others change there: listeners look every \(options.pollingInterval)",
        "keep the wormhole on a local file system such as ext4 or tmpfs to hear at once")
    case .unknown:
      ok("file system", "\(text), not known: whether it tells of changes is tested")
    }
  }
}
