import Wormhole

/// A wormhole as a measurement wants it: how much is in its directory, and how much the process has open.
struct WormholeSetting {
  /// The directory.
  var directory: String
  /// How many identifiers each process listens to, of which one is used.
  var identifiers = 1
  /// How many wormholes each process has open on the directory, all listening, of which one is used.
  var wormholes = 1

  /// Reads what `arguments` wrote.
  init(_ arguments: ArraySlice<String>) {
    directory = arguments.first ?? ""
    identifiers = Int(arguments.dropFirst().first ?? "") ?? 1
    wormholes = Int(arguments.dropFirst(2).first ?? "") ?? 1
  }

  /// A setting.
  init(directory: String, identifiers: Int = 1, wormholes: Int = 1) {
    self.directory = directory
    self.identifiers = identifiers
    self.wormholes = wormholes
  }

  /// The setting as arguments of another process.
  var arguments: [String] { [directory, String(identifiers), String(wormholes)] }

  /// Opens what is wanted; the first is the one to use.
  func open() throws(WormholeError) -> [Wormhole] {
    var opened: [Wormhole] = []
    for _ in 0..<wormholes { opened.append(try Wormhole(directory: directory)) }
    for wormhole in opened.dropFirst() {
      try wormhole.listenForMessage([UInt8].self, identifier: Self.other(1)) { _ in }
    }
    for number in stride(from: 1, to: identifiers, by: 1) {
      try opened[0].listenForMessage([UInt8].self, identifier: Self.other(number)) { _ in }
    }
    return opened
  }

  /// Fills the directory with as many stored messages as there are to be identifiers.
  func fill() throws(WormholeError) {
    let wormhole = try Wormhole(directory: directory)
    for number in stride(from: 1, to: identifiers, by: 1) {
      try wormhole.passMessage([UInt8](repeating: 0, count: 128), identifier: Self.other(number))
    }
  }

  /// The name of an identifier that is there but not used.
  static func other(_ number: Int) -> String { "other-\(number)" }
}
