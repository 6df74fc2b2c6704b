import Wormhole

/// What others see a program by: that it takes and answers. It is off while the program is stopped.
final class Service: Sendable {
  private let tokens = Lock<[ListeningToken]>([])
  private let start: @Sendable () throws -> [ListeningToken]

  /// A service that is off, and begins with `start`.
  init(_ start: @escaping @Sendable () throws -> [ListeningToken]) { self.start = start }

  /// Goes on, unless it is on.
  func turnOn() throws {
    try tokens.withLock { tokens in if tokens.isEmpty { tokens = try start() } }
  }

  /// Ends, once what is in hand has been taken; what comes then waits, and who asks is told that nobody is there.
  func turnOff() {
    let tokens = tokens.withLock { tokens in
      defer { tokens = [] }
      return tokens
    }
    for token in tokens { token.cancel() }
  }
}
