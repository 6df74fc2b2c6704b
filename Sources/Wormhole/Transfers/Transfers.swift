/// The transfers of one identifier as they come, oldest first: an element is taken when the next one is asked for.
///
/// One consumer. Who breaks out of the loop leaves the element in hand untaken: it comes again, marked as redelivered, as
/// it does when the program ends. Cancelling the task ends the sequence, and takes what is in hand, since the loop asks
/// for the next before it ends.
public struct Transfers<Value: Decodable & Sendable>: AsyncSequence, Sendable {
  /// A transfer.
  public typealias Element = Message<Value>
  /// It never throws.
  public typealias Failure = Never

  let source: TransferSource

  /// Begins to iterate.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

  /// Takes one transfer after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let source: TransferSource

    /// Takes the last element and waits for the next; nil when the task is cancelled.
    ///
    /// What is no value of the wanted type is told to `onError`, set aside and passed over.
    public mutating func next() async -> Element? {
      var next = await source.next()
      while let delivery = next {
        do throws(WormholeError) { return try delivery.message(Value.self, identifier: source.identifier) } catch {
          next = await source.passOver(error)
        }
      }
      return nil
    }

    /// Takes the last element and waits for the next, coming back to the given actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { await next() }
  }
}

/// The files of one identifier as they come, oldest first: a file is taken when the next one is asked for.
///
/// As ``Transfers``. A file is the loop's, to move or to change, until it asks for the next or the sequence is released;
/// what is still at its path then is removed.
public struct ReceivedFiles: AsyncSequence, Sendable {
  /// A file.
  public typealias Element = ReceivedFile
  /// It never throws.
  public typealias Failure = Never

  let source: TransferSource

  /// Begins to iterate.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

  /// Takes one file after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let source: TransferSource

    /// Takes the last file and waits for the next; nil when the task is cancelled.
    ///
    /// A transfer that is no file is told to `onError`, set aside and passed over.
    public mutating func next() async -> ReceivedFile? { await source.nextFile() }

    /// Takes the last file and waits for the next, coming back to the given actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> ReceivedFile? { await next() }
  }
}
