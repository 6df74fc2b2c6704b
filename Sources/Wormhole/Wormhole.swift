import Synchronization

/// A directory through which programs of one machine pass messages, and this program's end of it.
///
/// ```swift
/// extension MessageIdentifier<[String]> { static let toDoListItems = Self("toDoListItems") }
///
/// let wormhole = try Wormhole(applicationGroupIdentifier: "group.com.example.todo", optionalDirectory: "wormhole")
/// try wormhole.passMessage(["Buy milk"], identifier: .toDoListItems)
/// try wormhole.listenForMessage(.toDoListItems) { items in print(items) }
/// ```
///
/// All calls may come from any thread. Any number of wormholes may be open on one directory, in one process or many;
/// together they use one inotify instance and one thread a process. The listening that was begun on a wormhole ends
/// when the wormhole is released.
public final class Wormhole: Sendable {
  /// The directory, from the root; as it was given where messages do not travel by files.
  public let directory: String
  /// How it was opened.
  public let options: WormholeOptions

  /// Where messages go.
  let transiting: any Transiting
  /// The archives on disk, nil when messages travel in memory.
  let archives: Archives?
  /// The queues in that directory, nil with the archives.
  let queues: TransferStore?
  /// The number by which this wormhole knows its own messages.
  let sender = randomNumber()
  /// What listens on behalf of this wormhole, to be ended with it.
  let listenings = Listenings()

  /// Opens the wormhole of an application group, and makes its directories where they are missing.
  ///
  /// The directory is `${WORMHOLE_HOME:-${XDG_STATE_HOME:-$HOME/.local/state}/wormhole}/<group>/<optionalDirectory>`.
  ///
  /// - Parameters:
  ///   - applicationGroupIdentifier: The group, such as `group.com.example.todo`: the name of a directory.
  ///   - optionalDirectory: A directory within the group's, which may lie deeper (`a/b`); nil for the group's own.
  ///   - options: How to open it.
  /// - Throws: `.invalidGroup` for names that are no directory's; `.cannotCreate`, `.notPermitted` and others, with path
  ///   and errno, when the directory cannot be used.
  public convenience init(
    applicationGroupIdentifier: String, optionalDirectory: String? = nil, options: WormholeOptions = WormholeOptions()
  ) throws(WormholeError) {
    let place = try GroupContainer.directory(group: applicationGroupIdentifier, optionalDirectory: optionalDirectory)
    try self.init(directory: place, options: options)
  }

  /// Opens the wormhole in exactly this directory, and makes it where it is missing.
  ///
  /// - Parameters:
  ///   - directory: The path of the directory; a relative one begins at the working directory of this moment.
  ///   - options: How to open it.
  /// - Throws: `.cannotCreate`, `.notPermitted` and others, with path and errno, when the directory cannot be used.
  public init(directory: String, options: WormholeOptions = WormholeOptions()) throws(WormholeError) {
    try Self.check(directory)
    guard options.origin.utf8.count <= 64, !options.origin.utf8.contains(0) else {
      throw WormholeError(
        .invalidIdentifier, reason: "the origin has more than 64 bytes or holds a NUL byte; use a shorter label")
    }
    self.options = options
    if let transiting = options.transiting {
      self.directory = directory
      self.transiting = transiting
      archives = nil
      queues = nil
    } else {
      let archives = try Archives(directory: directory, options: options)
      self.directory = archives.directory.description
      self.archives = archives
      self.transiting = archives
      let queues = TransferStore(archives)
      if archives.hasRequests.load(ordering: .relaxed) { RequestStore(transfers: queues).sweep() }
      self.queues = queues
      if archives.hasInterruptedFiles.load(ordering: .relaxed) { queues.sweepFiles() }
    }
  }

  /// The wormhole of a directory as it is, to be looked at alone; nil when the directory is not there.
  ///
  /// Nothing is made there or removed; what writes is not to be called on it.
  package init?(inspecting directory: String, options: WormholeOptions = WormholeOptions()) throws(WormholeError) {
    try Self.check(directory)
    let archives = Archives(inspecting: Path(directory), options: options)
    guard try archives.isThere() else { return nil }
    self.directory = archives.directory.description
    self.options = options
    self.archives = archives
    transiting = archives
    queues = TransferStore(archives)
  }

  /// Throws when this is no path of a directory.
  private static func check(_ directory: String) throws(WormholeError) {
    guard !directory.isEmpty, !directory.utf8.contains(0) else {
      throw WormholeError(
        .invalidGroup, reason: "the directory's path is empty or holds a NUL byte; give the path of a directory")
    }
  }

  deinit {
    listenings.cancelAll()
  }
}

// MARK: - Passing

