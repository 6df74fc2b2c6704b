import TestSupport
import Testing

@testable import Wormhole

/// The ways of transiting, all held to the same behaviour.
enum Way: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, archives

  var testDescription: String { rawValue }

  /// An empty wormhole of this way.
  func make() throws -> Ground {
    switch self {
    case .memory: Ground(transiting: MemoryTransiting(), directory: nil)
    case .archives: try Ground(TemporaryDirectory(.memory))
    }
  }
}

/// A transiting to test, and where it lies.
struct Ground: Sendable {
  let transiting: any Transiting
  let directory: TemporaryDirectory?

  /// Something to test that lies in `directory`, if anywhere.
  init(transiting: any Transiting, directory: TemporaryDirectory?) {
    self.transiting = transiting
    self.directory = directory
  }

  /// Archives in a directory of a temporary one.
  init(_ directory: TemporaryDirectory) throws {
    self.init(
      transiting: try Archives(directory: directory.appending("wormhole"), options: WormholeOptions()),
      directory: directory)
  }

  /// Begins to listen; what is heard goes into an inbox.
  func listen(
    _ identifiers: Identifiers, _ options: ListeningOptions = [], sender: UInt64 = 99,
    on context: HandlerContext = .wormholeThread
  ) throws -> (Listener, Inbox<Heard>) {
    let inbox = Inbox<Heard>()
    let listener = Listener(
      transiting: transiting, sender: sender, identifiers: identifiers, options: options, context: context
    ) { (event: Event<Int>) in inbox.put(Heard(event)) }
    try listener.start()
    return (listener, inbox)
  }
}

extension Ground {
  /// Waits until all that was sent before has been told: a message that comes after it has been heard, twice.
  func settle() throws {
    let (listener, inbox) = try listen(["settled"])
    defer { listener.cancel() }
    for value in 1...2 {
      try transiting.pass(value, to: "settled")
      _ = try inbox.next()
    }
  }
}
