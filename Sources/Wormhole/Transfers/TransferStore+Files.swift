/// The files in transit of one directory, `f-<number>` in the hidden folder.
///
/// Each belongs to one record, in a queue or set aside, which carries its number; who is done with the record removes it.
/// From being named to being recorded its maker holds the lock of byte 0, and so does a receiver while its handler has it:
/// 1. A sender copies into a locked temporary. — A crash leaves a temporary, swept by whoever comes next.
/// 2. It links the temporary to its lasting name. — A crash leaves both names and no lock; who opens the wormhole finds
///    the temporary with its second name, and sweeps both, unless
/// 3. the record was appended. — The transfer counts. A crash leaves the temporary, and only that is swept.
/// 4. It removes the temporary name and unlocks.
/// 5. A receiver notes the record as taken, then removes the file unless another subscriber is still to take it. — A
///    crash in between leaves a file that no record leads to; the next program to receive sweeps it.
extension TransferStore {
  /// The directories of which this process has swept the files.
  private static let swept = Lock<Set<Path>>([])
  private static let prefix = Array("f-".utf8)

  /// Where the file of this number is.
  func filePath(_ number: UInt64) -> Path {
    archives.hidden.appending(FileName(Self.prefix + Array(String(number, radix: 16).utf8)))
  }

  /// Removes a file whose record is done with.
  func removeFile(_ number: UInt64) { try? FileSystem.remove(filePath(number)) }

  /// The numbers of the files that are there.
  private func fileNumbers() -> Set<UInt64> {
    var numbers: Set<UInt64> = []
    try? FileSystem.forEachName(in: archives.hidden) { name in
      guard name.bytes.starts(with: Self.prefix) else { return }
      let digits = String(decoding: name.bytes.dropFirst(Self.prefix.count), as: UTF8.self)
      if let number = UInt64(digits, radix: 16) { numbers.insert(number) }
    }
    return numbers
  }

  /// Throws when the files in transit and `size` more bytes pass the limit; a file that is alone always fits.
  func checkFileRoom(for size: Int, limit: Int) throws(WormholeError) {
    if isRoom(for: size, limit: limit).isRoom { return }
    sweepFiles()
    let (isRoom, inTransit) = isRoom(for: size, limit: limit)
    guard !isRoom else { return }
    throw WormholeError(
      .queueFull, path: archives.hidden.description,
      reason: "files of \(inTransit) bytes are in transit and \(size) more pass the limit of \(limit); "
        + "start a receiver, or raise fileLimit")
  }

  private func isRoom(for size: Int, limit: Int) -> (isRoom: Bool, inTransit: Int) {
    let sizes = fileNumbers().map { (try? FileSystem.status(of: filePath($0)).size) ?? 0 }
    let inTransit = sizes.reduce(0) { $0 &+ $1 }
    return (inTransit == 0 || inTransit + size <= limit, inTransit)
  }

  /// Sweeps once a process and directory: files that no record leads to are rare, and to know them takes reading all.
  func sweepFilesOnce() {
    if Self.swept.withLock({ $0.insert(archives.hidden).inserted }) { sweepFiles() }
  }

  /// Removes the files that no record leads to; none while something cannot be read that may lead to one.
  ///
  /// Complexity: linear in the bytes that are outstanding or set aside, where there is any file.
  func sweepFiles() {
    var candidates = fileNumbers()
    if !candidates.isEmpty {
      guard let recorded = try? recordedFiles() else { return }
      candidates.subtract(recorded)
    }
    while !candidates.isEmpty {
      // The lock first, then the look: who still held it when it was named has recorded it since, or never will.
      var locked: [(number: UInt64, file: LockedFile)] = []
      for number in candidates.prefix(64) {
        candidates.remove(number)
        if let file = LockedFile(filePath(number)) { locked.append((number, file)) }
      }
      if locked.isEmpty { continue }
      guard let recorded = try? recordedFiles() else { return }
      for (number, _) in locked where !recorded.contains(number) { removeFile(number) }
    }
    Temporary.sweep(archives.hidden, isFinal: true)
  }

  /// The numbers of all files that a record leads to, outstanding for whomever or set aside.
  private func recordedFiles() throws(WormholeError) -> Set<UInt64> {
    var numbers: Set<UInt64> = []
    for identifier in try identifiers() {
      try ownQueue(identifier).forEachOutstanding(limit: .max) { _, record in
        if let number = record.file { numbers.insert(number) }
      }
    }
    for item in try setAsideItems(nil, requiringAll: true) {
      if let number = item.record.file { numbers.insert(number) }
    }
    return numbers
  }

  /// Gives the file of a record that goes to another place a further number, runs `body` with the record that leads to
  /// that, and lets the file be swept when `body` throws.
  func withRenumberedFile(
    of record: QueueRecord, _ body: (QueueRecord) throws(WormholeError) -> Void
  ) throws(WormholeError) {
    guard let number = record.file else { return try body(record) }
    let path = filePath(number)
    guard let file = try openFile(path) else {
      // The metadata is not to be lost with the file.
      return try body(record)
    }
    let next = randomNumber()
    do throws(Errno) { try FileSystem.link(path, to: filePath(next)) } catch {
      guard Temporary.linkRefusals.contains(error) else { throw WormholeError(error, "cannot link the file", path) }
      var copy = try copy(of: file, path)
      try attempt("cannot name the file", path) { () throws(Errno) in try copy.link(to: filePath(next)) }
      try recording(next) { () throws(WormholeError) in try body(record.withFile(next)) }
      copy.end()
      return
    }
    try recording(next) { () throws(WormholeError) in try body(record.withFile(next)) }
    try? file.unlock(at: 0)
  }

  /// Records a file that has its name; what throws leaves none.
  func recording<R>(_ number: UInt64, _ body: () throws(WormholeError) -> R) throws(WormholeError) -> R {
    do throws(WormholeError) { return try body() } catch {
      removeFile(number)
      throw error
    }
  }

  /// Opens and locks a file in transit; nil when it is gone.
  func openFile(_ path: Path) throws(WormholeError) -> FileDescriptor? {
    do throws(Errno) {
      let file = try FileDescriptor.open(path, OpenFlags.readWrite)
      guard try file.status().kind == .regular else { return nil }
      guard try file.lock(.exclusive, at: 0, timeout: QueueFile.lockTimeout) else { throw .timedOut }
      return file
    } catch {
      if error == .noEntry || error == .symbolicLinkLoop { return nil }
      throw WormholeError(error, "cannot open the file in transit", path)
    }
  }

  /// A locked temporary that holds the same as a file.
  func copy(of file: borrowing FileDescriptor, _ path: Path) throws(WormholeError) -> Temporary {
    let status = try attempt("cannot look at the file in transit", path) { () throws(Errno) in try file.status() }
    let temporary = try attempt("cannot copy the file", archives.hidden) { () throws(Errno) in
      try Temporary.make(in: archives.hidden, mode: status.mode & 0o777)
    }
    _ = try FileCopy(from: path, to: archives.hidden).run(file, size: status.size, to: temporary.file)
    return temporary
  }
}

/// A file that was found and locked, as long as it lives.
private final class LockedFile {
  private let file: FileDescriptor

  /// Locks a file at once; nil when that cannot be.
  init?(_ path: Path) {
    guard let file = try? FileDescriptor.open(path, OpenFlags.readWrite), (try? file.tryLock(.exclusive, at: 0)) == true
    else { return nil }
    self.file = file
  }
}
