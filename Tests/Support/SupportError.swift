import Glibc

/// What went wrong around a test, in one line.
public struct SupportError: Error, CustomStringConvertible {
  /// The thing and the reason.
  public let description: String

  /// An error with this description.
  public init(_ description: String) { self.description = description }

  /// The failure of the call `what` with `errno`.
  init(_ what: String, errno: Int32) { description = "\(what): \(String(cString: strerror(errno)))" }
}
