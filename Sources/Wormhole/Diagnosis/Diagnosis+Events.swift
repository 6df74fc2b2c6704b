/// Whether changes are told of: the limits of inotify(7), a live test, and who listens.
extension Diagnosis {
  /// Looks at the kernel's side of listening.
  mutating func checkEvents(_ files: FilesInUse) {
    checkLimit("inotify instances", files.instances, "max_user_instances", "max_inotify_instances")
    checkLimit("inotify watches", files.watches, "max_user_watches", "max_inotify_watches")
    checkLive()
    if files.listeners.isEmpty {
      note("listeners", "no process that this user may see listens there", "start one, such as wormhole-listen")
    } else {
      ok("listeners", files.listeners.map { ProcessLabel.of($0).text }.joined(separator: ", "))
    }
  }

  /// Compares what is used with the lower of the system's limit and that of the user namespace.
  private mutating func checkLimit(_ check: String, _ used: Int, _ system: String, _ namespace: String) {
    let limits = ["/proc/sys/fs/inotify/\(system)", "/proc/sys/user/\(namespace)"].compactMap { path in
      (try? FileSystem.text(of: Path(path)))?.split(separator: "\n").first.flatMap { Int($0) }
    }
    guard let limit = limits.min() else {
      note(check, "\(used) used, the limit cannot be read", "mount /proc")
      return
    }
    let left = max(0, limit - used)
    let text = "\(used) of \(limit) used, \(left) left"
    let remedy = "raise the sysctl fs.inotify.\(system), or end programs that watch much"
    if left == 0 {
      problem(check, "\(text): listeners look every \(options.pollingInterval)", remedy, .limitReached)
    } else if left * 10 < limit {
      note(check, text, remedy)
    } else {
      ok(check, text)
    }
  }

  private mutating func checkLive() {
    let folder = LiveTest.folder(of: directory)
    guard (try? FileSystem.checkAccess(folder, 0o7)) != nil else {
      note("events", "not tested, since no file can be made in \(folder)", "run this as a user who may send")
      return
    }
    if let time = LiveTest.run(in: folder) {
      ok("events", "a change was heard after \(time / 1000) us")
    } else {
      problem(
        "events", "a change was not heard: listeners look every \(options.pollingInterval)",
        "see the inotify limits above; where they are not used up, keep the wormhole on a local file system", .noEvents)
    }
  }
}
