/// Where events cannot be relied on, and what is said of it.
extension WatchTable {
  /// Why the events of a directory do not suffice, by the kind of its file system and, where that is not known, by test.
  static func blindness(of directory: WatchedDirectory) -> WatchedDirectory.Polling {
    // While it is not there, the one above it has to tell of its coming.
    var found: (kind: FileSystemKind, isItself: Bool)?
    for (level, path) in directory.chain.enumerated() where found == nil {
      found = (try? FileSystemKind.of(path)).map { ($0, level == 0) }
    }
    guard let (kind, isItself) = found else { return .no }
    directory.kind = kind
    switch kind.telling {
    case .everything: return .no
    case .ownChangesOnly: return .othersUnseen
    case .unknown:
      if !isItself { return .no }
      if let test = directory.liveTest, test.kind == kind { return test.isHeard ? .no : .unheard }
      let isHeard = LiveTest.run(in: LiveTest.folder(of: directory.path)) != nil
      directory.liveTest = (kind, isHeard)
      return isHeard ? .no : .unheard
    }
  }
}

extension WatchedDirectory {
  /// What its listeners are told when it is polled.
  var pollingNotice: WormholeError {
    let kind = kind?.name ?? "the file system"
    let (code, reason, remedy): (WormholeError.Code, String, String) =
      switch polling {
      case .noWatch:
        (
          .limitReached, "this user has no inotify watches left",
          "raise the sysctl fs.inotify.max_user_watches"
        )
      case .notPermitted: (.notPermitted, "the directory may not be read any more", "let this user read it")
      case .noInstance:
        (
          .limitReached, "this user has no inotify instances left, or this process no open files",
          "raise the sysctl fs.inotify.max_user_instances, or ulimit -n"
        )
      case .no, .othersUnseen:
        (
          .noEvents, "\(kind) does not tell of what others change there",
          "keep the wormhole on a local file system such as ext4 or tmpfs"
        )
      case .unheard:
        (
          .noEvents, "\(kind) does not tell of changes",
          "keep the wormhole on a local file system such as ext4 or tmpfs"
        )
      }
    let seconds = Double(pollingInterval) / 1_000_000_000
    return WormholeError(
      code, path: path.description,
      reason: "\(reason); changes are looked for every \(seconds) s instead: to hear them at once, \(remedy)")
  }
}

/// A test whether the kernel tells of changes in a folder: a file is made there, and its event awaited.
package enum LiveTest {
  /// How long an event is waited for, in nanoseconds; where there are events, they are there when the call returns.
  private static let patience: Int32 = 20

  /// Where the test may be made for a directory: in its hidden folder, where files that nobody knows disturb nobody.
  package static func folder(of directory: Path) -> Path {
    let hidden: StaticString = ".wormhole"
    return directory.fileName.bytes.elementsEqual("\(hidden)".utf8) ? directory : directory.appending(hidden)
  }

  /// How long an event took in nanoseconds; nil when it did not come, or no file can be made there.
  package static func run(in folder: Path) -> UInt64? {
    do throws(Errno) {
      let instance = try Inotify()
      _ = try instance.add(folder, [.create, .onlyDirectory])
      let start = Clock.monotonic
      _ = try Temporary.make(in: folder, mode: 0o600, sweeps: false)
      return try instance.hasEvents(within: patience) ? Clock.monotonic - start : nil
    } catch {
      return nil
    }
  }
}
