import Wormhole

/// The loop of a full-screen program.
package enum FullScreen {
  /// What the loop waits for.
  package enum Event<News: Sendable>: Sendable {
    /// Something from the keyboard or a signal.
    case terminal(TerminalEvent)
    /// Something from the session.
    case news(News)
  }

  /// What becomes of the loop after an action.
  package enum Continuation: Sendable {
    case goOn, end
  }

  /// Runs a screen in a terminal until it is to end, and gives the terminal back as it was.
  ///
  /// All that has happened is taken in before the screen is drawn, once; so a burst costs one drawing, and what is drawn
  /// is never older than what was known when the drawing began. Before each key all news is taken in, also what the key
  /// before it brought about: keys that come faster than they are drawn find what they would have found later.
  ///
  /// - Parameters:
  ///   - screen: The screen as it is at first.
  ///   - terminal: The terminal.
  ///   - events: Where the session puts its news; keys and signals are put there too.
  ///   - resized: Told the size of the window, at first and whenever it changes.
  ///   - setOn: Told false before the program is stopped by a key, and true when it goes on.
  ///   - perform: Does what a key asked for.
  package static func run<S: Screen>(
    _ screen: S, in terminal: Terminal, events: EventQueue<Event<S.News>>, resized: (Size) -> Void = { _ in },
    setOn: (Bool) -> Void, perform: (S.Action) -> Continuation
  ) {
    var screen = screen
    let withColor = ColorSupport.isWanted(Program.environment)
    var buffer = ScreenBuffer(size: terminal.size, withColor: withColor)
    terminal.enter()
    defer { terminal.leave() }
    resized(buffer.size)
    func goOn() {
      setOn(true)
      terminal.enter()
      buffer = ScreenBuffer(size: terminal.size, withColor: withColor)
      resized(buffer.size)
    }
    var waiting: [TerminalEvent] = []
    func takeIn(_ events: [Event<S.News>]) {
      for event in events {
        switch event {
        case .news(let news): screen.take(news)
        case .terminal(let event): waiting.append(event)
        }
      }
    }
    while true {
      let written = buffer.update(to: screen.frame(buffer.size))
      if !written.isEmpty { terminal.write(written) }
      takeIn(events.take())
      while !waiting.isEmpty {
        switch waiting.removeFirst() {
        case .key(.control("l")), .resized:
          buffer = ScreenBuffer(size: terminal.size, withColor: withColor)
          resized(buffer.size)
        case .key(.control("z")), .stopped:
          // Who is stopped does not answer: the others shall see it.
          setOn(false)
          terminal.suspend()
          goOn()
        case .key(let key):
          let (first, rest) = screen.parts(of: key)
          if let rest { waiting.insert(.key(rest), at: 0) }
          for action in screen.handle(first) where perform(action) == .end { return }
          takeIn(events.takeNow())
        case .continued: goOn()
        case .ended: return
        }
      }
    }
  }
}
