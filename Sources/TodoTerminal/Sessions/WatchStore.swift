package import TodoModel
package import Wormhole

/// A watch's end of the wormhole: what it reads of the phone's, what it sends, and the groceries that the watches share.
package struct WatchStore: Sendable {
  /// The wormhole that the phone opens too.
  package let wormhole: Wormhole

  /// A watch's end of a wormhole.
  package init(_ wormhole: Wormhole) { self.wormhole = wormhole }

  /// The items not done: of the phone itself when it is there, else as it passed them last.
  package func items() async throws(WormholeError) -> [TodoItem] {
    do throws(WormholeError) {
      return try await wormhole.request(
        true, identifier: MessageIdentifier<[TodoItem]>.toDoListItems.name, as: [TodoItem].self, timeout: .seconds(1))
    } catch {
      return try wormhole.message(.toDoListItems) ?? []
    }
  }

  /// The items not done with the toggles that wait for the phone, both as they are at one moment.
  package func list() async throws(WormholeError) -> WatchList {
    var waiting = try toggles()
    // A toggle that is applied between the two would be missing in both.
    for _ in 0..<100 {
      let items = try await items()
      let still = try toggles()
      if still.map(\.sequence) == waiting.map(\.sequence) {
        return WatchList(items: items, waiting: still.compactMap(\.toggledItem))
      }
      waiting = still
    }
    return WatchList(items: try await items(), waiting: waiting.compactMap(\.toggledItem))
  }

  /// The toggles that wait for the phone, oldest first.
  private func toggles() throws(WormholeError) -> [Transfer] {
    try wormhole.outstandingTransfers(identifier: MessageIdentifier<WatchToggle>.toDoToggles.name)
  }

  /// Whether an item has this number, done or not; what the phone stores tells it also while the phone is off.
  package func knows(_ id: Int) throws(WormholeError) -> Bool { try wormhole.message(.toDoList)?.item(id) != nil }

  /// Transfers a toggle to the phone and lets the other watches know that it waits.
  @discardableResult
  package func toggle(_ id: Int) throws(WormholeError) -> Transfer {
    let transfer = try wormhole.transfer(WatchToggle(id: id), identifier: .toDoToggles)
    try wormhole.signal(identifier: MessageIdentifier<WatchToggle>.toDoToggles.name)
    return transfer
  }

  /// Sends a reply by its number to a phone that is there now, and returns when it is in the conversation.
  package func reply(_ reply: QuickReply) async throws(WormholeError) {
    _ = try await wormhole.request(
      reply.rawValue, identifier: MessageIdentifier<Int>.toDoReplies.name, as: Bool.self)
  }

  /// Whether the phone is there now.
  package func phoneIsReachable() throws(WormholeError) -> Bool {
    try wormhole.isReachable(identifier: MessageIdentifier<[TodoItem]>.toDoListItems.name)
  }

  /// The groceries that the watches have taken.
  package func groceries() throws(WormholeError) -> GroceryList {
    try wormhole.message(.toDoGroceries) ?? GroceryList()
  }

  /// Takes a pick that the phone transferred, exactly once, for all watches; what is no text is taken as well.
  package func take(_ pick: Message<Payload>) throws {
    let entry = try? pick.value.decoded(as: String.self, identifier: pick.identifier)
    try wormhole.updateMessage(.toDoGroceries, default: GroceryList()) {
      $0.take(entry, sequence: pick.sequence, redelivered: pick.isRedelivered)
    }
  }

  /// Takes the picks that wait for a watch, or waits while one that is on does; returns how many are left then.
  package func takePicks() throws(WormholeError) -> Int {
    let name = MessageIdentifier<String>.toDoPicks.name
    return try Taking.all(of: name, in: wormhole) { () throws(WormholeError) in
      try wormhole.receiveTransfers(Payload.self, identifier: name) { try take($0) }
    }
  }

  /// Forgets all groceries.
  package func clearGroceries() throws {
    try wormhole.updateMessage(.toDoGroceries, default: GroceryList()) { $0.clear() }
  }

  /// Adds a line that the phone said to the conversation.
  package func hear(_ text: String) throws {
    let line = ChatLine(text: try Line.cleaned(text, what: "a message"))
    try wormhole.updateMessage(.toDoConversation, default: Conversation()) { $0.append(line) }
  }
}

extension Transfer {
  /// The item that is to be turned, nil when the transfer has been taken or is no toggle.
  var toggledItem: Int? { (try? message(WatchToggle.self))?.value.id }
}
