public import FoundationEssentials

/// Files: transfers that carry a file, through the same queue and in the same order as all others.
extension Wormhole {
  /// Puts a file into the queue of an identifier, where it waits until it is taken.
  ///
  /// What the file holds now is copied into the wormhole: by shared blocks where the file system can, else within the
  /// kernel. When this returns, the source may be changed or removed. Of its attributes only goes along whether it can be
  /// run. Takes as long as the copying; where the task is cancelled meanwhile, it ends with `.cancelled`.
  ///
  /// - Parameters:
  ///   - path: The file; a link is followed.
  ///   - metadata: What the receiver is to know about it; nil for nothing.
  ///   - identifier: The queue.
  ///   - passing: Whether the source stays, or is given away.
  ///   - durability: What a crash may take away.
  ///   - progress: Told, on the caller's thread, after each 16 MiB that are copied, or once where none need be.
  /// - Returns: A handle to follow it, to take it back or to await its delivery; it may be dropped.
  /// - Throws: `.unreadableFile` when the source is missing or no regular file, `.notPermitted` when it may not be read,
  ///   `.noSpace` when the file system is full, `.queueFull` when `WormholeOptions.queueLimit` or `fileLimit` is reached.
  ///   Nothing is left behind then.
  @discardableResult
  public func transferFile<Metadata: Encodable>(
    at path: String, metadata: Metadata? = String?.none, identifier: String, passing: FilePassing = .copying,
    durability: Durability = .cached, progress: (FileProgress) -> Void = { _ in }
  ) throws(WormholeError) -> Transfer {
    try transferFile(
      path: Array(path.utf8), metadata: metadata, identifier: identifier, passing: passing, durability: durability,
      progress: progress)
  }

  /// Puts a file whose path need not be UTF-8 into the queue of an identifier; see the public form.
  @discardableResult
  package func transferFile<Metadata: Encodable>(
    path: [UInt8], metadata: Metadata?, identifier: String, passing: FilePassing = .copying,
    durability: Durability = .cached, progress: (FileProgress) -> Void = { _ in }
  ) throws(WormholeError) -> Transfer {
    guard !path.isEmpty, !path.contains(0) else {
      throw WormholeError(.unreadableFile, reason: "the path is empty or holds a NUL byte; give the path of a file")
    }
    var payload: Payload?
    if let metadata { payload = try Payload(encoding: metadata, codec: options.codec) }
    let store = try transferStore()
    return try withoutActuallyEscaping(progress) { progress throws(WormholeError) in
      let sending = FileSending(
        store: store, path: Path(path), passing: passing, durability: durability, progress: progress)
      return try sending.send(to: identifier, options: options) { envelope throws(WormholeError) in
        try transferRecord(.file, envelope.sealing(payload))
      }
    }
  }

  /// Puts a file into the queue of an identifier; see the form with a path.
  @discardableResult
  public func transferFile<Metadata: Encodable>(
    at url: URL, metadata: Metadata? = String?.none, identifier: String, passing: FilePassing = .copying,
    durability: Durability = .cached, progress: (FileProgress) -> Void = { _ in }
  ) throws(WormholeError) -> Transfer {
    try transferFile(
      at: url.path(percentEncoded: false), metadata: metadata, identifier: identifier, passing: passing,
      durability: durability, progress: progress)
  }

  /// Receives the files of an identifier, oldest first, one after the other.
  ///
  /// All is as with `receiveTransfers`: a file is taken once the handler has returned, and comes again when it throws or
  /// its program ends. Each subscriber gets a file of its own, which is its handler's to move before it returns; what is
  /// left then is removed. Where several subscribers are to get a file that the file system cannot share, it is copied
  /// before the handler is called, where the handler runs: give a `context` when files are large. A transfer that is no
  /// file is told to `onError` and set aside; to receive both, use `receiveTransfers` with `onFile`.
  ///
  /// - Parameters:
  ///   - identifier: The queue.
  ///   - subscriber: Whose place, at most 64 bytes; nil for the default one.
  ///   - context: Where the handler runs.
  ///   - onError: Called, where the handler runs, with what stands in the way of receiving.
  ///   - handler: Takes a file.
  /// - Returns: A token that ends the receiving; it may be dropped.
  /// - Throws: As `receiveTransfers`.
  @discardableResult
  public func receiveFiles(
    identifier: String, subscriber: String? = nil, on context: HandlerContext = .wormholeThread,
    onError: (@Sendable (WormholeError) -> Void)? = nil, handler: @escaping @Sendable (ReceivedFile) throws -> Void
  ) throws(WormholeError) -> ListeningToken {
    try receive(
      identifier, subscriber, context, onError, onFile: handler
    ) { record, _ in
      .undecodable(.isNoFile(record, identifier))
    }
  }

  /// The files of an identifier as an asynchronous sequence: a file is taken when the next one is asked for.
  ///
  /// - Parameters:
  ///   - identifier: The queue.
  ///   - subscriber: Whose place, at most 64 bytes; nil for the default one.
  ///   - onError: Is given, by the task that iterates, what stands in the way of receiving, as with `receiveFiles`.
  /// - Returns: The sequence, for one consumer; breaking out of its loop leaves the file in hand untaken.
  /// - Throws: As `receiveTransfers`.
  public func files(
    identifier: String, subscriber: String? = nil, onError: (@Sendable (WormholeError) -> Void)? = nil
  ) throws(WormholeError) -> ReceivedFiles {
    let store = try transferStore()
    let source = try TransferSource(store: store, identifier: identifier, subscriber: subscriber, onError: onError)
    store.sweepFilesOnce()
    return ReceivedFiles(source: source)
  }
}
