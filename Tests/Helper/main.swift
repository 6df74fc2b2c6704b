// wormhole-test-helper SUBCOMMAND [ARGUMENT…]: the other process in tests of several processes.
// A new subcommand is a file of its own with a static member of Subcommand, and a line in `Subcommand.all`.
import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
guard let subcommand = Subcommand.all.first(where: { $0.name == arguments.first }) else {
  say("usage: wormhole-test-helper \(Subcommand.all.map(\.name).joined(separator: "|")) [ARGUMENT…]")
  exit(64)
}
do {
  try subcommand.run(Array(arguments.dropFirst()))
} catch {
  say("error: \(error)")
  exit(1)
}
