/// How far the copying of a file is.
public struct FileProgress: Hashable, Sendable {
  /// How many bytes are copied.
  public let bytes: Int
  /// How many there are.
  public let total: Int
}

/// Copies what a file holds into a new one: by sharing its blocks where the file system can, else in the kernel, piece by
/// piece, else through one buffer. Holes stay holes.
struct FileCopy {
  /// What is copied, and where to, as errors name them.
  let (source, target): (Path, Path)
  /// How many bytes are copied at once, between two calls of `progress`.
  private static let pieceLength = 16 << 20
  /// How many bytes go through this process at once where the kernel cannot copy.
  private static let bufferLength = 1 << 20
  /// What the kernel says when it cannot copy between two files, rather than when copying fails.
  private static let refusals: [Errno] = [.crossDevice, .invalidArgument, .notSupported, .noSystemCall, .notPermitted]

  /// A copy from a file into another or into a folder.
  init(from source: Path, to target: Path) {
    self.source = source
    self.target = target
  }

  /// Copies `size` bytes and says how many they were; what `progress` throws ends it.
  ///
  /// A file whose size is said to be 0 is read to its end, since the kernel's own files say so.
  func run(
    _ from: borrowing FileDescriptor, size: Int, to: borrowing FileDescriptor,
    _ progress: (FileProgress) throws(WormholeError) -> Void = { _ in }
  ) throws(WormholeError) -> Int {
    if size > 0, (try? to.clone(from)) != nil {
      let size = try reading { () throws(Errno) in try to.status().size }
      try progress(FileProgress(bytes: size, total: size))
      return size
    }
    if size == 0 { return try readToEnd(from, to) }
    var isInKernel = true
    var offset = 0
    while let data = try reading({ () throws(Errno) in try from.nextData(at: offset, end: size) }) {
      offset = data.lowerBound
      while offset < data.upperBound {
        let length = min(Self.pieceLength, data.upperBound - offset)
        let place = offset
        let count = try reading { () throws(Errno) in
          try copyPiece(from, to, at: place, length: length, &isInKernel)
        }
        guard count > 0 else { throw becameShorter }
        offset += count
        try progress(FileProgress(bytes: offset, total: size))
      }
    }
    try reading { () throws(Errno) in
      // Behind the last data may be a hole, and a file that was cut meanwhile seems to be one.
      guard try from.status().size >= size else { throw .wouldBlock }
      try to.truncate(to: size)
    }
    if offset < size { try progress(FileProgress(bytes: size, total: size)) }
    return size
  }

  private var becameShorter: WormholeError {
    WormholeError(
      .unreadableFile, path: source.description,
      reason: "the file became shorter while it was copied; transfer it when nobody writes to it")
  }

  /// Copies some bytes; 0 at the end of the source.
  private func copyPiece(
    _ from: borrowing FileDescriptor, _ to: borrowing FileDescriptor, at offset: Int, length: Int,
    _ isInKernel: inout Bool
  ) throws(Errno) -> Int {
    if isInKernel {
      do throws(Errno) {
        let count = try to.copySome(from: from, at: offset, length: length)
        if count > 0 { return count }
      } catch {
        guard Self.refusals.contains(error) else { throw error }
      }
      isInKernel = false
    }
    return try copyThroughBuffer(from, to, at: offset, length: min(length, Self.bufferLength))
  }

  private func copyThroughBuffer(
    _ from: borrowing FileDescriptor, _ to: borrowing FileDescriptor, at offset: Int, length: Int
  ) throws(Errno) -> Int {
    var buffer = [UInt8](repeating: 0, count: length)
    return try buffer.withMutableRawBytes { buffer throws(Errno) in
      let count = try from.read(into: buffer, at: offset)
      try to.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset)
      return count
    }
  }

  private func readToEnd(
    _ from: borrowing FileDescriptor, _ to: borrowing FileDescriptor
  ) throws(WormholeError) -> Int {
    try reading { () throws(Errno) in
      var offset = 0
      while true {
        let count = try copyThroughBuffer(from, to, at: offset, length: Self.bufferLength)
        if count == 0 { return offset }
        offset += count
      }
    }
  }

  /// Runs system calls of the copying; an error names the side that it is about.
  private func reading<R>(_ body: () throws(Errno) -> R) throws(WormholeError) -> R {
    do throws(Errno) { return try body() } catch {
      switch error {
      case .wouldBlock: throw becameShorter
      case .noSpace, .quotaExceeded, .readOnly: throw WormholeError(error, "cannot copy the file", target)
      default: throw WormholeError(error, "cannot copy the file", source)
      }
    }
  }
}
