import Wormhole

/// What handlers on other threads deliver, for a test to wait for with a bound.
public final class Inbox<Element: Sendable>: Sendable {
  private let elements = Lock<[Element]>([])

  /// An empty inbox.
  public init() {}

  /// Puts an element behind those that are there.
  public func put(_ element: Element) {
    elements.withLock { $0.append(element) }
    elements.notifyAll()
  }

  /// All that is there now, first come first, without taking it.
  public var all: [Element] { elements.withLock { $0 } }

  /// Takes the first element, waiting for it on this thread.
  public func next(within duration: Duration = patience) throws -> Element {
    try take(1, within: duration)[0]
  }

  /// Takes the first `count` elements, waiting for them on this thread.
  public func take(_ count: Int, within duration: Duration = patience) throws -> [Element] {
    elements.wait(until: { $0.count >= count }, deadline: Deadline(in: duration).nanoseconds)
    return try elements.withLock { elements in
      guard elements.count >= count else {
        throw SupportError("\(count) elements within \(duration), but got \(elements)")
      }
      defer { elements.removeFirst(count) }
      return Array(elements.prefix(count))
    }
  }

  /// Takes the first element; waits for it without holding up other tasks.
  public func next(within duration: Duration = patience) async throws -> Element {
    try await blocking { try self.take(1, within: duration)[0] }
  }

  /// Takes the first `count` elements; waits for them without holding up other tasks.
  public func take(_ count: Int, within duration: Duration = patience) async throws -> [Element] {
    try await blocking { try self.take(count, within: duration) as [Element] }
  }

  /// Takes elements up to and with the first for which `isLast` holds, waiting for it on this thread.
  public func take(
    through isLast: @escaping @Sendable (Element) -> Bool, within duration: Duration = patience
  ) throws -> [Element] {
    elements.wait(until: { $0.contains(where: isLast) }, deadline: Deadline(in: duration).nanoseconds)
    return try elements.withLock { elements in
      guard let last = elements.firstIndex(where: isLast) else {
        throw SupportError("the last element within \(duration), but got \(elements)")
      }
      defer { elements.removeFirst(last + 1) }
      return Array(elements[...last])
    }
  }
}
