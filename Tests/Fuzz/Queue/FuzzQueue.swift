import FuzzSupport

@testable import Wormhole

/// The queues that read the input; small limits, so that a claimed length is seen to be refused.
private let store =
  (try? Archives(
    directory: FuzzPlace.directory, options: WormholeOptions(messageSizeLimit: 1 << 20))).map { TransferStore($0) }

/// Reads the input as a queue, takes from it, sets aside, cancels and appends: what was appended must come out.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzQueue(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let input = FuzzInput(start, count), let store else { return 0 }
  FuzzPlace.hurrying {
    FuzzPlace.put(input.has(0) ? signed(input.bytes, withCells: input.has(4)) : input.bytes, "n.queue")
    do throws(WormholeError) { try use(store, input) } catch { precondition(!error.reason.isEmpty) }
  }
  return 0
}

private func use(_ store: TransferStore, _ input: FuzzInput) throws(WormholeError) {
  let queue = try store.ownQueue("n")
  for (item, _) in try queue.outstanding(limit: 1 << 20) where input.has(1) {
    _ = try queue.awaitedFate(of: item)
    _ = try queue.cancel(item)
  }
  let subscriber = input.has(2) ? "named" : nil
  if input.has(3) { _ = try store.setAsideFirst("n", subscriber: subscriber) }
  _ = try store.putBack("n", subscriber: subscriber)
  let text = Array("appended".utf8)
  let record = QueueRecord(
    kind: .message, payload: Payload(bytes: text, codec: .bytes), sent: 1, sender: 2, origin: "fuzz")
  let place = try queue.append([record], limit: 8 << 20)[0]
  var receiver = QueueReceiver(queue: try store.ownQueue("n"), subscriber: subscriber, limit: 1 << 20)
  defer { receiver.close() }
  var last: UInt64 = 0
  var hasNotice = false
  for _ in 0..<1000 {
    switch try receiver.take() {
    case .deliver(let delivery):
      // A commit block with a right checksum is believed, even where its numbers are not those of the records.
      precondition(delivery.record.sequence > last || input.has(0), "a transfer came out of order")
      last = delivery.record.sequence
      receiver.finish()
      if last == place.sequence {
        precondition(delivery.record.payload.bytes == text || input.has(0), "what was appended is not what came")
        return
      }
    case .notice: hasNotice = true
    // What is passed over is said; a place with a right checksum is believed, whatever it says.
    case .empty, .standby: return precondition(hasNotice || input.has(4), "what was appended did not come")
    }
  }
}

/// The same bytes with the checksums of header, commit block, records and perhaps cells put right.
private func signed(_ input: [UInt8], withCells: Bool) -> [UInt8] {
  var bytes = input
  bytes.sign(0..<40, at: 40, seed: 0)
  bytes.sign(520..<560, at: 512, seed: 0)
  for index in 0..<QueueLayout.cellCount where withCells && bytes.count >= QueueLayout.pageSize {
    let cell = QueueLayout.cell(index)
    if bytes[cell + 8] != 0 { bytes.sign(cell + 8..<cell + QueueLayout.cellLength, at: cell, seed: 0) }
  }
  var offset = QueueLayout.pageSize
  for _ in 0..<16 where offset < bytes.count {
    let length = Int(bytes.word(offset + 16) & 0xFFFF_FFFF)
    if length < QueueRecord.headerLength { break }
    bytes.sign(offset + 16..<offset + length, at: offset + 8, seed: 0)
    offset += QueueRecord.padded(length)
  }
  return bytes
}
