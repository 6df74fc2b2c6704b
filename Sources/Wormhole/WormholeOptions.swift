/// How a wormhole is opened.
public struct WormholeOptions: Sendable {
  /// Who may use the directories and files that this wormhole makes.
  public enum Permissions: Sendable {
    /// Their owner alone: directories 0700, files 0600.
    case owner
    /// The owner and the directory's Unix group: directories 2770 (files inherit the group), files 0660.
    case group
  }

  /// What a crash may take away after a send has returned.
  public enum Durability: Sendable {
    /// The message survives its process, not a crash of the machine.
    case cached
    /// The message is on the disk when the call returns.
    case durable
  }

  /// The label that messages of this wormhole carry, at most 64 bytes; by default the program's name.
  public var origin: String
  /// The largest message in bytes, both to send and to read; 64 MiB unless set.
  public var messageSizeLimit: Int
  /// How many bytes of recent messages a mailbox keeps for listeners with `.every`; 16 KiB unless set.
  public var retention: Int
  /// The most bytes of outstanding transfers an identifier may have; 64 MiB unless set.
  public var queueLimit: Int
  /// The most bytes of files in transit that the directory may hold; 4 GiB unless set. A file that is larger goes when it
  /// is the only one. They do not count for `queueLimit`, their metadata does.
  public var fileLimit: Int
  /// Who may use what this wormhole makes.
  public var permissions: Permissions
  /// How values are written; each message says how it was, so readers need not know.
  public var codec: Codec
  /// How often changes are looked for where the kernel does not tell of them: on network file systems, FUSE and the
  /// like, and while the user has no inotify instances or watches left; half a second unless set, at least a millisecond.
  ///
  /// The listeners' `onError` is told, once, when that begins. Of several in one directory the shortest is taken.
  public var pollingInterval: Duration
  /// How messages travel: archives in the directory, or in memory for tests.
  public var transiting: (any Transiting)?

  /// Makes options with their defaults.
  ///
  /// - Parameters:
  ///   - origin: The label of this wormhole's messages; nil for the program's name.
  ///   - permissions: Who may use what this wormhole makes.
  ///   - codec: How values are written.
  ///   - messageSizeLimit: The largest message, in bytes.
  ///   - retention: How many bytes of recent messages a mailbox keeps.
  ///   - queueLimit: The most bytes of outstanding transfers an identifier may have.
  ///   - fileLimit: The most bytes of files in transit that the directory may hold.
  ///   - pollingInterval: How often changes are looked for where the kernel does not tell of them.
  ///   - transiting: How messages travel; nil for archives in the directory.
  public init(
    origin: String? = nil, permissions: Permissions = .owner, codec: Codec = .json,
    messageSizeLimit: Int = 64 << 20, retention: Int = 16 << 10, queueLimit: Int = 64 << 20,
    fileLimit: Int = 4 << 30, pollingInterval: Duration = .milliseconds(500), transiting: (any Transiting)? = nil
  ) {
    self.origin = origin ?? Self.label(of: Program.name)
    self.permissions = permissions
    self.codec = codec
    self.messageSizeLimit = messageSizeLimit
    self.retention = retention
    self.queueLimit = queueLimit
    self.fileLimit = fileLimit
    self.pollingInterval = pollingInterval
    self.transiting = transiting
  }
}

extension WormholeOptions {
  /// As much of a program's name as a label may have: 64 bytes, cut before a character that would not be whole.
  static func label(of name: String) -> String {
    var label = name
    while label.utf8.count > 64 { label.unicodeScalars.removeLast() }
    return label
  }

  /// The polling interval in nanoseconds: between a millisecond and an hour.
  var pollingNanoseconds: UInt64 {
    let (seconds, attoseconds) = pollingInterval.components
    if seconds >= 3600 { return 3_600_000_000_000 }
    return UInt64(max(1_000_000, seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }
}

/// What a crash may take away after a send has returned.
public typealias Durability = WormholeOptions.Durability
