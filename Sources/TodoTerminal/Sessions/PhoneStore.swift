package import TodoModel
package import Wormhole

/// The phone's end of the wormhole: the list that it owns, changed atomically, and what it sends.
///
/// Any number of these may be at work at once, in the full-screen program and in commands: none loses a change of
/// another, since each changes the stored list in one step.
package struct PhoneStore: Sendable {
  /// The wormhole that the watches open too.
  package let wormhole: Wormhole

  /// The phone's end of a wormhole.
  package init(_ wormhole: Wormhole) { self.wormhole = wormhole }

  /// The list as it is stored.
  package func list() throws(WormholeError) -> TodoList { try wormhole.message(.toDoList) ?? TodoList() }

  /// Changes the list in one step, on the disk before this returns, and passes what is not done to the watches.
  package func change<R>(_ body: (inout TodoList) throws -> R) throws -> R {
    // What the last run of the body returned, which is the one that was stored.
    var result: Result<R, any Error> = .failure(CancellationError())
    try wormhole.updateMessage(.toDoList, default: TodoList(), durability: .durable) { list in
      result = .success(try body(&list))
    }
    try publish()
    return try result.get()
  }

  /// Passes the items that are not done to the watches, unless they have been passed already.
  ///
  /// Whoever changed the list does this after its change. The list is read within the update, so what is passed is
  /// never older than what was passed before: of two that pass at once, the slower reads again.
  package func publish() throws {
    struct AlreadyPassed: Error {}
    do {
      try wormhole.updateMessage(.toDoListItems, default: []) { items in
        let open = try list().open
        if items == open, try wormhole.message(.toDoListItems) != nil { throw AlreadyPassed() }
        items = open
      }
    } catch is AlreadyPassed {
      // The watches know.
    } catch let error as WormholeError where error.code == .cannotDecode {
      // Something else was passed under this name; the list takes its place.
      try wormhole.passMessage(try list().open, identifier: .toDoListItems)
    }
  }

  /// Applies a toggle that a watch transferred, exactly once, and says what became of it.
  package func apply(_ toggle: Message<WatchToggle>) throws -> ToggleOutcome {
    try change { $0.apply(toggle.value, sequence: toggle.sequence, redelivered: toggle.isRedelivered) }
  }

  /// Applies the toggles that wait for a phone, or waits while one that is on does; returns how many are left then.
  package func takeToggles() throws(WormholeError) -> Int {
    let toggles = MessageIdentifier<WatchToggle>.toDoToggles
    return try Taking.all(of: toggles.name, in: wormhole) { () throws(WormholeError) in
      try wormhole.receiveTransfers(toggles) { _ = try apply($0) }
    }
  }

  /// Transfers a pick to the watches and lets the phones know that it waits.
  package func pick(_ entry: String) throws(WormholeError) {
    try wormhole.transfer(entry, identifier: .toDoPicks)
    try wormhole.signal(identifier: MessageIdentifier<String>.toDoPicks.name)
  }

  /// Sends a line of chat to a watch that is there now, and returns when it is in the conversation.
  package func say(_ text: String) async throws(WormholeError) {
    _ = try await wormhole.request(text, identifier: MessageIdentifier<String>.toDoMessages.name, as: Bool.self)
  }

  /// Whether a phone is on; to be asked before one's own answers.
  package func isAnotherOn() throws(WormholeError) -> Bool {
    try wormhole.isReachable(identifier: MessageIdentifier<[TodoItem]>.toDoListItems.name)
  }

  /// Whether a watch is there now.
  package func watchIsReachable() throws(WormholeError) -> Bool {
    try wormhole.isReachable(identifier: MessageIdentifier<String>.toDoMessages.name)
  }
}
