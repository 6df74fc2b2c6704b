import Glibc
import Wormhole

/// A process with many wormholes open, for looking at what it holds.
enum OpenWormholes {
  /// Opens one, waits for a word, opens the others, and waits for the end; all listen.
  ///
  /// - Parameters:
  ///   - folder: The directory, or what holds their directories.
  ///   - areApart: Whether each has a directory of its own.
  ///   - count: How many there are in the end.
  static func open(in folder: String, areApart: Bool, count: Int) throws {
    var opened: [Wormhole] = []
    opened.reserveCapacity(count)
    func openOne() throws {
      let wormhole = try Wormhole(directory: areApart ? "\(folder)/\(opened.count)" : folder)
      try wormhole.listenForMessage([UInt8].self, identifier: "note") { _ in }
      opened.append(wormhole)
    }
    try openOne()
    try Role.sayReady()
    Role.waitForEnd()
    while opened.count < count { try openOne() }
    try Role.sayReady()
    Role.waitForEnd()
    withExtendedLifetime(opened) {}
  }
}
