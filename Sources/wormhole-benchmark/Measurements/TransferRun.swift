import Glibc
import Wormhole

/// Transfers from this process to another one, as many as a batch holds, each checked for its place in line.
final class TransferRun: Contestant {
  private let batch: Int
  private let transfer: (UInt64) throws -> Void
  private let table: StampTable
  private let child: ChildProcess
  private var number: UInt64 = 0
  private static let identifier = "line"

  /// Starts the receiving process.
  init(_ medium: Medium, directory: String, bytes: Int, batch: Int) throws {
    self.batch = batch
    let path = "\(directory).stamps"
    table = try StampTable(path, isNew: true)
    child = try ChildProcess(
      ProcessImage.own, Role.receive.arguments(medium.rawValue, directory, String(bytes), path, String(batch)))
    switch medium {
    case .wormhole:
      let wormhole = try Wormhole(directory: directory)
      var message = NumberedBytes.make(0, bytes: bytes)
      transfer = { number in
        NumberedBytes.set(number, in: &message)
        try wormhole.transfer(message, identifier: Self.identifier)
      }
    case .floor:
      let floor = try QueueFloorSender(directory: directory, bytes: bytes)
      transfer = { number in try floor.transfer(number) }
    }
    try child.wait(for: "ready")
  }

  func play(_ count: Int, into samples: inout Samples) throws(BenchmarkError) {
    for _ in 0..<count {
      let start = Clock.monotonic
      try translating {
        for _ in 0..<batch {
          number += 1
          try transfer(number)
        }
      }
      let last = try table.latest(of: 1, hearing: number)
      samples.append(Double(batch) * 1_000_000_000 / Double(last - start))
    }
  }

  /// The receiving process: notes the end of each batch; an item that is not the next in line ends everything.
  static func receive(_ medium: String, directory: String, bytes: Int, table path: String, batch: Int) throws {
    let table = try StampTable(path)
    let line = Lock<UInt64>(0)
    let take: @Sendable (UInt64) -> Void = { number in
      let expected = line.withLock { last in
        last += 1
        return last
      }
      if number != expected {
        Progress.report("transfer \(number) came where \(expected) was due")
        exit(70)
      }
      if number % UInt64(batch) == 0 { table.note(number, in: 0) }
    }
    switch Medium(rawValue: medium) {
    case .wormhole?:
      let wormhole = try Wormhole(directory: directory)
      try wormhole.receiveTransfers([UInt8].self, identifier: identifier) { take(NumberedBytes.number(of: $0.value)) }
      try Role.sayReady()
      Role.waitForEnd()
      withExtendedLifetime(wormhole) {}
    case .floor?:
      let floor = try QueueFloorReceiver(directory: directory, bytes: bytes)
      try Role.sayReady()
      try floor.take { take($0) }
    case nil: throw BenchmarkError("no medium is called \(medium)")
    }
  }
}
