import Glibc
import Wormhole

/// What an audience listens by.
enum Medium: String {
  case wormhole, floor
}

/// Processes that all listen to one identifier, and a burst of sends to them: how long until the last has heard the last.
///
/// They are started for each turn and ended after it: the kernel gives a user too few inotify instances for two
/// audiences of a hundred at once.
final class Audience: Contestant {
  private let medium: Medium
  private let size: Int
  private let burst: Int
  private let directory: String
  private let identifier = "news"
  private let sends: (UInt64) throws -> Void
  private var number: UInt64 = 0

  /// An audience of so many processes in a directory; each sample is a burst of so many sends.
  init(_ medium: Medium, size: Int, burst: Int, directory: String) throws {
    self.medium = medium
    self.size = size
    self.burst = burst
    self.directory = directory
    switch medium {
    case .wormhole:
      let wormhole = try Wormhole(directory: directory)
      var message = NumberedBytes.make(0, bytes: 128)
      sends = { [identifier] number in
        NumberedBytes.set(number, in: &message)
        try wormhole.passMessage(message, identifier: identifier)
      }
    case .floor:
      let floor = try LogFloor(directory: directory, mine: identifier, theirs: nil, bytes: 128)
      sends = { number in
        floor.setNumber(number)
        try floor.send()
      }
    }
  }

  func play(_ count: Int, into samples: inout Samples) throws(BenchmarkError) {
    let path = "\(directory).stamps"
    let table = try StampTable(path, isNew: true)
    try translating { try sends(number) }
    var processes: [ChildProcess] = []
    for index in 0..<size {
      let arguments = Role.hear.arguments(medium.rawValue, directory, identifier, path, String(index))
      processes.append(try ChildProcess(ProcessImage.own, arguments))
    }
    for process in processes { try process.wait(for: "ready") }
    let warmUp = 2
    for sample in 0..<(warmUp + count) {
      let start = Clock.monotonic
      for _ in 0..<burst {
        number += 1
        try translating { try sends(number) }
      }
      let last = try table.latest(of: size, hearing: number)
      if sample >= warmUp { samples.append(Double(last - start) / 1000) }
    }
  }

  /// One of the audience: notes when it hears what, until it is ended.
  static func hear(_ medium: String, directory: String, identifier: String, table path: String, index: Int) throws {
    let table = try StampTable(path)
    switch Medium(rawValue: medium) {
    case .wormhole?:
      let wormhole = try Wormhole(directory: directory)
      try wormhole.listenForMessage([UInt8].self, identifier: identifier) { message in
        table.note(NumberedBytes.number(of: message), in: index)
      }
      try Role.sayReady()
      Role.waitForEnd()
      withExtendedLifetime(wormhole) {}
    case .floor?:
      let floor = try LogFloor(directory: directory, mine: "", theirs: identifier, bytes: 128)
      try Role.sayReady()
      while true {
        try floor.wait()
        table.note(floor.receivedNumber, in: index)
      }
    case nil: throw BenchmarkError("no medium is called \(medium)")
    }
  }
}
