import TodoModel
package import Wormhole

/// A watch that is on: it follows the phone's list, takes groceries, hears messages and sends toggles and replies.
package final class WatchSession: Sendable {
  /// What the watch does with its wormhole.
  package let store: WatchStore
  private let report: @Sendable (WatchScreen.News) -> Void
  private let toggles: OutstandingWatch
  private let service: Service

  /// Turns the watch on; from now on every change is reported, beginning with how things stand.
  package init(_ wormhole: Wormhole, report: @escaping @Sendable (WatchScreen.News) -> Void) throws {
    let store = WatchStore(wormhole)
    self.store = store
    self.report = report
    let toggles = OutstandingWatch(wormhole, identifier: MessageIdentifier<WatchToggle>.toDoToggles.name) {
      report(.waiting($0.compactMap(\.toggledItem)))
    }
    self.toggles = toggles
    let trouble: @Sendable (any Error) -> Void = { report(.notice(Notice("\($0)", isProblem: true))) }
    service = Service {
      // The watches share one place in the queue: whichever has it takes a pick for all, and another goes on after it.
      let picks = try wormhole.receiveTransfers(
        Payload.self, identifier: MessageIdentifier<String>.toDoPicks.name, onError: trouble
      ) { try store.take($0) }
      let messages = try wormhole.respond(to: .toDoMessages) { message in
        try store.hear(message.value)
        return true
      }
      return [picks, messages]
    }

    try wormhole.listenForEvents(
      Payload.self, identifiers: [MessageIdentifier<WatchToggle>.toDoToggles.name]
    ) { _ in toggles.look() }
    try wormhole.follow(.toDoConversation, empty: Conversation(), onError: trouble) { report(.conversation($0)) }
    try wormhole.follow(.toDoGroceries, empty: GroceryList(), onError: trouble) { report(.groceries($0)) }
    try followList(trouble)
    try service.turnOn()
    let reachability = try wormhole.reachability(
      identifier: MessageIdentifier<[TodoItem]>.toDoListItems.name, for: .requests)
    Task {
      for await isReachable in reachability {
        report(.phoneIsReachable(isReachable))
        toggles.look()
      }
    }
    toggles.look()
  }

  /// Follows the phone's list: first it is asked for, then each change is passed; a passed one is never the older.
  private func followList(_ trouble: @escaping @Sendable (any Error) -> Void) throws {
    let hasHeard = Lock(false)
    try store.wormhole.follow(.toDoListItems, empty: [], options: [], onError: trouble) { [report, toggles] items in
      hasHeard.withLock { hasHeard in
        hasHeard = true
        report(.items(items))
      }
      toggles.look()
    }
    Task { [store, report] in
      do throws(WormholeError) {
        let items = try await store.items()
        hasHeard.withLock { if !$0 { report(.items(items)) } }
      } catch {
        trouble(error)
      }
    }
  }

  /// Turns the watch off while the program is stopped, and on again; what does not work is remarked.
  package func setOn(_ isOn: Bool) {
    guard isOn else { return service.turnOff() }
    do { try service.turnOn() } catch { report(.notice(Notice("\(error)", isProblem: true))) }
  }

  /// Does what a key asked for, `.quit` apart; what does not work is remarked.
  package func perform(_ action: WatchScreen.Action) {
    do {
      switch action {
      case .toggle(let id):
        try store.toggle(id)
        toggles.look()
      case .reply(let reply): self.reply(reply)
      case .clearGroceries: try store.clearGroceries()
      case .quit: break
      }
    } catch {
      report(.notice(Notice("\(error)", isProblem: true)))
    }
  }

  /// Sends a reply and reports what became of it.
  private func reply(_ reply: QuickReply) {
    Task { [store, report] in
      do throws(WormholeError) {
        try await store.reply(reply)
        report(.replied(reply, problem: nil))
      } catch {
        report(.replied(reply, problem: error.inChat(other: "phone")))
      }
    }
  }
}
