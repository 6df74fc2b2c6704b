import FoundationEssentials
import Testing
import TodoModel
import TodoTerminal

@Suite("Both in one terminal")
struct SideBySideTests {
  /// A screen in the test's hand.
  private final class Both {
    private var screen = SideBySideScreen()
    /// Tells the screen something.
    func tell(_ news: SideBySideScreen.News) { screen.take(news) }
    /// Presses a key.
    func press(_ key: Key) -> [SideBySideScreen.Action] { screen.handle(key) }
    /// The frame.
    func frame(columns: Int = 80) -> Frame { screen.frame(Size(rows: 24, columns: columns)) }
  }

  @Test("Tab moves the keys to the watch and back")
  func tab() {
    let both = Both()
    #expect(both.press(.tab) == [.watch(.hasKeys(true))])
    #expect(both.press(.text(" ")) == [.watch(.key(.text(" ")))])
    #expect(both.press(.text("q")) == [.watch(.key(.text("q")))])
    #expect(both.press(.tab) == [.watch(.hasKeys(false))])
    #expect(both.press(.text("x")) == [])
    #expect(both.press(.return) == [.phone(.add("x"))])
    #expect(both.press(.control("c")) == [.phone(.quit)])
  }

  @Test("the face stands to the right of the phone's screen")
  func drawing() {
    let both = Both()
    both.tell(.watch(Frame(lines: [StyledLine("the face")])))
    #expect(both.frame().text[0].hasPrefix(" To do · phone"))
    #expect(both.frame().text[0].hasSuffix("│the face"))
    #expect(both.frame().lines.allSatisfy { $0.width == 80 })
    #expect(SideBySideScreen.watchSize(in: Size(rows: 24, columns: 80)) == Size(rows: 24, columns: 26))
  }

  @Test("where there is no room for both, the one that has the keys is shown")
  func narrow() {
    let both = Both()
    both.tell(.watch(Frame(lines: [StyledLine("the face")])))
    #expect(both.frame(columns: 50).text[0].hasPrefix(" To do · phone"))
    _ = both.press(.tab)
    #expect(both.frame(columns: 50).text[0] == "the face")
    #expect(SideBySideScreen.watchSize(in: Size(rows: 24, columns: 50)).columns == 50)
  }

  @Test("a watch that has ended says how, and r starts another")
  func ended() {
    let both = Both()
    both.tell(.watchEnded("killed by signal 9"))
    #expect(both.frame().text.contains { $0.hasSuffix("│ killed by signal 9") })
    #expect(both.press(.text("r")) == [])
    _ = both.press(.tab)
    #expect(both.press(.text("x")) == [])
    #expect(both.press(.text("r")) == [.restartWatch])
    #expect(both.press(.text(" ")) == [.watch(.key(.text(" ")))], "the new one is there, though it has drawn nothing")
    both.tell(.watchEnded("killed by signal 9"))
    #expect(both.press(.text("xr 1")) == [.restartWatch, .watch(.key(.text(" 1")))])
    both.tell(.watchEnded("killed by signal 9"))
    #expect(both.press(.text("qr")) == [.phone(.quit)])
    both.tell(.watch(Frame(lines: [StyledLine("the face")])))
    #expect(both.frame().text[0].hasSuffix("│the face"))
  }

  @Test("what the two processes tell each other reads back as it was written, in whatever pieces it comes")
  func lines() {
    let inputs: [FaceInput] = [.size(Size(rows: 9, columns: 26)), .key(.text("é\n")), .key(.down), .hasKeys(true)]
    let bytes = inputs.flatMap { JSONLine.encoded($0) } + Array("no JSON\n".utf8) + JSONLine.encoded(inputs[0])
    var waiting: [UInt8] = []
    var got: [FaceInput] = []
    for byte in bytes {
      waiting.append(byte)
      got += JSONLine.takeAll(FaceInput.self, from: &waiting)
    }
    #expect(got == inputs + [inputs[0]])
    let frame = Frame(lines: [StyledLine("漢", Style(.red, [.bold]))], cursor: Position(row: 0, column: 2))
    waiting = JSONLine.encoded(frame)
    #expect(JSONLine.takeAll(Frame.self, from: &waiting) == [frame])
  }
}
