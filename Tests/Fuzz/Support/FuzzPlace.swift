import Glibc
import Wormhole

/// Where the files under test lie: in memory, a directory for each process.
package enum FuzzPlace {
  /// The directory.
  package static let directory: String = {
    let path = "/dev/shm/wormhole-fuzz-\(getpid())"
    atexit { FuzzPlace.remove(FuzzPlace.directory) }
    mkdir(path, 0o700)
    return path
  }()

  /// Puts a file with these bytes at a name, a new one each time: what was open before is another file.
  package static func put(_ bytes: [UInt8], _ name: String) {
    let path = "\(directory)/\(name)"
    unlink(path)
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    precondition(file >= 0 && bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == bytes.count)
    close(file)
  }

  /// Runs `body` without any sleep: damage is looked at again and again before it is believed.
  package static func hurrying(_ body: () -> Void) {
    Interception.with({ $0 == .nanosleep ? .answer(0) : nil }, body)
    clean()
  }

  /// Removes what an input has left, so that the next one finds the same.
  package static func clean() {
    for name in names(directory) where name != ".wormhole" { remove("\(directory)/\(name)") }
    for name in names("\(directory)/.wormhole") { unlink("\(directory)/.wormhole/\(name)") }
  }

  private static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    for name in names(path) { remove("\(path)/\(name)") }
    rmdir(path)
  }

  private static func names(_ path: String) -> [String] {
    var names: [String] = []
    try? FileSystem.forEachName(in: Path(path)) { names.append("\($0)") }
    return names
  }
}

/// The input of one run: a byte of choices, then the bytes under test.
package struct FuzzInput {
  /// Eight choices.
  package let choices: UInt8
  /// The bytes under test.
  package let bytes: [UInt8]

  /// The input at `start`; nil when it is empty.
  package init?(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    guard let start, count > 0 else { return nil }
    choices = start[0]
    bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  }

  /// Whether the choice of this number is made.
  package func has(_ choice: Int) -> Bool { choices >> UInt8(choice) & 1 == 1 }
}

extension [UInt8] {
  /// The number at an offset, 0 where the bytes end.
  package func word(_ offset: Int) -> UInt64 {
    guard offset >= 0, offset <= count - 8 else { return 0 }
    return withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
  }

  /// Puts the checksum of a range at an offset, if both are there: what a fuzzer would never guess.
  package mutating func sign(_ range: Range<Int>, at offset: Int, seed: UInt64) {
    guard range.lowerBound >= 0, range.upperBound <= count, offset >= 0, offset <= count - 8 else { return }
    withUnsafeMutableBytes { bytes in
      let sum = Checksum.of(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[range]), seed: seed)
      bytes.storeBytes(of: sum.littleEndian, toByteOffset: offset, as: UInt64.self)
    }
  }
}
