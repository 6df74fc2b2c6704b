import Glibc

/// What a symbolic link holds, readlink(2); nil when it is none.
func linkTarget(_ path: String) -> String? {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { buffer in
    guard let start = buffer.baseAddress else { return nil }
    let count = readlink(path, start, buffer.count)
    return count < 0 ? nil : String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
