package import CommandLineTool
import FoundationEssentials
import Glibc
import TodoModel
import Wormhole

/// What phone and watch do together, played without a terminal and printed as text: the watch is a process of its own,
/// driven by its keys and read from its face, and nothing is printed that did not happen.
package final class Exchange: Sendable {
  /// How long anything may take.
  private static let patience = Duration.seconds(20)
  /// The lines and columns of the face.
  private static let faceSize = Size(rows: 22, columns: WatchScreen.columns + 2)

  /// What the two show.
  private struct Shown {
    var phone = PhoneScreen()
    var face: [String] = []
    var end: String?
  }

  private let shown = Lock(Shown())
  private let output: StandardOutput

  private init(_ output: StandardOutput) { self.output = output }

  /// Plays the exchange in the wormhole that the command line names, by default in one that is removed afterwards.
  package static func run(_ arguments: CommandLineArguments, _ output: StandardOutput) throws(ToolError) -> ExitCode {
    if arguments.has(.group) || arguments.has(.optionalDirectory) || arguments.has(.directory) {
      try Exchange(output).play(in: try arguments.openTodoWormhole())
      return .success
    }
    let directory = try temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try Exchange(output).play(in: try calling { () throws(WormholeError) in try Wormhole(directory: directory) })
    return .success
  }

  /// Plays all of it.
  private func play(in wormhole: Wormhole) throws(ToolError) {
    try say("A phone, in this process, and a watch in another. They share a directory and nothing else:")
    try say("  \(wormhole.directory)\n")
    let session = try attempting {
      try PhoneSession(wormhole) { [self] news in change { $0.phone.take(news) } }
    }
    let (watch, process) = try startWatch(wormhole)
    try passList(session, watch)
    try chat(session, watch)
    try loseWatch(session, process)
    let (second, _) = try startWatch(wormhole)
    try wait("the watch to show what it missed") { shown in
      shown.face.contains { $0.contains("🍷 🍫 🐟") } && shown.face.contains { $0.contains("☐ Water the plants") }
    }
    try say("watch  shows all that it missed, the groceries newest first:")
    try show { $0.contains("☐") || $0.contains("🍷") || $0.contains("🍎") }
    second.send(.key(.text("q")))
    try wait("the watch to end") { $0.end != nil }
    try say("\nThat was all. Run it in a terminal to try it yourself: todo-phone --with-watch")
  }

  /// Additions from phone to watch, a toggle from watch to phone.
  private func passList(_ session: PhoneSession, _ watch: WatchProcess) throws(ToolError) {
    let titles = ["Buy milk", "Call home", "Water the plants"]
    for title in titles {
      session.perform(.add(title))
      try say("phone  adds \(title)")
    }
    try wait("the watch to show the items") { shown in
      titles.allSatisfy { title in shown.face.contains { $0.contains("☐ \(title)") } }
    }
    try say("watch  shows them:")
    try show { $0.contains("☐") }
    watch.send(.key(.text(" ")))
    try wait("the toggle to arrive") {
      $0.phone.list.item(1)?.isDone == true || $0.phone.list.items.first?.isDone == true
    }
    try say("watch  toggles Buy milk; the phone has it done:")
    try say(shown.withLock { $0.phone.list.items.map { "         \($0.line)" } }.joined(separator: "\n"))
    try wait("the watch to follow") { shown in !shown.face.contains { $0.contains("Buy milk") } }
  }

  /// A line to the watch, a reply to the phone.
  private func chat(_ session: PhoneSession, _ watch: WatchProcess) throws(ToolError) {
    session.perform(.say("Dinner at eight?"))
    try wait("the message to arrive") { shown in shown.face.contains { $0.contains("phone: Dinner at eight?") } }
    try say("phone  says \"Dinner at eight?\": delivered, and on the watch's face")
    watch.send(.key(.text("2")))
    try wait("the reply to arrive") { $0.phone.conversation.lines.last == ChatLine(reply: 2) }
    try say("watch  replies with its key 2; the phone shows \"Thank you\"")
  }

  /// Groceries and an item for a watch that has been killed.
  private func loseWatch(_ session: PhoneSession, _ process: Int32) throws(ToolError) {
    kill(process, SIGKILL)
    try wait("the phone to notice") { $0.end != nil && !$0.phone.watchIsReachable }
    try say("watch  is killed (SIGKILL); the phone says at once: watch not reachable")
    let picks = Grocery.row.prefix(15)
    for emoji in picks { session.perform(.pick(emoji)) }
    session.perform(.add("Feed the cat"))
    try say("phone  picks \(picks.joined(separator: " ")) and adds Feed the cat meanwhile")
  }

  /// Starts a watch and waits until it and the phone see each other.
  private func startWatch(_ wormhole: Wormhole) throws(ToolError) -> (WatchProcess, Int32) {
    change { $0.end = nil }
    let watch = try attempting {
      try WatchProcess(directory: wormhole.directory) { [self] frame in
        change { $0.face = frame.text }
      } onEnd: { [self] end in
        change { $0.end = end }
      }
    }
    watch.send(.size(Self.faceSize))
    try wait("the watch to be there") { shown in
      shown.phone.watchIsReachable && shown.face.contains { $0.contains("● phone") }
    }
    try say("watch  is on (process \(watch.processIdentifier)); each sees that the other is reachable")
    return (watch, watch.processIdentifier)
  }

  /// Changes what is shown and wakes whoever waits for it.
  private func change(_ body: (inout Shown) -> Void) {
    shown.withLock { body(&$0) }
    shown.notifyAll()
  }

  /// Waits until something is shown.
  private func wait(_ what: String, _ condition: (Shown) -> Bool) throws(ToolError) {
    shown.wait(until: condition, deadline: Clock.monotonic + UInt64(Self.patience.components.seconds) * 1_000_000_000)
    guard shown.withLock({ condition($0) }) else {
      throw ToolError(
        .failed, "waited \(Self.patience) for \(what); the watch: \(shown.withLock { $0.end ?? "is on" })")
    }
  }

  /// Prints lines of the face.
  private func show(_ isWanted: (String) -> Bool) throws(ToolError) {
    let lines = shown.withLock { $0.face }.filter(isWanted)
    try say(lines.map { "         " + $0 }.joined(separator: "\n"))
  }

  /// Prints a line.
  private func say(_ line: String) throws(ToolError) { try output.print("\(line)\n".utf8) }

  /// A new directory for temporary things, mkdtemp(3).
  private static func temporaryDirectory() throws(ToolError) -> String {
    var template = Array("\(Program.environment("TMPDIR") ?? "/tmp")/todo.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ToolError(.cannotCreate, "a temporary directory: \(Errno(errno)); set TMPDIR to a directory for one")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
