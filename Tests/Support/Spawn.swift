import CSystem
import CommandLineTool
import Glibc

/// A process started with pipes as its standard streams, as raw descriptors that their holder closes.
struct Spawned {
  /// The number of the process.
  let process: pid_t
  /// A descriptor of the process, pidfd_open(2): readable once it has ended.
  let handle: Int32
  /// Where its standard input is written.
  let input: Int32
  /// Where its standard output is read.
  let output: Int32
  /// Where its standard error is read.
  let errors: Int32
}

/// Starts `program` with pipes as its standard streams.
func spawn(_ program: String, _ arguments: [String], environment: [String: String], in directory: String?) throws
  -> Spawned
{
  // A write to a helper that has ended is an error that its test reports, not the end of all tests.
  signal(SIGPIPE, SIG_IGN)

  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  let (childInput, input) = try pipe()
  let (output, childOutput) = try pipe()
  let (errors, childErrors) = try pipe()
  let childEnds = [childInput, childOutput, childErrors]
  defer { for end in childEnds { close(end) } }
  for (target, end) in childEnds.enumerated() { posix_spawn_file_actions_adddup2(&actions, end, Int32(target)) }
  if let directory { _ = csystem_spawn_chdir(&actions, directory) }

  let process: pid_t
  do { process = try start(program, arguments, environment: environment, &actions) } catch {
    for end in [input, output, errors] { close(end) }
    throw error
  }
  for end in [input, output, errors] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  return Spawned(
    process: process, handle: csystem_pidfd_open(process), input: input, output: output, errors: errors)
}

/// Starts `program` with posix_spawn(3), all signals at their default and none blocked; returns its number.
func start(
  _ program: String, _ arguments: [String], environment: [String: String],
  _ actions: inout posix_spawn_file_actions_t, flags: Int32 = 0
) throws -> pid_t {
  var process = pid_t()
  let variables = environment.map { "\($0)=\($1)" }
  let result = Spawning.start(
    program, [program] + arguments, environment: variables, &actions, flags: flags, &process)
  guard result == 0 else { throw SupportError("posix_spawn \(program)", errno: result) }
  return process
}

/// This process's environment.
func currentEnvironment() -> [String: String] {
  var variables: [String: String] = [:]
  for text in Spawning.inherited {
    if let equals = text.firstIndex(of: "=") {
      variables[String(text[..<equals])] = String(text[equals...].dropFirst())
    }
  }
  return variables
}

/// A pipe that only its two ends hold.
private func pipe() throws -> (read: Int32, write: Int32) {
  var ends: [Int32] = [-1, -1]
  guard csystem_pipe(&ends) == 0 else { throw SupportError("pipe", errno: errno) }
  return (ends[0], ends[1])
}
