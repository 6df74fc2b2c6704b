package import Wormhole

/// Why a tool ends: an exit code and the line that says so.
package struct ToolError: Error, Equatable, Sendable {
  /// How the tool ends.
  package let exitCode: ExitCode
  /// The thing, the reason and the remedy, in one line; nil for a quiet end.
  package let message: String?

  /// An end with this code and line.
  package init(_ exitCode: ExitCode, _ message: String) {
    self.exitCode = exitCode
    self.message = message
  }

  /// The end that an error of the library brings.
  package init(_ error: WormholeError) {
    self.init(ExitCode(error.code), error.description)
  }

  /// An end without a word.
  private init(quiet exitCode: ExitCode) {
    self.exitCode = exitCode
    message = nil
  }

  /// Nobody reads what the tool prints, so it has nothing more to do.
  package static let closedPipe = ToolError(quiet: .success)

  /// A command line that is not understood.
  package static func usage(_ message: String) -> ToolError { ToolError(.usage, message) }
}

/// Calls the library; its errors become the tool's.
@discardableResult
package func calling<R>(_ body: () throws(WormholeError) -> R) throws(ToolError) -> R {
  do { return try body() } catch { throw ToolError(error) }
}
