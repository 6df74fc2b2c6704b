package import TodoModel

/// What the watch's face shows and what its keys do: a value that keys and news change, and that draws itself.
package struct WatchScreen: Sendable {
  /// What the face shows.
  package enum Page: Hashable, Sendable {
    case face, groceries, keys
  }

  /// What a key asks for; the session does it.
  package enum Action: Hashable, Sendable {
    case toggle(Int)
    case reply(QuickReply)
    case clearGroceries
    case quit
  }

  /// Something that the session tells the screen.
  package enum News: Sendable {
    /// The phone passed these items.
    case items([TodoItem])
    /// Toggles of these items wait for the phone.
    case waiting([Int])
    /// The chat was stored.
    case conversation(Conversation)
    /// The groceries were stored.
    case groceries(GroceryList)
    /// The phone came or went.
    case phoneIsReachable(Bool)
    /// A reply was delivered, or was not, for this reason.
    case replied(QuickReply, problem: String?)
    /// Whether the keys come here, where two programs share a terminal.
    case hasKeys(Bool)
    /// Something is to be remarked.
    case notice(Notice)
  }

  /// The list with what waits for the phone.
  package private(set) var list = WatchList()
  /// The chat as it was stored last.
  package private(set) var conversation = Conversation()
  /// The groceries as they were stored last.
  package private(set) var groceries = GroceryList()
  /// Whether the phone is there.
  package private(set) var phoneIsReachable = false
  /// Whether the keys come here.
  package private(set) var hasKeys = true
  /// What the face shows.
  package private(set) var page = Page.face
  /// The item that keys are about.
  package private(set) var selection: Int?
  /// The reply that is on its way.
  package private(set) var sending: QuickReply?
  /// The remark in the status line.
  package private(set) var notice: Notice?
  /// The first row of the list, or of the groceries, that is seen.
  var firstRow = 0
  /// How far a page is: the rows that are seen, but one.
  var pageStep = 5

  /// A face with an empty list.
  package init() {}

  /// Takes news in.
  package mutating func take(_ news: News) {
    switch news {
    case .items(let items): changeRows { $0.items = items }
    case .waiting(let waiting): changeRows { $0.waiting = waiting }
    case .conversation(let conversation): self.conversation = conversation
    case .groceries(let groceries): self.groceries = groceries
    case .phoneIsReachable(let isReachable): phoneIsReachable = isReachable
    case .replied(let reply, let problem):
      sending = nil
      notice = problem.map { Notice("not delivered: \($0)", isProblem: true) } ?? Notice("\(reply.text): delivered")
    case .hasKeys(let hasKeys): self.hasKeys = hasKeys
    case .notice(let notice): self.notice = notice
    }
  }

  /// Changes the list, keeping the selection at its item, or at its place when the item has gone.
  private mutating func changeRows(_ change: (inout WatchList) -> Void) {
    let old = list.items
    change(&list)
    let new = list.items
    if let id = selection, new.contains(where: { $0.id == id }) { return }
    let place = selection.flatMap { id in old.firstIndex { $0.id == id } } ?? 0
    selection = new.isEmpty ? nil : new[min(place, new.count - 1)].id
  }

  /// Takes a key and returns what it asks for.
  package mutating func handle(_ key: Key) -> [Action] {
    notice = nil
    switch key {
    case .control("c"): return [.quit]
    case .text(let text):
      // Each character is a key of its own here, however many arrive together.
      return text.flatMap { page == .face ? handleFace($0) : handlePage($0) }
    case .return where page == .face: return handleFace(" ")
    case .up: move(by: -1)
    case .down: move(by: 1)
    case .pageUp: move(by: -pageStep)
    case .pageDown: move(by: pageStep)
    case .home: move(by: -Self.all)
    case .end: move(by: Self.all)
    case .escape, .return:
      page = .face
    default: break
    }
    return []
  }

  /// Further than anything can be moved.
  private static let all = 1 << 32

  /// Moves the selection, or the page that is shown instead of the face.
  private mutating func move(by step: Int) {
    guard page == .face else {
      firstRow = max(0, firstRow + step)
      return
    }
    let items = list.items
    guard !items.isEmpty else { return }
    let place = items.firstIndex { $0.id == selection } ?? 0
    selection = items[min(max(place + step, 0), items.count - 1)].id
  }

  /// A character typed at the face.
  private mutating func handleFace(_ character: Character) -> [Action] {
    switch character {
    case "q": return [.quit]
    case "?": page = .keys
    case "j": move(by: 1)
    case "k": move(by: -1)
    case "g": page = .groceries
    case " ":
      if let selection { return [.toggle(selection)] }
    default:
      guard let number = character.wholeNumberValue, let reply = QuickReply(rawValue: number) else { return [] }
      return self.reply(reply)
    }
    if page != .face { firstRow = 0 }
    return []
  }

  /// Asks for a reply to be sent; one goes at a time, and none while the phone is not there.
  private mutating func reply(_ reply: QuickReply) -> [Action] {
    guard phoneIsReachable else {
      notice = Notice("phone not reachable", isProblem: true)
      return []
    }
    if sending != nil { return [] }
    sending = reply
    return [.reply(reply)]
  }

  /// A character typed at another page than the face.
  private mutating func handlePage(_ character: Character) -> [Action] {
    switch (page, character) {
    case (_, "q"): return [.quit]
    case (.groceries, "c"): return [.clearGroceries]
    case (_, "?"): page = page == .keys ? .face : .keys
    case (_, "j"), (_, "k"):
      move(by: character == "j" ? 1 : -1)
      return []
    default: page = .face
    }
    firstRow = 0
    return []
  }
}
