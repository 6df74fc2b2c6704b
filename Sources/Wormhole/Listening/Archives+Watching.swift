extension Archives: Transiting {
  /// Calls `sink` after every change of these mailboxes from now on; armed when it returns.
  package func watch(_ identifiers: Identifiers, _ sink: any ChangeSink) throws(WormholeError) {
    try Watcher.shared.watch(
      directory, try names(of: identifiers), ArchiveSink(sink), interval: options.pollingNanoseconds)
  }

  /// Ends what `watch` began.
  package func unwatch(_ identifiers: Identifiers, _ sink: any ChangeSink) {
    // Names that are no good could not be watched either.
    guard let names = try? names(of: identifiers) else { return }
    Watcher.shared.unwatch(directory, names, ArchiveSink(sink))
  }

  /// The files of mailboxes.
  private func names(of identifiers: Identifiers) throws(WormholeError) -> WatchedNames {
    guard case .only(let identifiers) = identifiers else { return .all }
    var names: [FileName] = []
    for identifier in identifiers { names.append(try ArchiveName.fileName(for: identifier)) }
    return .only(names)
  }
}

/// Tells a sink of changes to archives, by identifier; of other files it says nothing.
private final class ArchiveSink: WatchSink {
  private let sink: any ChangeSink
  /// The last name and what it stands for: most often the next is the same.
  private let last = Lock<(name: FileName, identifier: String)?>(nil)

  init(_ sink: any ChangeSink) { self.sink = sink }

  var identity: ObjectIdentifier { ObjectIdentifier(sink) }

  func changed(_ name: FileName?) {
    guard let name else {
      sink.changed(nil)
      return
    }
    let identifier = last.withLock { last -> String? in
      if let last, last.name == name { return last.identifier }
      guard let identifier = ArchiveName.identifier(of: name) else { return nil }
      last = (name, identifier)
      return identifier
    }
    if let identifier { sink.changed(identifier) }
  }

  func polled(_ reason: WormholeError) { sink.polled(reason) }
}
