import FuzzSupport

@testable import Wormhole

/// Judges the input as somebody else's file: JSON, property lists, bytes; what is made of it must be JSON.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzForeign(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  let codec = ForeignFile.codec(of: bytes)
  let payload = Payload(bytes: bytes, codec: codec)
  _ = try? payload.decoded(as: [String: Double].self, identifier: "n")
  _ = try? payload.decoded(as: [[String]].self, identifier: "n")
  _ = try? JSON.members(of: bytes)
  if codec == .json {
    _ = try? JSON.value(in: bytes)
    let compact = try? JSON.compacted(bytes)
    precondition(compact != nil, "what is JSON cannot be compacted")
    precondition((try? JSON.compacted(compact ?? [])) == compact, "compacting twice differs from once")
  }
  if let json = PropertyList.json(of: bytes, limit: 1 << 20) {
    precondition(json.count <= 1 << 20, "the limit does not hold")
    precondition((try? JSON.check(json)) != nil, "a property list was made into what is no JSON")
  }
  return 0
}
