/// The queues of one directory.
final class TransferStore: Sendable {
  /// The directory.
  let archives: Archives
  /// Who is there.
  let presence: Presence

  /// The queues in the directory of some archives.
  init(_ archives: Archives) {
    self.archives = archives
    presence = Presence.shared(hidden: archives.hidden, mode: archives.options.permissions == .group ? 0o660 : 0o600)
  }

  /// The largest payload.
  var sizeLimit: Int { archives.options.messageSizeLimit }
  /// The mode of new files.
  var mode: UInt32 { archives.options.permissions == .group ? 0o660 : 0o600 }

  /// The queue of an identifier as all senders of this process share it.
  func queue(_ identifier: String) throws(WormholeError) -> Queue {
    Queue.shared(path: try path(identifier), hidden: archives.hidden, mode: mode)
  }

  /// The queue of an identifier with a descriptor that is the caller's alone, for its locks.
  func ownQueue(_ identifier: String) throws(WormholeError) -> Queue {
    Queue(path: try path(identifier), hidden: archives.hidden, mode: mode)
  }

  /// The path of an identifier's queue.
  private func path(_ identifier: String) throws(WormholeError) -> Path {
    try ArchiveName.path(in: archives.directory, for: identifier, ending: ArchiveName.queue)
  }

  /// The file name of an identifier's queue.
  private func name(_ identifier: String) throws(WormholeError) -> FileName {
    try ArchiveName.fileName(for: identifier, ending: ArchiveName.queue)
  }

  /// Tells `sink` whenever the queue is rung.
  func watch(_ identifier: String, _ sink: any WatchSink) throws(WormholeError) {
    try Watcher.shared.watch(
      archives.directory, .only([try name(identifier)]), sink,
      interval: archives.options.pollingNanoseconds)
  }

  /// Ends what `watch` began.
  func unwatch(_ identifier: String, _ sink: any WatchSink) {
    guard let name = try? name(identifier) else { return }
    Watcher.shared.unwatch(archives.directory, .only([name]), sink)
  }

  /// The identifiers that have a queue; complexity: linear in the number of names in the directory.
  func identifiers() throws(WormholeError) -> [String] {
    var identifiers: [String] = []
    do throws(Errno) {
      try FileSystem.forEachName(in: archives.directory) { name in
        if let identifier = ArchiveName.identifier(of: name, ending: ArchiveName.queue) {
          identifiers.append(identifier)
        }
      }
    } catch {
      if error == .noEntry { return [] }
      throw WormholeError(error, "cannot read the directory", archives.directory)
    }
    return identifiers
  }
}
