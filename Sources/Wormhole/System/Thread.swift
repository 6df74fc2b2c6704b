import CSystem
import Glibc

/// Which thread it is among those that live, pthread_self(3): known without a system call.
package struct ThreadID: Hashable, Sendable {
  private let rawValue: pthread_t

  /// The calling thread.
  package static var current: ThreadID { ThreadID(rawValue: pthread_self()) }
}

/// A plain thread of the kernel's, pthread_create(3), detached.
enum Thread {
  /// Lets other threads that are ready run first, sched_yield(2).
  static func yield() { sched_yield() }

  private final class Start {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a thread called `name` that runs `body` and ends with it; signals sent to the process go to other threads.
  static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) {
    var blocked = sigset_t()
    var previous = sigset_t()
    sigfillset(&blocked)
    // A thread inherits the mask of its maker: signal handlers of the program never interrupt the library's thread.
    pthread_sigmask(SIG_SETMASK, &blocked, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(body))
    let result = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, start.toOpaque())
    guard result == 0 else {
      start.release()
      throw Errno(result)
    }
    _ = csystem_set_thread_name(thread, String(name.prefix(15)))
  }
}
