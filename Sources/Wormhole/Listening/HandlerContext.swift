public import Dispatch

/// Where a handler runs.
///
/// Except on the wormhole thread, handlers lag behind without harm: at most one run is scheduled at a time, which reads
/// from the mailbox at its own pace, so that nothing piles up in memory.
public struct HandlerContext: Sendable {
  /// The kinds of place.
  private enum Place: Sendable {
    case wormholeThread, mainActor
    case queue(DispatchQueue)
    case executor(any TaskExecutor)
  }

  private let place: Place

  /// The library's one thread: the fastest, for handlers that return soon, since all listeners of the process share it.
  public static let wormholeThread = HandlerContext(place: .wormholeThread)
  /// The main actor.
  public static let mainActor = HandlerContext(place: .mainActor)

  /// A dispatch queue.
  public static func queue(_ queue: DispatchQueue) -> HandlerContext { HandlerContext(place: .queue(queue)) }

  /// A task executor.
  public static func executor(_ executor: any TaskExecutor) -> HandlerContext {
    HandlerContext(place: .executor(executor))
  }

  /// Whether work need not be brought anywhere from the thread that tells of changes.
  var isDirect: Bool { if case .wormholeThread = place { true } else { false } }

  /// Lets `work` run there.
  func run(_ work: @escaping @Sendable () -> Void) {
    switch place {
    case .wormholeThread: Watcher.shared.run(work)
    case .mainActor: Task { @MainActor in work() }
    case .queue(let queue): queue.async(execute: work)
    case .executor(let executor): Task.detached(executorPreference: executor) { work() }
    }
  }

  /// Lets asynchronous `work` begin there, from the wormhole thread; it goes on there where the place is one for tasks,
  /// else, after its first suspension, wherever its own code says.
  func run(_ work: @escaping @Sendable () async -> Void) {
    switch place {
    // No hop to another thread: what does not suspend has ended when this returns.
    case .wormholeThread: Task.immediate { await work() }
    case .mainActor: Task { @MainActor in await work() }
    case .queue(let queue): queue.async { Task.immediate { await work() } }
    case .executor(let executor): Task.detached(executorPreference: executor) { await work() }
    }
  }
}
