import FoundationEssentials
import Glibc
import Wormhole

/// The kind of machine and of build, without which no figure means anything.
struct Machine: Sendable, Codable {
  /// The processor as the kernel calls it.
  let processor: String
  /// How many of its cores are in use.
  let cores: Int
  /// The kernel and its release.
  let kernel: String
  /// The directories that were used, by file system.
  let places: [String: String]
  /// Whether the program is built for speed.
  let isRelease: Bool
  /// Whether this was a short run.
  let isQuick: Bool
  /// When it was measured, RFC 3339.
  let date: String

  /// Looks at the machine.
  init(places: [Place], isQuick: Bool) {
    let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model = information.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last
    processor = model.map { $0.drop { $0 == " " } }.map(String.init) ?? "unknown processor"
    cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    var name = utsname()
    uname(&name)
    kernel = Self.text(name.sysname) + " " + Self.text(name.release)
    self.places = Dictionary(places.map { ($0.fileSystem, $0.base) }) { first, _ in first }
    #if DEBUG
      isRelease = false
    #else
      isRelease = true
    #endif
    self.isQuick = isQuick
    date = Date().ISO8601Format()
  }

  /// The same for people.
  var text: String {
    var text = "Wormhole, measured \(date) on \(cores) cores of \(processor), \(kernel)"
    for (fileSystem, base) in places.sorted(by: { $0.key < $1.key }) { text += ", \(fileSystem) at \(base)" }
    if isQuick { text += "\nA quick run: few samples, so look at the order of magnitude only." }
    if !isRelease { text += "\nA debug build: its figures mean nothing; use swift run -c release." }
    return text
  }

  /// The text in an array of characters that C knows by its first NUL.
  private static func text<T>(_ characters: T) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
