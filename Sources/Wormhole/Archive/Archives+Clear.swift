extension Archives {
  /// How often a clear begins again because the archive was replaced under it.
  private static let mostTries = 200

  /// Removes the archive, or what else stands at its name but a directory or a newer format; none is no error.
  ///
  /// An archive is unlinked under its lock, so that no send is lost half: it is wholly before or wholly after.
  package func clear(_ identifier: String) throws(WormholeError) {
    let path = try path(of: identifier)
    for _ in 0..<Self.mostTries {
      switch try clearOnce(path) {
      case .again: continue
      case .foreign: if case .removed = try clearForeign(path) { return }
      case .removed, .done, .unexpected: return
      }
    }
    throw WormholeError(
      .inputOutput, path: path.description,
      reason: "the archive is replaced faster than it can be locked; look for a program that does so, and clear again")
  }

  private func clearOnce(_ path: Path) throws(WormholeError) -> Outcome {
    var failure = Errno.noEntry
    guard let file = FileDescriptor.open(path, OpenFlags.readWrite, failure: &failure) else {
      if failure == .noEntry { return .removed }
      return try outcome(ofOpening: failure, path)
    }
    return try withLock(file, path) { (status) throws(WormholeError) -> Outcome in
      let read = try attempt("read the archive", path) { () throws(Errno) in try file.readHead() }
      if read.isMarked, try !isNamed(path, status) { return .again }
      switch read.head {
      case .foreign: return .foreign
      case .newer(let version): throw .newerArchive(version, path)
      case .archive, .damagedHeader, .damagedCommit:
        try attempt("clear the archive", path) { () throws(Errno) in try file.markAsLosingName() }
        return try remove(path)
      }
    }
  }

  private func clearForeign(_ path: Path) throws(WormholeError) -> Outcome {
    try withReplaceLock(path) { () throws(WormholeError) -> Outcome in
      switch try Occupant.at(path) {
      case .absent: return .removed
      case .archive: return .again
      case .special(.directory): throw .notAnArchive(.directory, path)
      case .special, .foreign: return try remove(path)
      }
    }
  }

  private func remove(_ path: Path) throws(WormholeError) -> Outcome {
    do throws(Errno) {
      try FileSystem.remove(path)
    } catch {
      if error != .noEntry { throw WormholeError(error, "clear the archive", path) }
    }
    return .removed
  }
}
