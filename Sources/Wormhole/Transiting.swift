/// How messages travel between wormholes: the seam below the `Wormhole` type.
///
/// The default is archive files in the wormhole's directory. `MemoryTransiting` keeps them in the process, so that
/// programs can be tested without a disk: wormholes that are opened with the same instance hear each other.
public protocol Transiting: Sendable {
  /// Adds a record to a mailbox, as its newest.
  ///
  /// - Parameters:
  ///   - draft: What to add.
  ///   - identifier: The mailbox.
  ///   - expected: What the newest message with a payload must still be; nil for any.
  /// - Returns: The record's place, or nil when the mailbox is no longer as expected.
  func append(
    _ draft: Draft, to identifier: String, expecting expected: StoredVersion?
  ) throws(WormholeError) -> Position?

  /// The newest record with a payload, nil when there is none.
  func newest(_ identifier: String) throws(WormholeError) -> (position: Position, record: Record)?

  /// What has come since `position`.
  func look(at identifier: String, after position: Position?, every: Bool) -> Look

  /// Removes the mailbox; none is no error.
  func clear(_ identifier: String) throws(WormholeError)

  /// The mailboxes there are, in no order; complexity: linear in their number.
  func identifiers() throws(WormholeError) -> [String]

  /// Calls `sink` after every change of these mailboxes from now on, until it is unwatched.
  func watch(_ identifiers: Identifiers, _ sink: any ChangeSink) throws(WormholeError)

  /// Ends what `watch` began, for some or for all of its mailboxes.
  func unwatch(_ identifiers: Identifiers, _ sink: any ChangeSink)
}

/// What is told of changes; it must return quickly, since it is called on the thread that notices them.
public protocol ChangeSink: AnyObject, Sendable {
  /// A mailbox changed, or any may have when `identifier` is nil.
  func changed(_ identifier: String?)

  /// Changes are no longer told of as they happen, but looked for every so often, for this reason; told once.
  func polled(_ reason: WormholeError)
}

extension ChangeSink {
  /// Nothing needs to be done.
  public func polled(_ reason: WormholeError) {}
}

/// A record before it is added to a mailbox.
public struct Draft: Sendable {
  /// What was passed, nil for a signal.
  public var payload: Payload?
  /// The number of the wormhole that sends it, by which it knows its own messages.
  public var sender: UInt64
  /// The label of the wormhole that sends it.
  public var origin: String
  /// Whether it must be on the disk before the call returns.
  public var durability: Durability

  /// Makes a draft.
  ///
  /// - Parameters:
  ///   - payload: What was passed, nil for a signal.
  ///   - sender: The number of the wormhole.
  ///   - origin: The label of the wormhole.
  ///   - durability: What a crash may take away.
  public init(payload: Payload?, sender: UInt64, origin: String, durability: Durability = .cached) {
    self.payload = payload
    self.sender = sender
    self.origin = origin
    self.durability = durability
  }
}

/// A record of a mailbox.
public struct Record: Sendable {
  /// What was passed, nil for a signal.
  public var payload: Payload?
  /// Its number in the mailbox.
  public var sequence: UInt64
  /// When it was sent, in nanoseconds since the epoch, by the sender's clock.
  public var sent: Int64
  /// The number of the wormhole that sent it.
  public var sender: UInt64
  /// The label of the wormhole that sent it.
  public var origin: String

  /// Makes a record.
  ///
  /// - Parameters:
  ///   - payload: What was passed, nil for a signal.
  ///   - sequence: Its number in the mailbox.
  ///   - sent: When it was sent, in nanoseconds since the epoch.
  ///   - sender: The number of the wormhole that sent it.
  ///   - origin: The label of the wormhole that sent it.
  public init(payload: Payload?, sequence: UInt64, sent: Int64, sender: UInt64, origin: String) {
    self.payload = payload
    self.sequence = sequence
    self.sent = sent
    self.sender = sender
    self.origin = origin
  }
}

/// A place in the history of a mailbox.
public struct Position: Hashable, Sendable {
  /// Which archive it is: another one once the mailbox was cleared or replaced.
  public var identity: UInt64
  /// The newest record at that place.
  public var sequence: UInt64

  /// Makes a position.
  ///
  /// - Parameters:
  ///   - identity: Which archive it is.
  ///   - sequence: The newest record at that place.
  public init(identity: UInt64, sequence: UInt64) {
    self.identity = identity
    self.sequence = sequence
  }
}

/// The newest message with a payload, as an update expects it.
public enum StoredVersion: Hashable, Sendable {
  /// There is none.
  case none
  /// It is this one.
  case position(Position)
}

/// What a look at a mailbox found.
public enum Look: Sendable {
  /// There is no such mailbox.
  case absent
  /// Nothing has come.
  case unchanged
  /// These have come, oldest first; `missed` more are no longer held or were not asked for.
  case records([Record], missed: Int, Position)
  /// What stands there cannot be read, for this reason; told once for each state of it.
  case unreadable(WormholeError, Position)
}
