/// The phone's screen and, drawn by another process, a watch's face beside it; Tab moves the keys between the two.
package struct SideBySideScreen: Screen {
  /// What one of the two tells.
  package enum News: Sendable {
    /// Something about the phone.
    case phone(PhoneScreen.News)
    /// The watch shows this.
    case watch(Frame)
    /// The watch's process has ended, like this.
    case watchEnded(String)
  }

  /// What a key asks for.
  package enum Action: Hashable, Sendable {
    /// Something of the phone.
    case phone(PhoneScreen.Action)
    /// Something to be told to the watch's process.
    case watch(FaceInput)
    /// Another process for the watch.
    case restartWatch
  }

  /// The columns of the watch with its rim.
  package static let watchColumns = WatchScreen.columns + 2
  /// The fewest columns in which both have room.
  private static let columnsForBoth = watchColumns + 1 + 40

  /// The phone's screen.
  package private(set) var phone = PhoneScreen(hasWatchBeside: true)
  /// What the watch shows.
  private var watch = Frame()
  /// How the watch's process ended, nil while it runs.
  private var end: String?
  /// Whether the keys go to the watch.
  package private(set) var keysGoToWatch = false

  /// A screen whose watch has not drawn itself yet.
  package init() {}

  /// Takes news in.
  package mutating func take(_ news: News) {
    switch news {
    case .phone(let news): phone.take(news)
    case .watch(let frame): (watch, end) = (frame, nil)
    case .watchEnded(let end): self.end = end
    }
  }

  /// What came together is taken apart as the one that has the keys does it.
  package func parts(of key: Key) -> (first: Key, rest: Key?) { keysGoToWatch ? (key, nil) : phone.parts(of: key) }

  /// Takes a key: Tab moves, all others go to the one that has them.
  package mutating func handle(_ key: Key) -> [Action] {
    if key == .control("c") { return [.phone(.quit)] }
    if key == .tab {
      keysGoToWatch.toggle()
      return [.watch(.hasKeys(keysGoToWatch))]
    }
    guard keysGoToWatch else { return phone.handle(key).map(Action.phone) }
    return end == nil ? [.watch(.key(key))] : handleEnded(key)
  }

  /// Takes a key for a watch that has ended; what was typed behind the `r` that restarts it goes to the new one.
  private mutating func handleEnded(_ key: Key) -> [Action] {
    guard case .text(let text) = key, let place = text.firstIndex(where: { $0 == "r" || $0 == "q" }) else { return [] }
    if text[place] == "q" { return [.phone(.quit)] }
    (watch, end) = (Frame(), nil)
    let rest = String(text[text.index(after: place)...])
    return [.restartWatch] + (rest.isEmpty ? [] : [.watch(.key(.text(rest)))])
  }

  /// The size at which the watch is drawn on a screen of some size.
  package static func watchSize(in size: Size) -> Size {
    Size(rows: size.rows, columns: size.columns < columnsForBoth ? size.columns : watchColumns)
  }

  /// Draws both beside each other, or only the one with the keys where there is no room for both.
  package mutating func frame(_ size: Size) -> Frame {
    let watch = end.map { ended($0, Self.watchSize(in: size)) } ?? self.watch
    if size.columns < Self.columnsForBoth { return keysGoToWatch ? watch : phone.frame(size) }
    let columns = size.columns - Self.watchColumns - 1
    var left = phone.frame(Size(rows: size.rows, columns: columns))
    if keysGoToWatch { left.lines = left.lines.map { $0.with(.dim) } }
    return .beside(
      left, columns: columns, watch, columns: Self.watchColumns, rows: size.rows, keysGoRight: keysGoToWatch)
  }

  /// What is shown in the place of a watch whose process has ended.
  private func ended(_ end: String, _ size: Size) -> Frame {
    let lines =
      ["The watch has ended:"] + Columns.wrapped(end, to: size.columns - 2) + ["", "r starts it again", "q quits"]
    let remedy = keysGoToWatch ? lines : lines.dropLast(2) + ["Tab, then r", "starts it again"]
    return Frame(lines: [StyledLine()] + remedy.map { StyledLine(" \($0)", keysGoToWatch ? .plain : .dim) })
  }
}
