package import CommandLineTool

/// Prints what a screen shows as it changes: its lines, then an empty one, each time they are others than before.
package enum FollowProgram {
  /// Follows until a signal ends it, or nobody reads any more.
  package static func run<S: Screen & Transcript>(
    _ screen: S, events: EventQueue<FullScreen.Event<S.News>>, output: StandardOutput
  ) throws(ToolError) {
    var screen = screen
    var shown: [String] = []
    while true {
      for event in events.take() {
        switch event {
        case .news(let news): screen.take(news)
        case .terminal(.ended): return
        case .terminal: break
        }
      }
      let lines = screen.transcript
      if lines == shown { continue }
      shown = lines
      try output.print((lines.joined(separator: "\n") + "\n\n").utf8)
    }
  }
}
