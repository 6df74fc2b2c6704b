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
  /// is never older than what was known when the drawing began.
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
    while true {
      let written = buffer.update(to: screen.frame(buffer.size))
      if !written.isEmpty { terminal.write(written) }
      for event in events.take() {
        switch event {
        case .news(let news): screen.take(news)
        case .terminal(.key(.control("l"))), .terminal(.resized):
          buffer = ScreenBuffer(size: terminal.size, withColor: withColor)
          resized(buffer.size)
        case .terminal(.key(.control("z"))), .terminal(.stopped):
          // Who is stopped does not answer: the others shall see it.
          setOn(false)
          terminal.suspend()
          goOn()
        case .terminal(.key(let key)):
          for action in screen.handle(key) where perform(action) == .end { return }
        case .terminal(.continued): goOn()
        case .terminal(.ended): return
        }
      }
    }
  }
}
