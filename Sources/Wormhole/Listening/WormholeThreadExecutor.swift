extension Wormhole {
  /// The library's one thread as a place for tasks: a loop over messages that runs there begins without another thread
  /// being woken, as a handler does.
  ///
  /// ```swift
  /// Task(executorPreference: Wormhole.executor) {
  ///   for await items in messages { … }
  /// }
  /// ```
  ///
  /// For loops whose steps return soon, since all listeners of the process share the thread.
  public static var executor: any TaskExecutor { WormholeThreadExecutor.shared }
}

/// Runs the parts of tasks between their suspensions on the wormhole thread, one after the other.
private final class WormholeThreadExecutor: TaskExecutor {
  static let shared = WormholeThreadExecutor()

  /// Lets a part of a task run after what the thread is doing; from the thread itself that wakes nobody.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Watcher.shared.run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
