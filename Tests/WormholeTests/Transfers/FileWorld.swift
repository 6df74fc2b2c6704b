import TestSupport
import Wormhole

@testable import class Wormhole.TransferStore

/// A wormhole and a folder beside it, for files to come from and go to.
struct FileWorld {
  /// Holds all of it.
  let directory: TemporaryDirectory
  let wormhole: Wormhole
  /// Where the wormhole is.
  var place: String { directory.appending("hole") }
  /// Where received files go.
  var folder: String { directory.appending("out") }

  init(_ place: TemporaryDirectory.Place = .memory, options: WormholeOptions = WormholeOptions()) throws {
    directory = try TemporaryDirectory(place)
    wormhole = try Wormhole(directory: directory.appending("hole"), options: options)
    _ = try FileSystem.makeDirectory(Path(directory.appending("out")), mode: 0o700)
  }

  /// Writes a source and gives its path.
  func source(_ text: String, _ name: String = "source.txt") throws -> String {
    try directory.write(text.utf8, to: name)
  }

  /// What a file among all these holds, as text.
  func text(_ name: String) throws -> String { String(decoding: try directory.read(name), as: UTF8.self) }

  /// The names of files in transit and temporaries.
  func leftovers() throws -> [String] {
    try directory.names(in: "hole/.wormhole").filter { $0.hasPrefix("f-") || $0.hasPrefix("t-") }
  }

  /// Sweeps the files in transit, as another process would.
  func sweep() throws { TransferStore(try Archives(directory: place, options: WormholeOptions())).sweepFiles() }

  /// What the kernel knows of a file of these.
  func status(_ name: String) throws -> FileStatus { try FileSystem.status(of: Path(directory.appending(name))) }

  /// Receives into an inbox, each file moved into the folder, until the wormhole goes.
  func receive(_ subscriber: String? = nil) throws -> (inbox: Inbox<String>, token: ListeningToken) {
    let (inbox, folder) = (Inbox<String>(), folder)
    let token = try wormhole.receiveFiles(
      identifier: "files", subscriber: subscriber, onError: { inbox.put("error \($0.code)") }
    ) { file in
      let place = try file.move(intoDirectory: folder)
      inbox.put(String(place.dropFirst(folder.utf8.count + 1)))
    }
    return (inbox, token)
  }
}
