import Dispatch
import Glibc

/// What the language's runtime does in the background: tasks and queues run on libdispatch, which ends the process by SIGILL
/// where it cannot open what it needs.
package enum Runtime {
  /// How many descriptors it opens: an epoll(7) instance, an eventfd(2) and timers.
  private static let descriptors = 5

  /// Starts it, while there are descriptors for it; to be done before anything else opens some.
  ///
  /// - Throws: 74 where too few can be opened.
  package static func start() throws(ToolError) {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    for _ in 0..<descriptors {
      let descriptor = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else {
        throw ToolError(.inputOutput, "the runtime: \(SystemFailure(errno))")
      }
      opened.append(descriptor)
    }
    while let descriptor = opened.popLast() { close(descriptor) }
    // Something that waits for a time brings up all of it, the timers too.
    let started = DispatchSemaphore(value: 0)
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(1)) { started.signal() }
    started.wait()
  }
}
