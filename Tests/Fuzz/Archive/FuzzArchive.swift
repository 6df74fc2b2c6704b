import FuzzSupport

@testable import Wormhole

/// The mailboxes that read the input; a small limit, so that a claimed length is seen to be refused.
private let archives = try? Archives(
  directory: FuzzPlace.directory, options: WormholeOptions(messageSizeLimit: 1 << 20, retention: 4096))

/// Reads the input as an archive, then sends over it: what was sent must be read back, or sending must have refused.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzArchive(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let input = FuzzInput(start, count), let archives else { return 0 }
  FuzzPlace.hurrying { use(archives, input) }
  return 0
}

private func use(_ archives: Archives, _ input: FuzzInput) {
  FuzzPlace.put(input.has(0) ? signed(input.bytes) : input.bytes, "n.archive")
  _ = try? archives.newest("n")
  _ = archives.look(at: "n", after: nil, every: true)
  _ = archives.look(at: "n", after: Position(identity: input.bytes.word(16), sequence: 1), every: input.has(1))
  _ = try? archives.summary(of: "n")
  let text = [UInt8](repeating: UInt8(ascii: "7"), count: input.has(2) ? 5000 : 5)
  let durability: Durability = input.has(3) ? .durable : .cached
  if input.has(4) {
    _ = try? archives.append(Draft(payload: nil, sender: 1, origin: "fuzz"), to: "n")
  }
  do throws(WormholeError) {
    let draft = Draft(payload: Payload(bytes: text, codec: .json), sender: 1, origin: "fuzz", durability: durability)
    _ = try archives.append(draft, to: "n")
  } catch {
    precondition(!error.reason.isEmpty)
    return
  }
  let stored = try? archives.newest("n")?.record.payload?.bytes
  precondition(stored == text, "the message that was sent last is not the stored one")
  try? archives.clear("n")
  precondition((try? archives.newest("n")) == nil, "a cleared mailbox still has a message")
}

/// The same bytes with the checksums of header, commit block and the records that it leads to put right.
private func signed(_ input: [UInt8]) -> [UInt8] {
  var bytes = input
  let identity = bytes.word(16)
  bytes.sign(0..<40, at: 40, seed: identity)
  for place in [16, 40, 64] {
    var (offset, length) = (bytes.word(512 + place), bytes.word(512 + place + 8))
    for _ in 0..<8 where offset < 1 << 32 && length >= 128 && length < 1 << 32 {
      let start = Int(offset)
      bytes.sign(start + 8..<start + Int(length), at: start, seed: identity)
      (offset, length) = (bytes.word(start + 40), bytes.word(start + 48))
    }
  }
  bytes.sign(520..<600, at: 512, seed: identity)
  return bytes
}
