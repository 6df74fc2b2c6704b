import Testing

import Wormhole

/// XXH64 against its published values and against itself.
@Suite("Checksum")
struct ChecksumTests {
  /// The generator that XXH64's own self-test fills its buffer with.
  private static let buffer: [UInt8] = {
    var generator: UInt64 = 2_654_435_761
    return (0..<222).map { _ in
      defer { generator &*= 11_400_714_785_074_694_797 }
      return UInt8(generator >> 56)
    }
  }()

  @Test(
    "The values of the reference implementation come out",
    arguments: [
      (0, 0, 0xEF46_DB37_51D8_E999), (0, 2_654_435_761, 0xAC75_FDA2_929B_17EF), (1, 0, 0xE934_A84A_DB05_2768),
      (1, 2_654_435_761, 0x5014_6076_43A9_B4C3), (4, 0, 0x9136_A0DC_A57457EE), (14, 0, 0x8282_DCC4_994E_35C8),
      (222, 0, 0xB641_AE8C_B691_C174), (222, 2_654_435_761, 0x20CB_8AB7_AE10_C14A),
    ] as [(Int, UInt64, UInt64)])
  func reference(count: Int, seed: UInt64, value: UInt64) {
    let bytes = Array(Self.buffer.prefix(count))
    #expect(bytes.withUnsafeBytes { Checksum.of($0, seed: seed) } == value)
  }

  @Test("The value does not depend on where the parts are cut")
  func parts() {
    let bytes = Self.buffer
    bytes.withUnsafeBytes { buffer in
      let whole = Checksum.of(buffer, seed: 3)
      for first in 0...buffer.count {
        for second in Swift.stride(from: first, through: buffer.count, by: 13) {
          var checksum = Checksum(seed: 3)
          checksum.update(UnsafeRawBufferPointer(rebasing: buffer[..<first]))
          checksum.update(UnsafeRawBufferPointer(rebasing: buffer[first..<second]))
          checksum.update(UnsafeRawBufferPointer(rebasing: buffer[second...]))
          #expect(checksum.value == whole)
        }
      }
    }
  }
}
