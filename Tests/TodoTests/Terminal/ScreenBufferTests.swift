import Testing
import TodoTerminal

@Suite("Drawing what changed")
struct ScreenBufferTests {
  /// A screen whose terminal is the test.
  private final class Screen {
    private var buffer: ScreenBuffer

    /// A screen of which nothing is known.
    init(rows: Int, columns: Int, withColor: Bool = true) {
      buffer = ScreenBuffer(size: Size(rows: rows, columns: columns), withColor: withColor)
    }

    /// A screen of 4 by 20 that shows these lines.
    convenience init(_ lines: [String], withColor: Bool = true) {
      self.init(rows: 4, columns: 20, withColor: withColor)
      _ = update(to: Frame(lines: lines.map { StyledLine($0) }))
    }

    /// What is written for a frame.
    func update(to frame: Frame) -> String { buffer.update(to: frame) }
  }

  @Test("the first frame clears the screen and writes what is not blank")
  func first() {
    let buffer = Screen(rows: 2, columns: 8)
    let written = buffer.update(to: Frame(lines: [StyledLine("a"), StyledLine("  b")]))
    #expect(written == "\u{1B}[?25l\u{1B}[0m\u{1B}[2J\u{1B}[1;1Ha\u{1B}[2;3Hb")
  }

  @Test("the same frame again writes nothing")
  func same() {
    let buffer = Screen(["one", "two"])
    #expect(buffer.update(to: Frame(lines: [StyledLine("one"), StyledLine("two")])) == "")
  }

  @Test("only the cells that differ are written")
  func difference() {
    let buffer = Screen(["Buy milk", "two"])
    #expect(buffer.update(to: Frame(lines: [StyledLine("Buy silk"), StyledLine("two")])) == "\u{1B}[1;5Hs")
  }

  @Test("a wide character that gives way leaves no half of it")
  func wide() {
    let buffer = Screen(["漢b"])
    #expect(buffer.update(to: Frame(lines: [StyledLine("a b")])) == "\u{1B}[1;1Ha ")
    #expect(buffer.update(to: Frame(lines: [StyledLine("漢b")])) == "\u{1B}[1;1H漢")
  }

  @Test("a line with a character of disputed width is drawn anew, each part at its own place")
  func disputed() {
    let buffer = Screen(["❤\u{FE0F} a"])
    #expect(
      buffer.update(to: Frame(lines: [StyledLine("❤\u{FE0F} b")]))
        == "\u{1B}[1;1H\u{1B}[2K\u{1B}[1;1H❤\u{FE0F}\u{1B}[1;4Hb")
  }

  @Test("a wide character that would hang over the edge is left out")
  func edge() {
    let buffer = Screen(rows: 1, columns: 4)
    #expect(buffer.update(to: Frame(lines: [StyledLine("abc漢")])).hasSuffix("abc"))
  }

  @Test("without colours the other attributes stay")
  func noColor() {
    let buffer = Screen([], withColor: false)
    let line = StyledLine("x", Style(.red, [.bold]))
    #expect(buffer.update(to: Frame(lines: [line])) == "\u{1B}[1;1H\u{1B}[0;1mx\u{1B}[0m")
    let colored = Screen([])
    #expect(colored.update(to: Frame(lines: [line])) == "\u{1B}[1;1H\u{1B}[0;1;31mx\u{1B}[0m")
  }

  @Test("the cursor is shown at its place, and hidden where there is none")
  func cursor() {
    let buffer = Screen(["x"])
    let frame = Frame(lines: [StyledLine("x")], cursor: Position(row: 0, column: 1))
    #expect(buffer.update(to: frame) == "\u{1B}[1;2H\u{1B}[?25h")
    #expect(buffer.update(to: frame) == "")
    #expect(buffer.update(to: Frame(lines: [StyledLine("x")])) == "\u{1B}[?25l")
  }

  @Test("lines and columns beyond the screen are not drawn, whatever its size", arguments: [0, 1, 2, 3])
  func tiny(size: Int) {
    let buffer = Screen(rows: size, columns: size)
    let lines = (0..<5).map { StyledLine("line \($0) 漢字") }
    let written = buffer.update(to: Frame(lines: lines, cursor: Position(row: 9, column: 9)))
    #expect(written.filter { $0 == "H" }.count <= size)
  }

  @Test("colours are given to terminals that have them, unless NO_COLOR says no")
  func colors() {
    let support = { (environment: [String: String]) in ColorSupport.isWanted { environment[$0] } }
    #expect(support(["TERM": "xterm-256color"]))
    #expect(support(["TERM": "screen"]))
    #expect(support(["TERM": "strange", "COLORTERM": "truecolor"]))
    #expect(support(["TERM": "tmux-256color", "NO_COLOR": ""]))
    #expect(!support(["TERM": "tmux-256color", "NO_COLOR": "1"]))
    #expect(!support(["TERM": "vt100"]))
    #expect(!support(["TERM": "dumb", "COLORTERM": "truecolor"]))
    #expect(!support([:]))
  }
}
