import TestSupport
import Testing
import Wormhole

/// The scanner against a second, plainer reading of the same grammar, on texts made by chance from a fixed seed.
@Suite("JSON mutations", .ownThread)
struct JSONMutationTests {
  @Test("Mutated texts are accepted exactly when a plain recursive reading accepts them")
  func mutations() throws {
    var random = FixedRandom(seed: 0x5EED)
    var accepted = 0
    for _ in 0..<30_000 {
      var bytes = Array(randomText(depth: 4, &random).utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) { mutate(&bytes, &random) }
      let isValid = PlainReading.accepts(bytes)
      do {
        let compact = try JSON.compacted(bytes)
        #expect(isValid, "\(bytes)")
        accepted += 1
        // Compact stays compact, and every member is a value by itself.
        #expect(try JSON.compacted(compact) == compact)
        for member in try JSON.members(of: bytes) ?? [] { try JSON.check(Array(bytes[member.value])) }
      } catch {
        #expect(!isValid, "\(bytes): \(error)")
        #expect((0...bytes.count).contains(error.offset))
      }
    }
    // Neither side of the comparison was a formality.
    #expect((8_000...22_000).contains(accepted))
  }

  @Test("Bytes by chance are decoded and encoded without an end of the program")
  func strings() {
    var random = FixedRandom(seed: 7)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let encoded = JSON.encodedString(bytes)
      #expect((encoded == nil) == (String(validating: bytes, as: UTF8.self) == nil))
      if let encoded { #expect(JSON.decodedString(encoded, 0..<encoded.count).text == bytes) }
    }
  }

  /// A text of the grammar, with blanks here and there.
  private func randomText(depth: Int, _ random: inout FixedRandom) -> String {
    let blank = ["", "", "", " ", "\n", "\t "].randomElement(using: &random) ?? ""
    let strings = [#""""#, #""a""#, #""é😀""#, #""\n\u00e9\ud83d""#, #""message""#]
    switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &random) {
    case 0: return blank + (["0", "-1", "1.5", "2e+10", "10.25E-3"].randomElement(using: &random) ?? "")
    case 1: return blank + (["true", "false", "null"].randomElement(using: &random) ?? "")
    case 2, 3: return (strings.randomElement(using: &random) ?? "") + blank
    case 4, 5:
      let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in randomText(depth: depth - 1, &random) }
      return "[\(blank)\(elements.joined(separator: ","))\(blank)]"
    default:
      let members = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        "\(strings.randomElement(using: &random) ?? "")\(blank):\(randomText(depth: depth - 1, &random))"
      }
      return "{\(members.joined(separator: "\(blank),"))\(blank)}"
    }
  }

  /// Changes a byte, takes one away, puts one in or cuts the end.
  private func mutate(_ bytes: inout [UInt8], _ random: inout FixedRandom) {
    let alphabet = Array(#"[]{}:,"\/0123456789.-+eEtrufalsn "#.utf8) + [0x00, 0x0A, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xFF]
    guard let letter = alphabet.randomElement(using: &random), !bytes.isEmpty else { return }
    let index = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes[index] = letter
    case 1: bytes.remove(at: index)
    case 2: bytes.insert(letter, at: index)
    default: bytes.removeLast(Int.random(in: 0...min(3, bytes.count), using: &random))
    }
  }
}

/// A generator of the same numbers at every run, by SplitMix64.
struct FixedRandom: RandomNumberGenerator {
  private var state: UInt64

  /// A generator for `seed`.
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
