import CSystem
import Glibc
import Wormhole

/// What the tools have in common: how they start and how they end.
package enum Tool {
  /// The version of the tools and the library.
  package static let version = "1.0.0"

  /// Runs a tool to its end: reads the command line, answers `--help` and `--version`, reports errors, and exits.
  package static func run(
    _ syntax: Syntax, _ body: (CommandLineArguments, StandardOutput) throws(ToolError) -> ExitCode
  ) -> Never {
    // A reader that has gone is noticed by write(2) failing; the signal would end the tool in the midst of anything.
    signal(SIGPIPE, SIG_IGN)
    // So does a limit on the size of files, ulimit -f: write(2) fails with EFBIG, which can be told.
    signal(SIGXFSZ, SIG_IGN)
    occupyStandardDescriptors()
    let output = StandardOutput()
    do {
      let arguments = try syntax.parse(processArguments)
      if arguments.has(.help) {
        try output.print(syntax.help.utf8)
        exit(.success)
      }
      if arguments.has(.version) {
        try output.print("\(syntax.program) \(version)\n".utf8)
        exit(.success)
      }
      let code = try body(arguments, output)
      try output.flush()
      exit(code)
    } catch {
      // What was to be printed before the error still counts; should it fail, the first error is the one to tell.
      _ = try? output.flush()
      if let message = error.message { StandardError.report(syntax.program, message) }
      exit(error.exitCode)
    }
  }

  /// Ends the process.
  package static func exit(_ code: ExitCode) -> Never { Glibc.exit(code.rawValue) }

  /// Ends the process as it is, _exit(2): without writing what is still to be printed.
  static func abandon(_ outcome: Result<ExitCode, ToolError>) -> Never {
    switch outcome {
    case .success(let code): _exit(code.rawValue)
    case .failure(let error):
      if let message = error.message { StandardError.report(Program.name, message) }
      _exit(error.exitCode.rawValue)
    }
  }

  /// The arguments after the program's name, as the kernel gave them: they need not be UTF-8.
  private static var processArguments: [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }

  /// Opens something at standard descriptors that are closed, so that no archive is ever taken for one of them.
  ///
  /// Each is opened the wrong way around: using it fails as using a closed one does.
  private static func occupyStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      if open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) == -1 {
        // Where there are no devices any directory serves: it can neither be read nor written.
        _ = open("/", O_RDONLY | O_DIRECTORY)
      }
    }
  }
}
