import FoundationEssentials
import FuzzSupport
import Wormhole

@testable import CommandLineTool

/// Reads the input as JSON Lines; what is to be sent of a line must come out again when its event is printed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStream(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  for line in bytes.split(separator: 0x0A) {
    do throws(ToolError) {
      let read = try StreamLine(Array(line))
      guard case .send(let payload) = read.action else { continue }
      let message = Message(
        identifier: read.identifier, value: payload, sequence: 1, sent: Date(timeIntervalSince1970: 0), origin: "fuzz")
      let printed = try MessageFormatter(.json).line(of: .message(message))
      let again = try StreamLine(printed?.dropLast() ?? [])
      precondition(again.identifier.utf8.elementsEqual(read.identifier.utf8), "the identifier has become another")
      guard case .send(let second) = again.action else { preconditionFailure("a message has become none") }
      let expected = payload.codec == .json ? try? JSON.compacted(payload.bytes) : payload.bytes
      precondition(second.bytes == expected, "a message has become another")
      _ = try? MessageFormatter(.text, showsIdentifier: true).line(of: .message(message))
    } catch {
      precondition(error.exitCode == .badData && error.message != nil)
    }
  }
  return 0
}
