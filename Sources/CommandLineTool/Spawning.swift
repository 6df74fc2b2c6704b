package import CSystem
import Glibc

/// How programs of this package start others.
package enum Spawning {
  /// Starts a program, posix_spawn(3), with no signal blocked or ignored: what this program does with them is its own.
  ///
  /// - Parameters:
  ///   - path: The program's path.
  ///   - words: Its name, and what follows.
  ///   - environment: All of its variables, `NAME=VALUE`.
  ///   - actions: What becomes of its descriptors.
  ///   - flags: What else is wanted of the new process, posix_spawnattr_setflags(3).
  ///   - process: The number of its process.
  /// - Returns: An error number as in errno(3), or 0.
  package static func start(
    _ path: String, _ words: [String], environment: [String] = inherited,
    _ actions: inout posix_spawn_file_actions_t, flags: Int32 = 0, _ process: inout pid_t
  ) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | flags))
    return withCStrings(words) { argv in
      withCStrings(environment) { envp in posix_spawn(&process, path, &actions, &attributes, argv, envp) }
    }
  }

  /// The variables of this process, `NAME=VALUE`.
  package static var inherited: [String] {
    var variables: [String] = []
    var entry = environ
    while let variable = entry.pointee {
      variables.append(String(cString: variable))
      entry += 1
    }
    return variables
  }

  /// Runs `body` on an array of C strings that ends with a null pointer.
  package static func withCStrings<R>(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
  ) -> R {
    var strings = texts.map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    return strings.withUnsafeMutableBufferPointer { buffer in
      // Never empty, so it has an address.
      guard let start = buffer.baseAddress else { preconditionFailure("an array that ends with nil is not empty") }
      return body(start)
    }
  }
}
