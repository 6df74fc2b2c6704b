import TestSupport
import Testing
import Wormhole

extension MessageIdentifier<Int> { fileprivate static let volume = Self("volume") }
extension MessageIdentifier<[String: [Double]]> { fileprivate static let curves = Self("curves/of a.song") }

@Suite(.ownThread) struct SharedDefaultsTests {
  /// A directory with the groups of this test, and the environment of programs that share it.
  private let home: TemporaryDirectory
  /// The suite as this process has it.
  private let defaults: SharedDefaults

  init() throws {
    home = try TemporaryDirectory(.memory)
    defaults = try SharedDefaults(container: home.appending("group.test"))
  }

  /// Another program that has the suite.
  private func helper(_ arguments: String...) throws -> HelperProcess {
    try HelperProcess("wormhole-test-helper", arguments, environment: ["WORMHOLE_HOME": home.path])
  }

  @Test("Two processes set a thousand keys each while a third watches: all are stored, and all are seen")
  func thousands()
    async throws
  {
    let keys = try await blocking {
      let watcher = try helper("watch-defaults", "group.test", "2000")
      #expect(try watcher.nextLine() == "watching")
      let setters = try ["left", "right"].map { try helper("set-defaults", "group.test", $0, "1000") }
      for setter in setters { #expect(try setter.nextLine() == "ready") }
      for setter in setters { setter.write("go\n") }
      for setter in setters { #expect(try setter.nextLine() == "done") }
      #expect(try watcher.nextLine() == "saw 2000")
      return try defaults.keys()
    }
    #expect(Set(keys) == Set(["left", "right"].flatMap { name in (0..<1000).map { "\(name) \($0)" } }))
    for number in 0..<1000 {
      #expect(try defaults.value(forKey: MessageIdentifier<Int>("left \(number)")) == number)
      #expect(try defaults.value(forKey: MessageIdentifier<Int>("right \(number)")) == number)
    }
  }

  @Test("Two processes that set the same keys leave one of the two values, whole") func sameKeys() async throws {
    try await blocking {
      let setters = try (0..<2).map { _ in try helper("set-defaults", "group.test", "both", "200") }
      for setter in setters { #expect(try setter.nextLine() == "ready") }
      for setter in setters { setter.write("go\n") }
      for setter in setters { #expect(try setter.nextLine() == "done") }
    }
    for number in 0..<200 {
      #expect(try defaults.value(forKey: MessageIdentifier<Int>("both \(number)")) == number)
    }
  }

  @Test("A registered value holds until one is set and after it is removed, in its own object only") func registering()
    throws
  {
    let other = try SharedDefaults(container: home.appending("group.test"))
    #expect(try defaults.value(forKey: .volume) == nil)
    try defaults.register(50, forKey: .volume)
    #expect(try defaults.value(forKey: .volume) == 50)
    #expect(try other.value(forKey: .volume) == nil)
    #expect(try defaults.keys().isEmpty)
    try other.set(70, forKey: .volume)
    #expect(try defaults.value(forKey: .volume) == 70)
    // Registering says what holds where nothing is set; it sets nothing.
    try defaults.register(60, forKey: .volume)
    #expect(try defaults.value(forKey: .volume) == 70)
    try defaults.removeValue(forKey: "volume")
    try defaults.removeValue(forKey: "volume")
    #expect(try defaults.value(forKey: .volume) == 60)
    #expect(try other.value(forKey: .volume) == nil)
  }

  @Test("Values keep their types, keys are any text, and a value of another type is an error and stays") func types()
    throws
  {
    try defaults.set(["bass": [0.5, -1e-9]], forKey: .curves)
    try defaults.set(7, forKey: .volume)
    #expect(try defaults.value(forKey: .curves) == ["bass": [0.5, -1e-9]])
    #expect(try Set(defaults.keys()) == ["curves/of a.song", "volume"])
    do {
      _ = try defaults.value(forKey: MessageIdentifier<String>("volume"))
      Issue.record("a number was read as text")
    } catch { #expect(error.code == .cannotDecode) }
    #expect(try defaults.value(forKey: .volume) == 7)
    #expect(try SharedDefaults(container: home.appending("group.other")).keys().isEmpty)
    #expect(throws: WormholeError.self) { try SharedDefaults(suiteName: "../up") }
    #expect(throws: WormholeError.self) { try defaults.set(1, forKey: MessageIdentifier<Int>("")) }
  }

  @Test("Updates of several objects at once are not lost, and begin with the registered value") func updating()
    async throws
  {
    try defaults.register(100, forKey: .volume)
    let path = home.appending("group.test")
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          let mine = try SharedDefaults(container: path)
          try mine.register(100, forKey: .volume)
          for _ in 0..<50 { try mine.update(forKey: .volume, default: 0) { $0 += 1 } }
        }
      }
      try await group.waitForAll()
    }
    #expect(try defaults.value(forKey: .volume) == 300)
  }

  @Test("Changes of a key come from other processes: what was set, what a removal leaves, what cannot be read")
  func changes()
    async throws
  {
    try defaults.register(1, forKey: MessageIdentifier<Int>("left 0"))
    let (inbox, errors) = (Inbox<Int?>(), Inbox<WormholeError.Code>())
    let token = try defaults.listenForChanges(
      forKey: MessageIdentifier<Int>("left 0"), onError: { errors.put($0.code) }, handler: { inbox.put($0) })
    try await blocking {
      let setter = try helper("set-defaults", "group.test", "left", "1")
      #expect(try setter.nextLine() == "ready")
      setter.write("go\n")
      #expect(try setter.nextLine() == "done")
    }
    #expect(try await inbox.next() == 0)
    try defaults.removeValue(forKey: "left 0")
    #expect(try await inbox.next() == 1)
    try defaults.set("text", forKey: MessageIdentifier<String>("left 0"))
    #expect(try await errors.next() == .cannotDecode)
    token.cancel()
    try defaults.set(5, forKey: MessageIdentifier<Int>("left 0"))
    #expect(inbox.all.isEmpty)
  }
}
