/// Files that are open only to be at hand: they are closed when this process can open no more.
package enum KeptFiles {
  private static let releases = Lock<[@Sendable () -> Void]>([])

  /// Notes how files are released; `release` is called by whoever opens a file, with whatever locks it holds, so it must
  /// wait for none.
  static func register(_ release: @escaping @Sendable () -> Void) { releases.withLock { $0.append(release) } }

  /// Makes an attempt to open something, and another after files were released when there were too many.
  static func opening<R: ~Copyable>(_ attempt: () throws(Errno) -> R) throws(Errno) -> R {
    do throws(Errno) {
      return try attempt()
    } catch {
      guard error == .processFilesFull else { throw error }
      for release in releases.withLock({ $0 }) { release() }
      return try attempt()
    }
  }
}
