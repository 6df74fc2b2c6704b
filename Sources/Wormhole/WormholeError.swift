/// What went wrong: a code to decide by, the place, the system's error number, and a line that says what to do.
public struct WormholeError: Error, Hashable, Sendable {
  /// The kinds of failure, to decide by.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The identifier is empty, holds a NUL or is too long for a file name.
    case invalidIdentifier
    /// The group or the optional directory is no name of a directory, or the home directory is unknown.
    case invalidGroup
    /// A directory or file could not be made or opened.
    case cannotCreate
    /// The system refused access.
    case notPermitted
    /// An archive fails its checks.
    case damagedArchive
    /// An archive is of a newer format than this library knows.
    case newerArchive
    /// Something other than a regular file stands at the archive's name.
    case notAnArchive
    /// The message is larger than this wormhole's limit.
    case messageTooLarge
    /// The value could not be encoded.
    case cannotEncode
    /// The message could not be decoded as the wanted type.
    case cannotDecode
    /// Another process holds the archive's lock for too long.
    case lockTimedOut
    /// The disk is full or the quota used up.
    case noSpace
    /// A limit of the system is used up: open files, inotify instances or watches.
    case limitReached
    /// Any other failure of the system.
    case inputOutput
    /// The outstanding transfers of the identifier have reached their limit.
    case queueFull
    /// The file to transfer is missing, is no regular file, or changed under the copying; or one in transit is gone.
    case unreadableFile
    /// Nobody responds to the identifier.
    case notReachable
    /// The time for the answer is over.
    case timedOut
    /// The task that asked was cancelled.
    case cancelled
    /// The responder ended before it answered.
    case responderGone
    /// The responder answered with an error.
    case responderFailed
    /// The handler of a transfer threw an error; the transfer stays first in line.
    case handlerFailed
    /// This way of transiting does not offer the operation.
    case unsupported
    /// The file system does not tell of all changes, so that they are looked for every so often.
    case noEvents
  }

  /// The kind of failure.
  public let code: Code
  /// The file or directory concerned, if one is.
  public let path: String?
  /// The system's error number as in errno(3), 0 when none is behind it.
  public let errno: Int32
  /// What failed and why, in words, with what to do about it.
  public let reason: String

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - path: The file or directory concerned.
  ///   - errno: The system's error number, 0 for none.
  ///   - reason: What failed, why, and what to do.
  public init(_ code: Code, path: String? = nil, errno: Int32 = 0, reason: String) {
    self.code = code
    self.path = path
    self.errno = errno
    self.reason = reason
  }
}

extension WormholeError: CustomStringConvertible {
  /// One line that names the thing, the reason and the remedy; control characters in names are shown as escapes.
  public var description: String {
    var line = ""
    for scalar in (path.map { "\($0): " } ?? "").unicodeScalars + reason.unicodeScalars {
      line += scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return line
  }
}

extension WormholeError {
  /// An error of the system while doing something to a path.
  init(_ error: Errno, _ action: String, _ path: Path) {
    let (code, remedy) = Self.meaning(of: error)
    self.init(
      code, path: path.description, errno: error.rawValue,
      reason: "\(action): \(error)" + (remedy.isEmpty ? "" : "; \(remedy)"))
  }

  /// The kind of a system error and what to do about it.
  private static func meaning(of error: Errno) -> (Code, remedy: String) {
    switch error {
    case .accessDenied, .notPermitted:
      (.notPermitted, "check the owner and the mode of it and of the directories above it")
    case .readOnly: (.notPermitted, "the file system is mounted read-only; open a wormhole on one that can be written")
    case .noSpace: (.noSpace, "the file system is full; free some space and try again")
    case .fileTooLarge:
      (.noSpace, "a file may not grow that far; raise the limit with ulimit -f, or use another file system")
    case .quotaExceeded: (.noSpace, "the disk quota is used up; free some space and try again")
    case .processFilesFull: (.limitReached, "this process has no more open files; raise the limit with ulimit -n")
    case .systemFilesFull: (.limitReached, "the system has no more open files; raise the sysctl fs.file-max")
    case .notDirectory: (.cannotCreate, "a file stands where a directory is needed; move it away")
    case .symbolicLinkLoop:
      (.inputOutput, "a symbolic link stands there, or links lead in a circle; move it away")
    case .isDirectory, .noDeviceOrAddress:
      (.inputOutput, "something other than a regular file stands there; move it away")
    case .nameTooLong: (.invalidIdentifier, "use a shorter identifier or directory")
    case .noEntry: (.inputOutput, "the directory was removed; open the wormhole again")
    case .stale: (.inputOutput, "the file server has lost the file; use a local file system")
    case .inputOutput: (.inputOutput, "the disk reports an error; look at the kernel's log")
    default: (.inputOutput, "")
    }
  }
}
