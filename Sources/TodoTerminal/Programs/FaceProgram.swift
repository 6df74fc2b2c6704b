package import CommandLineTool
import Dispatch
import Glibc

/// Draws a watch's face for another program: frames as lines of JSON on standard output, keys and sizes on its input.
package enum FaceProgram {
  /// What the loop waits for.
  package enum Event: Sendable {
    /// Something from the other program.
    case input(FaceInput)
    /// Something from the session.
    case news(WatchScreen.News)
    /// The other program has gone.
    case ended
  }

  /// Begins to read what the other program says.
  package static func readInput(into events: EventQueue<Event>) {
    DispatchQueue(label: "todo.face").async {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return events.put(.ended) }
        bytes += buffer[..<count]
        for input in JSONLine.takeAll(FaceInput.self, from: &bytes) { events.put(.input(input)) }
      }
    }
  }

  /// Draws until the other program has gone or a key ends the watch.
  package static func run(
    events: EventQueue<Event>, output: StandardOutput, perform: (WatchScreen.Action) -> FullScreen.Continuation
  ) throws(ToolError) {
    var screen = WatchScreen()
    var size: Size?
    var shown: Frame?
    while true {
      for event in events.take() {
        switch event {
        case .news(let news): screen.take(news)
        case .input(.size(let new)): size = new
        case .input(.hasKeys(let hasKeys)): screen.take(.hasKeys(hasKeys))
        case .input(.key(let key)):
          for action in screen.handle(key) where perform(action) == .end { return }
        case .ended: return
        }
      }
      guard let size else { continue }
      let frame = screen.frame(size)
      if frame == shown { continue }
      shown = frame
      try output.print(JSONLine.encoded(frame))
    }
  }
}
