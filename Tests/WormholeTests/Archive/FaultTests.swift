import Glibc
import TestSupport
import Testing
import Wormhole

/// System calls that fail: every one, with every number.
@Suite("Failing system calls", .ownThread)
struct FaultTests {
  private static let errors: [Errno] = [
    .notPermitted, .noEntry, .inputOutput, .noDeviceOrAddress, .wouldBlock, .accessDenied, .exists, .notDirectory,
    .isDirectory, .invalidArgument, .processFilesFull, .systemFilesFull, .noSpace, .illegalSeek, .readOnly,
    .symbolicLinkLoop, .quotaExceeded, .stale, .noSystemCall, .notSupported, .interrupted,
  ]

  /// Those that the code decides by, and one that it does not.
  static let telling: [Errno] = [
    .noEntry, .wouldBlock, .accessDenied, .exists, .invalidArgument, .symbolicLinkLoop, .noSpace,
  ]

  private static let operations = [
    "first", "small", "durable", "large", "signal", "foreign", "clear", "clear foreign", "read", "look", "open",
    "names",
  ]

  @Test(
    "One failing call fails its operation at most, and leaves nothing open and nothing behind", arguments: operations)
  func single(operation: String) throws {
    for error in Self.errors {
      for call in 0..<100 {
        let made = try run(
          operation, { number, _ in number == call ? .fail(error) : nil }, "call \(call): \(error)")
        if made <= call { break }
        #expect(call < 99, "\(operation) makes a hundred calls")
      }
    }
  }

  @Test("A call that fails every time ends its operation all the same", arguments: operations)
  func persistent(operation: String) throws {
    for call in SystemCall.allCases {
      for error in Self.telling {
        _ = try run(operation, { _, made in made == call ? .fail(error) : nil }, "every \(call): \(error)")
      }
    }
  }

  @Test("Reads and writes that are cut short are gone on with", arguments: operations)
  func short(operation: String) throws {
    for bytes in [1, 7, 129] {
      _ = try run(operation, { _, _ in .short(bytes) }, "\(bytes) bytes at once", mayFail: false)
    }
  }

  /// Runs an operation with faults and gives the number of calls that it made.
  private func run(
    _ operation: String, _ fault: @escaping @Sendable (Int, SystemCall) -> Fault?, _ place: String, mayFail: Bool = true
  ) throws -> Int {
    let directory = try TemporaryDirectory(.memory)
    let archives = try Archives(directory: directory.path, options: WormholeOptions(), patience: 1_000_000)
    if operation.hasSuffix("foreign") {
      try directory.write("foreign".utf8, to: "n.archive")
    } else if operation != "first" {
      try archives.append(.text("old"), to: "n")
    }
    let before = try archives.newest("n")?.record.payload?.bytes
    let open = try directory.openFileCount()
    let made = Lock(0)
    let failures = Lock<[Errno]>([])
    var isDone = true
    do throws(WormholeError) {
      try Interception.with({ call in
        let number = made.withLock { (count: inout Int) -> Int in
          defer { count += 1 }
          return count
        }
        let fault = fault(number, call)
        if case .fail(let error)? = fault { failures.withLock { $0.append(error) } }
        return fault
      }) { () throws(WormholeError) in try perform(operation, archives, directory) }
    } catch {
      isDone = false
      #expect(mayFail && !error.reason.isEmpty && error.path != nil, "\(operation), \(place): \(error)")
      // It tells what the system said, or what that means here; EEXIST of a name that is not there means something else.
      let told = failures.withLock { $0.contains { $0.rawValue == error.errno || $0 == .exists } }
      #expect(told || error.errno == 0, "\(operation), \(place): \(error)")
    }
    #expect(try directory.openFileCount() == open, "\(operation), \(place)")
    let after = try archives.newest("n")?.record.payload?.bytes
    let isGone = after == nil && (operation.hasPrefix("clear") || operation == "signal foreign")
    // Where nothing stands, all is clear: that is what ENOENT says.
    let mayKeep =
      ["signal", "read", "look", "open", "names"].contains(operation)
      || operation.hasPrefix("clear") && failures.withLock { $0.contains(.noEntry) }
    let isKept = after == before && (!isDone || mayKeep)
    #expect(isKept || after == sent(operation) || isGone, "\(operation), \(place): \(after ?? [])")
    try archives.append(.text("next"), to: "n")
    #expect(try archives.newest("n")?.record.payload?.bytes == Array("next".utf8), "\(operation), \(place)")
    var names: [String] = []
    try FileSystem.forEachName(in: archives.hidden) { names.append("\($0)") }
    #expect(names.allSatisfy { $0 == "replace" }, "\(operation), \(place): \(names)")
    return made.withLock { $0 }
  }

  private func perform(
    _ operation: String, _ archives: Archives, _ directory: TemporaryDirectory
  ) throws(WormholeError) {
    switch operation {
    case "first", "small", "foreign": try archives.append(.text("new"), to: "n")
    case "durable": try archives.append(.text("new", .durable), to: "n")
    case "large": try archives.append(.text(String(repeating: "x", count: 30_000)), to: "n")
    case "signal": try archives.append(.signal, to: "n")
    case "clear", "clear foreign": try archives.clear("n")
    case "read": _ = try archives.newest("n")
    case "look":
      switch archives.look(at: "n", after: nil, every: true) {
      case .unreadable(let error, _): throw error
      case .absent, .unchanged, .records: break
      }
    case "open": _ = try Archives(directory: directory.appending("deep/er"), options: WormholeOptions())
    default: _ = try archives.identifiers()
    }
  }

  private func sent(_ operation: String) -> [UInt8]? {
    switch operation {
    case "first", "small", "foreign", "durable": Array("new".utf8)
    case "large": [UInt8](repeating: UInt8(ascii: "x"), count: 30_000)
    default: nil
    }
  }
}

extension TemporaryDirectory {
  /// How many open files of this process lie in the directory, removed ones too.
  func openFileCount() throws -> Int {
    var numbers: [String] = []
    try FileSystem.forEachName(in: Path("/proc/self/fd")) { numbers.append("\($0)") }
    return numbers.count { number in
      (try? FileSystem.target(of: Path("/proc/self/fd/\(number)")))?.hasPrefix(path) == true
    }
  }
}
