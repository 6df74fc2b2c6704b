import CSystem
import Glibc

/// The usual way: each message is written to a temporary, which is renamed over the one before it.
final class RenameFloor: Endpoint {
  private let directory: WatchedDirectory
  private let temporary: UnsafePointer<CChar>
  private let mine: UnsafePointer<CChar>
  private let theirs: UnsafePointer<CChar>
  private let bytes: Int
  private let payload: UnsafeMutableRawPointer
  private let received: UnsafeMutableRawPointer
  private let status = UnsafeMutablePointer<stat>.allocate(capacity: 1)

  /// Opens an end in a directory.
  init(_ side: Side, directory: String, bytes: Int) throws(BenchmarkError) {
    self.directory = try WatchedDirectory(directory, mask: IN_MOVED_TO)
    temporary = ".temporary.\(side.mine)".asLastingCString()
    mine = side.mine.asLastingCString()
    theirs = side.theirs.asLastingCString()
    self.bytes = bytes
    payload = .allocate(byteCount: max(bytes, 8), alignment: 8)
    payload.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "x"), count: max(bytes, 8))
    received = .allocate(byteCount: bytes + 8, alignment: 8)
    status.initialize(to: stat())
  }

  deinit {
    payload.deallocate()
    received.deallocate()
    status.deallocate()
  }

  func send() throws(BenchmarkError) {
    let file = openat(directory.descriptor, temporary, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
    if file == -1 { throw .failed("opening a temporary") }
    if write(file, payload, bytes) != bytes { throw .failed("writing a temporary") }
    close(file)
    if renameat(directory.descriptor, temporary, directory.descriptor, mine) != 0 { throw .failed("renaming") }
  }

  func wait() throws(BenchmarkError) {
    try directory.wait(for: theirs) { () throws(BenchmarkError) in
      let file = openat(directory.descriptor, theirs, O_RDONLY | O_CLOEXEC)
      if file == -1 { throw .failed("opening a message") }
      fstat(file, status)
      if read(file, received, bytes + 8) < 0 { throw .failed("reading a message") }
      close(file)
      return true
    }
  }
}