extension Wormhole {
  /// Passes a message: it becomes the stored one of its mailbox, and listeners are told.
  ///
  /// After it returns, every reader sees this message or a newer one. Never waits for listeners; waits up to 5 seconds
  /// for another sender that is in the middle of passing to the same mailbox. Complexity: linear in the message's size,
  /// whatever the number of mailboxes and listeners.
  ///
  /// - Parameters:
  ///   - message: The value; `Payload`, `[UInt8]` and `Data` are stored verbatim.
  ///   - identifier: The mailbox.
  ///   - durability: Whether the message must be on the disk when this returns.
  /// - Returns: The message's sequence in its mailbox.
  /// - Throws: `.cannotEncode`, `.invalidIdentifier`, `.messageTooLarge`, `.lockTimedOut`, `.newerArchive`,
  ///   `.notAnArchive` (a directory stands there), `.noSpace`, `.notPermitted` and other failures of the system.
  @discardableResult
  public func passMessage<Value: Encodable>(
    _ message: Value, identifier: MessageIdentifier<Value>, durability: Durability = .cached
  ) throws(WormholeError) -> UInt64 {
    try passMessage(message, identifier: identifier.name, durability: durability)
  }

  /// Passes a message to a mailbox by its plain name; otherwise as with a typed identifier.
  ///
  /// - Parameters:
  ///   - message: The value.
  ///   - identifier: The mailbox.
  ///   - durability: Whether the message must be on the disk when this returns.
  /// - Returns: The message's sequence in its mailbox.
  /// - Throws: As `passMessage(_:identifier:durability:)` with a typed identifier.
  @discardableResult
  public func passMessage(
    _ message: some Encodable, identifier: String, durability: Durability = .cached
  ) throws(WormholeError) -> UInt64 {
    try send(Payload(encoding: message, codec: options.codec), identifier, durability)
  }

  /// Wakes the listeners of a mailbox without a message; the stored message stays.
  ///
  /// - Parameters:
  ///   - identifier: The mailbox.
  ///   - durability: Whether the signal must be on the disk when this returns.
  /// - Returns: The signal's sequence in its mailbox.
  /// - Throws: As `passMessage`.
  @discardableResult
  public func signal(identifier: String, durability: Durability = .cached) throws(WormholeError) -> UInt64 {
    try send(nil, identifier, durability)
  }

  private func send(
    _ payload: Payload?, _ identifier: String, _ durability: Durability
  ) throws(WormholeError) -> UInt64 {
    // Without an expectation an append is never refused.
    try transiting.append(draft(payload, durability), to: identifier, expecting: nil)?.sequence ?? 0
  }

  func draft(_ payload: Payload?, _ durability: Durability) -> Draft {
    Draft(payload: payload, sender: sender, origin: options.origin, durability: durability)
  }
}

// MARK: - Reading, updating, clearing

extension Wormhole {
  /// The stored message of a mailbox; nil when there is none, which is no error.
  ///
  /// - Parameter identifier: The mailbox.
  /// - Returns: The newest message.
  /// - Throws: `.cannotDecode` when it is of another type; `.damagedArchive`, `.newerArchive`, `.notAnArchive`,
  ///   `.messageTooLarge` and failures of the system.
  public func message<Value: Decodable & Sendable>(
    _ identifier: MessageIdentifier<Value>
  ) throws(WormholeError) -> Value? {
    try message(Value.self, identifier: identifier.name)
  }

  /// The stored message of a mailbox by its plain name; nil when there is none, which is no error.
  ///
  /// - Parameters:
  ///   - type: What the message is read as.
  ///   - identifier: The mailbox.
  /// - Returns: The newest message.
  /// - Throws: As `message(_:)` with a typed identifier.
  public func message<Value: Decodable & Sendable>(
    _ type: Value.Type, identifier: String
  ) throws(WormholeError) -> Value? {
    try storedMessage(type, identifier: identifier)?.value
  }

  /// The stored message of a mailbox with its sequence, time and origin; nil when there is none, which is no error.
  ///
  /// - Parameters:
  ///   - type: What the message is read as.
  ///   - identifier: The mailbox.
  /// - Returns: The newest message.
  /// - Throws: As `message(_:)`.
  public func storedMessage<Value: Decodable & Sendable>(
    _ type: Value.Type, identifier: String
  ) throws(WormholeError) -> Message<Value>? {
    guard let (_, record) = try transiting.newest(identifier), let payload = record.payload else { return nil }
    return Message(record, identifier: identifier, value: try payload.decoded(as: type, identifier: identifier))
  }

  /// The stored message of a mailbox with its sequence, time and origin; see the form with type and string.
  public func storedMessage<Value: Decodable & Sendable>(
    _ identifier: MessageIdentifier<Value>
  ) throws(WormholeError) -> Message<Value>? {
    try storedMessage(Value.self, identifier: identifier.name)
  }

  /// Removes the stored message of a mailbox; listeners hear that it was cleared. None stored is no error.
  ///
  /// - Parameter identifier: The mailbox.
  /// - Throws: `.invalidIdentifier`, `.lockTimedOut`, `.notAnArchive` and failures of the system.
  public func clearMessage(identifier: String) throws(WormholeError) {
    try transiting.clear(identifier)
  }

  /// Removes the stored messages of all mailboxes, and nothing else that lies in the directory.
  ///
  /// - Throws: As `clearMessage(identifier:)`; those before the one that failed are cleared.
  public func clearAllMessages() throws(WormholeError) {
    for identifier in try transiting.identifiers() { try transiting.clear(identifier) }
  }

  /// The identifiers of the mailboxes there are, in no order. Complexity: linear in their number.
  ///
  /// - Returns: The identifiers.
  /// - Throws: Failures of the system.
  public func identifiers() throws(WormholeError) -> [String] {
    try transiting.identifiers()
  }
}
