import TodoModel
package import Wormhole

/// A phone that is on: it listens to its list, takes the watches' toggles and replies, and answers what they ask.
package final class PhoneSession: Sendable {
  /// What the phone does with its wormhole.
  package let store: PhoneStore
  private let report: @Sendable (PhoneScreen.News) -> Void
  /// Held while the list is read and reported, so that none is reported after a newer one.
  private let reporting = Lock(())
  private let picks: OutstandingWatch
  private let service: Service

  /// Turns the phone on; from now on every change is reported, beginning with how things stand.
  ///
  /// What the watches see is right before they can see the phone, so being reachable comes last.
  package init(_ wormhole: Wormhole, report: @escaping @Sendable (PhoneScreen.News) -> Void) throws {
    let store = PhoneStore(wormhole)
    self.store = store
    self.report = report
    let picks = OutstandingWatch(wormhole, identifier: MessageIdentifier<String>.toDoPicks.name) {
      report(.waitingPicks($0.count))
    }
    self.picks = picks
    let trouble: @Sendable (any Error) -> Void = { report(.notice(Notice("\($0)", isProblem: true))) }

    service = Service {
      let toggles = try wormhole.receiveTransfers(.toDoToggles, onError: trouble) { toggle in
        report(.toggledByWatch(try store.apply(toggle)))
      }
      let replies = try wormhole.respond(to: Payload.self, identifier: MessageIdentifier<Int>.toDoReplies.name) {
        message in
        // What is no number is shown too, as an invalid message.
        let number = try? message.value.decoded(as: Int.self, identifier: message.identifier)
        try wormhole.updateMessage(.toDoConversation, default: Conversation()) { $0.append(ChatLine(reply: number)) }
        return true
      }
      let items = try wormhole.respond(
        to: Payload.self, identifier: MessageIdentifier<[TodoItem]>.toDoListItems.name
      ) { _ in try store.list().open }
      return [toggles, replies, items]
    }

    if try store.isAnotherOn() {
      report(.notice(Notice("another phone is on too: both keep this one list")))
    }
    try wormhole.follow(.toDoList, empty: TodoList(), onError: trouble) { [reporting] _ in
      Self.reportList(of: store, to: report, reporting)
      // A command that was killed between changing the list and passing it leaves that to whoever is there.
      do { try store.publish() } catch { trouble(error) }
    }
    // Others may pick too: commands, and a second phone.
    try wormhole.listenForEvents(Payload.self, identifiers: [MessageIdentifier<String>.toDoPicks.name]) { _ in
      picks.look()
    }
    try wormhole.follow(.toDoConversation, empty: Conversation(), onError: trouble) { report(.conversation($0)) }
    try store.publish()
    try service.turnOn()
    let reachability = try wormhole.reachability(
      identifier: MessageIdentifier<String>.toDoMessages.name, for: .requests)
    Task { for await isReachable in reachability { report(.watchIsReachable(isReachable)) } }
    picks.look()
  }

  /// Turns the phone off while the program is stopped, and on again; what does not work is remarked.
  package func setOn(_ isOn: Bool) {
    guard isOn else { return service.turnOff() }
    do { try service.turnOn() } catch { report(.notice(Notice("\(error)", isProblem: true))) }
  }

  /// Reports the list as it is stored now.
  private static func reportList(
    of store: PhoneStore, to report: (PhoneScreen.News) -> Void, _ reporting: Lock<Void>
  ) {
    reporting.withLock { _ in
      do { report(.list(try store.list())) } catch { report(.notice(Notice("\(error)", isProblem: true))) }
    }
  }

  /// Does what a key asked for, `.quit` apart; what does not work is remarked.
  ///
  /// When this returns the list that came of it has been reported.
  package func perform(_ action: PhoneScreen.Action) {
    do {
      switch action {
      case .add(let title): report(.added(try change { try $0.add(title) }))
      case .toggle(let id): try change { try $0.toggle(id) }
      case .edit(let id, let title): try change { try $0.edit(id, title: title) }
      case .remove(let id):
        let item = try change { try $0.remove(id) }
        report(.notice(Notice("removed (u brings it back): \(item.title)")))
      case .undoRemoval:
        let item = try change { try $0.undoRemoval() }
        report(.added(item))
        report(.notice(Notice("back again: \(item.title)")))
      case .pick(let emoji):
        try store.pick(emoji)
        picks.look()
      case .say(let text): say(text)
      case .quit: break
      }
    } catch {
      report(.notice(Notice("\(error)", isProblem: true)))
    }
  }

  /// Changes the list, and reports it.
  @discardableResult
  private func change(_ body: (inout TodoList) throws -> TodoItem) throws -> TodoItem {
    let item = try store.change(body)
    Self.reportList(of: store, to: report, reporting)
    return item
  }

  /// Sends a line of chat and reports what became of it.
  private func say(_ text: String) {
    Task { [store, report] in
      do throws(WormholeError) {
        try await store.say(text)
        report(.said(problem: nil))
      } catch {
        report(.said(problem: error.inChat(other: "watch")))
      }
    }
  }
}
