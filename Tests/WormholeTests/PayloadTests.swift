import FoundationEssentials
import Testing
@testable import Wormhole

@Suite("Payloads")
struct PayloadTests {
  @Test("bytes pass verbatim, other arrays are encoded, empty ones too")
  func arrays() throws {
    #expect(try Payload(encoding: [UInt8](), codec: .json) == Payload(bytes: [], codec: .bytes))
    #expect(try Payload(encoding: [1, 2] as [UInt8], codec: .json) == Payload(bytes: [1, 2], codec: .bytes))
    #expect(try Payload(encoding: Data([3]), codec: .json) == Payload(bytes: [3], codec: .bytes))
    #expect(try Payload(encoding: [String](), codec: .json) == Payload(bytes: Array("[]".utf8), codec: .json))
    #expect(try Payload(encoding: [1], codec: .json) == Payload(bytes: Array("[1]".utf8), codec: .json))
  }

  @Test("an empty array comes back as the array it was", arguments: [Codec.json, .propertyList])
  func emptyArray(codec: Codec) throws {
    let payload = try Payload(encoding: [String](), codec: codec)
    #expect(try payload.decoded(as: [String].self, identifier: "note") == [])
  }
}

@Suite("The label of a program")
struct LabelTests {
  @Test("A long name is cut to 64 bytes before a character that would not be whole")
  func longName() {
    #expect(WormholeOptions.label(of: "short") == "short")
    #expect(WormholeOptions.label(of: String(repeating: "x", count: 100)) == String(repeating: "x", count: 64))
    #expect(WormholeOptions.label(of: String(repeating: "é", count: 33)) == String(repeating: "é", count: 32))
    #expect(WormholeOptions.label(of: "x" + String(repeating: "é", count: 33)).utf8.count == 63)
  }
}
