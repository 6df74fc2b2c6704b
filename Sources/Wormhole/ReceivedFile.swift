public import FoundationEssentials

/// A file that was transferred, in the hands of the handler it was given to.
///
/// It is the handler's alone, to move or to change, until it returns; what is still at `path` then is removed.
public struct ReceivedFile: Sendable {
  /// Where it is, under a name without meaning.
  public let path: String
  /// The name that it had where it came from: any text; not to be used as a path unless checked, as `move` does.
  public let name: String
  /// How many bytes it has.
  public let size: Int
  /// The queue it was transferred through.
  public let identifier: String
  /// Its number in the queue.
  public let sequence: UInt64
  /// When it was sent, by the sender's clock, to the microsecond.
  public let sent: Date
  /// Who sent it.
  public let origin: String
  /// Whether an earlier receiver may have seen it, having ended with it in hand.
  public let isRedelivered: Bool
  /// The metadata as they were archived, nil when none were sent.
  package let metadata: Payload?

  init(
    _ delivery: QueueReceiver.Delivery, _ envelope: FileEnvelope, metadata: Payload?, identifier: String, path: String
  ) {
    self.path = path
    name = String(decoding: envelope.name, as: UTF8.self)
    size = envelope.size
    self.identifier = identifier
    sequence = delivery.record.sequence
    sent = Date(nanosecondsSinceEpoch: delivery.record.sent)
    origin = delivery.record.origin
    isRedelivered = delivery.isRedelivered
    self.metadata = metadata
  }

  /// Where it is.
  public var url: URL { URL(filePath: path) }

  /// The metadata that were sent with it; nil when there were none.
  ///
  /// - Parameter type: What they are read as.
  /// - Returns: The metadata.
  /// - Throws: `.cannotDecode` when they are of another type.
  public func metadata<Value: Decodable & Sendable>(as type: Value.Type) throws(WormholeError) -> Value? {
    do throws(WormholeError) {
      return try metadata?.decoded(as: type, identifier: identifier)
    } catch {
      throw WormholeError(error.code, reason: "metadata of transfer \(sequence): \(error.reason)")
    }
  }

  /// Moves it to exactly this path, copying where that is on another file system; whole or not at all.
  ///
  /// - Parameter destination: The path, at which nothing may stand.
  /// - Throws: `.cannotCreate` when something stands there; `.noSpace`, `.notPermitted` and other failures of the system.
  public func move(to destination: String) throws(WormholeError) {
    let target = Path(destination)
    do throws(Errno) { try moveOrCopy(to: target) } catch {
      guard error == .exists || error == .noEntry else { throw WormholeError(error, "cannot move the file", target) }
      throw WormholeError(
        .cannotCreate, path: destination, errno: error.rawValue,
        reason: "cannot move the file: \(error); "
          + (error == .exists ? "choose a path at which nothing stands" : "make the directory first"))
    }
  }

  /// Moves it into a directory, under its own name, which becomes `name-2.txt`, `name-3.txt` … where that is taken.
  ///
  /// What in the name could lead elsewhere or hide the file (`/`, control characters, a leading point) becomes `_`.
  ///
  /// - Parameter directory: The directory, which must be there.
  /// - Returns: Where it is now.
  /// - Throws: `.cannotCreate` when there is no such directory; `.noSpace`, `.notPermitted` and other failures.
  @discardableResult
  public func move(intoDirectory directory: String) throws(WormholeError) -> String {
    func path(_ number: Int) -> String { directory + "/" + safeName(number) }
    func isTaken(_ number: Int) -> Bool { (try? FileSystem.status(of: Path(path(number)))) != nil }
    while true {
      // In ever longer steps, then back by halves: a directory with many of the same name is not tried one by one.
      var (taken, free) = (0, 1)
      while isTaken(free) { (taken, free) = (free, free * 2) }
      while free - taken > 1 {
        let middle = (taken + free) / 2
        if isTaken(middle) { taken = middle } else { free = middle }
      }
      do throws(WormholeError) {
        try move(to: path(free))
        return path(free)
      } catch {
        // Another was faster.
        guard error.errno == Errno.exists.rawValue else { throw error }
      }
    }
  }

  /// The name as that of a file in whatever directory, with a number from 2 on.
  package func safeName(_ number: Int = 1) -> String {
    var name = ""
    for scalar in self.name.unicodeScalars {
      let isOdd = scalar == "/" || scalar.properties.generalCategory == .control || (name.isEmpty && scalar == ".")
      name.unicodeScalars.append(isOdd ? "_" : scalar)
    }
    if name.isEmpty { name = "file" }
    let suffix = number == 1 ? "" : "-\(number)"
    var (stem, ending) = (Substring(name), Substring())
    if let point = name.lastIndex(of: "."), name.utf8.distance(from: point, to: name.endIndex) <= 32 {
      (stem, ending) = (name[..<point], name[point...])
    }
    while stem.utf8.count + suffix.utf8.count + ending.utf8.count > 255, !stem.isEmpty { stem.removeLast() }
    return stem + suffix + ending
  }

  private func moveOrCopy(to target: Path) throws(Errno) {
    let source = Path(path)
    do throws(Errno) { return try FileSystem.renameWithoutReplacing(source, to: target) } catch {
      guard error == .crossDevice else { throw error }
    }
    let file = try FileDescriptor.open(source, OpenFlags.readOnly)
    let status = try file.status()
    let name = FileName(Array(".wormhole-\(String(randomNumber(), radix: 16))".utf8))
    let half = (target.parent ?? Path(".")).appending(name)
    let copy = try FileDescriptor.open(half, OpenFlags.createNew, mode: 0o600)
    do throws(Errno) {
      do throws(WormholeError) {
        _ = try FileCopy(from: source, to: target).run(file, size: status.size, to: copy)
      } catch { throw Errno(error.errno) }
      try copy.setMode(status.mode & 0o777)
      try FileSystem.renameWithoutReplacing(half, to: target)
    } catch {
      try? FileSystem.remove(half)
      throw error
    }
    try FileSystem.remove(source)
  }
}
