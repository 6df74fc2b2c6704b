package import Wormhole

/// How a tool ends, by the numbers of sysexits(3).
package enum ExitCode: Int32, Sendable {
  /// All went well.
  case success = 0
  /// The command line is not understood.
  case usage = 64
  /// The data is bad: an invalid identifier, text that is not JSON, a damaged or newer archive.
  case badData = 65
  /// There is no such message or input.
  case noInput = 66
  /// Nobody is reachable, or the responder has gone.
  case unavailable = 69
  /// A command or responder failed.
  case failed = 70
  /// A directory or file cannot be created.
  case cannotCreate = 73
  /// Input or output failed.
  case inputOutput = 74
  /// The time was over first, or a lock was not to be had: try again.
  case timedOut = 75
  /// The system does not permit it.
  case notPermitted = 77

  /// The exit code of an error of the library.
  package init(_ code: WormholeError.Code) {
    self =
      switch code {
      case .invalidGroup: .usage
      case .invalidIdentifier, .damagedArchive, .newerArchive, .notAnArchive, .messageTooLarge, .cannotEncode,
        .cannotDecode:
        .badData
      case .unreadableFile: .noInput
      case .notReachable, .responderGone: .unavailable
      case .responderFailed, .cancelled, .handlerFailed, .unsupported: .failed
      case .cannotCreate: .cannotCreate
      case .noSpace, .limitReached, .inputOutput, .noEvents: .inputOutput
      case .lockTimedOut, .timedOut, .queueFull: .timedOut
      case .notPermitted: .notPermitted
      }
  }
}
