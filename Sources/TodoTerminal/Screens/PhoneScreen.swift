package import TodoModel

/// What the phone's screen shows and where its keys go: a value that keys and news change, and that draws itself.
package struct PhoneScreen: Sendable {
  /// The parts that can have the keys.
  package enum Focus: CaseIterable, Hashable, Sendable {
    case title, list, groceries, chat
  }

  /// What a key asks for; the session does it.
  package enum Action: Hashable, Sendable {
    case add(String)
    case toggle(Int)
    case edit(Int, String)
    case remove(Int)
    case undoRemoval
    case pick(String)
    case say(String)
    case quit
  }

  /// A line of chat on its way.
  package struct Outgoing: Hashable, Sendable {
    /// What is said.
    package var text: String
    /// Why it was not delivered, nil while it is on its way.
    package var problem: String?
  }

  /// The list as it was stored last.
  package internal(set) var list = TodoList()
  /// The chat as it was stored last.
  package internal(set) var conversation = Conversation()
  /// Whether a watch is there.
  package internal(set) var watchIsReachable = false
  /// How many picks no watch has taken yet.
  package internal(set) var waitingPicks = 0
  /// Whether the watch is drawn beside this screen, so that Tab leads there.
  package let hasWatchBeside: Bool

  /// The part that has the keys.
  package internal(set) var focus = Focus.title
  /// The title being typed.
  package internal(set) var titleField = TextField()
  /// The line of chat being typed.
  package internal(set) var chatField = TextField()
  /// The item whose title is being edited, and the field in which it is.
  package internal(set) var editing: (id: Int, field: TextField)?
  /// The item that keys in the list are about.
  package internal(set) var selection: Int?
  /// The place in the row of groceries.
  package internal(set) var grocery = 0
  /// The line of chat that is on its way or was not delivered.
  package internal(set) var outgoing: Outgoing?
  /// The remark in the status line.
  package internal(set) var notice: Notice?
  /// Whether the keys are explained.
  package internal(set) var showsKeys = false
  /// The first row of the list that is seen.
  var firstRow = 0
  /// How far a page is: the rows that are seen, but one.
  var page = 10
  /// The first line of the explanation that is seen.
  var firstKey = 0
  /// Whether the explanation is longer than the screen.
  var keysAreCut = false

  /// A screen with an empty list.
  package init(hasWatchBeside: Bool = false) { self.hasWatchBeside = hasWatchBeside }
}

extension PhoneScreen {
  /// Something that the session tells the screen.
  package enum News: Sendable {
    /// The list was stored.
    case list(TodoList)
    /// The chat was stored.
    case conversation(Conversation)
    /// A watch came or the last one went.
    case watchIsReachable(Bool)
    /// So many picks wait for a watch.
    case waitingPicks(Int)
    /// An item was added here.
    case added(TodoItem)
    /// A toggle came from a watch.
    case toggledByWatch(ToggleOutcome)
    /// The line of chat on its way was delivered, or was not, for this reason.
    case said(problem: String?)
    /// Something is to be remarked.
    case notice(Notice)
  }

  /// Takes news in.
  package mutating func take(_ news: News) {
    switch news {
    case .list(let list): take(list)
    case .conversation(let conversation): self.conversation = conversation
    case .watchIsReachable(let isReachable): watchIsReachable = isReachable
    case .waitingPicks(let count): waitingPicks = count
    case .added(let item): selection = item.id
    case .toggledByWatch(.applied(let item)):
      notice = Notice("watch: \(item.isDone ? "done" : "not done"): \(item.title)")
    case .toggledByWatch(.unknownItem(let id)): notice = Notice("watch: item \(id) has been removed meanwhile")
    case .toggledByWatch(.repeated): break
    case .said(nil): outgoing = nil
    case .said(let problem?): outgoing?.problem = problem
    case .notice(let notice): self.notice = notice
    }
  }

  /// Takes a list in, keeping the selection at its item, or at its place when the item has gone.
  private mutating func take(_ new: TodoList) {
    let old = list.items
    list = new
    if let id = editing?.id, new.item(id) == nil {
      editing = nil
      notice = Notice("item \(id) has been removed meanwhile", isProblem: true)
    }
    guard let id = selection, new.item(id) == nil, let place = old.firstIndex(where: { $0.id == id }) else { return }
    selection = new.items.isEmpty ? nil : new.items[min(place, new.items.count - 1)].id
  }
}
