import FoundationEssentials
import TestSupport
import Testing
import TodoTerminal

@Suite("Keys from bytes", .ownThread)
struct KeyDecoderTests {
  /// A keyboard whose bytes come from the test.
  private final class Keyboard {
    private var decoder = KeyDecoder()

    /// Whether bytes wait for more.
    var isWaiting: Bool { decoder.isWaiting }

    /// The keys that bytes complete.
    func send(_ bytes: some Sequence<UInt8>) -> [Key] { decoder.decode(bytes) }

    /// The keys that time completes.
    func pause() -> [Key] { decoder.flush() }
  }

  /// The keys of some bytes that arrive together.
  private func keys(_ text: String) -> [Key] { Keyboard().send(text.utf8) }

  @Test("letters that arrive together are one text")
  func text() {
    #expect(keys("Buy milk\r") == [.text("Buy milk"), .return])
    #expect(keys("q") == [.text("q")])
    #expect(keys("漢👩‍👩‍👧e\u{301}") == [.text("漢👩‍👩‍👧e\u{301}")])
  }

  @Test("cursor keys come in both modes of a terminal, and with modifiers")
  func cursorKeys() {
    #expect(keys("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D") == [.up, .down, .right, .left])
    #expect(keys("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD") == [.up, .down, .right, .left])
    #expect(keys("\u{1B}[1;5A\u{1B}[1;2B") == [.up, .down])
    #expect(keys("\u{1B}[H\u{1B}[F\u{1B}OH\u{1B}OF\u{1B}[1~\u{1B}[4~") == [.home, .end, .home, .end, .home, .end])
    #expect(keys("\u{1B}[3~\u{1B}[5~\u{1B}[6~\u{1B}[Z") == [.delete, .pageUp, .pageDown, .backTab])
  }

  @Test("control keys are named by their letters")
  func controlKeys() {
    #expect(
      keys("\u{3}\u{15}\t\u{7F}\u{8}\n") == [.control("c"), .control("u"), .tab, .backspace, .backspace, .return])
  }

  @Test(
    "bytes may come one by one", arguments: ["\u{1B}[1;5A", "漢", "👍", "\u{1B}[200~a\u{1B}[1mb\u{1B}[201~", "\u{1B}OB"])
  func oneByOne(text: String) {
    let keyboard = Keyboard()
    var got: [Key] = []
    for byte in text.utf8 { got += keyboard.send([byte]) }
    #expect(got == keys(text))
    #expect(got.count == 1)
    #expect(!keyboard.isWaiting)
  }

  @Test("an escape by itself is a key once nothing follows")
  func escape() {
    let keyboard = Keyboard()
    #expect(keyboard.send([0x1B]) == [])
    #expect(keyboard.isWaiting)
    #expect(keyboard.pause() == [.escape])
    #expect(!keyboard.isWaiting)
    #expect(keys("\u{1B}q") == [.escape, .text("q")])
    #expect(keys("\u{1B}\u{1B}[A") == [.escape, .up])
  }

  @Test("a cut off sequence or character says nothing in the end")
  func cutOff() {
    for bytes in [[0x1B, 0x5B, 0x31], [0xE6, 0xBC], [0x1B, 0x4F]] as [[UInt8]] {
      let keyboard = Keyboard()
      #expect(keyboard.send(bytes) == [])
      #expect(keyboard.pause() == [])
      #expect(keyboard.send("x".utf8) == [.text("x")])
    }
  }

  @Test("sequences that mean nothing here are swallowed whole")
  func unknown() {
    #expect(keys("\u{1B}[15~a\u{1B}[[Ab\u{1B}[?1;2cc\u{1B}[<0;3;4Md\u{1B}OPe") == [.text("abcde")])
  }

  @Test("bytes that are no UTF-8 are dropped, and what follows counts")
  func invalid() {
    let keyboard = Keyboard()
    #expect(keyboard.send([0xFF, 0xC0, 0x80, 0xE6, 0x61, 0xED, 0xA0, 0x80, 0x62, 0xC2, 0x9B, 0x63]) == [.text("abc")])
  }

  @Test("a paste is one key, with its line breaks and sequences in it")
  func paste() {
    let pasted = "two\nlines \u{1B}[A q"
    #expect(keys("a\u{1B}[200~\(pasted)\u{1B}[201~b") == [.text("a"), .paste(pasted), .text("b")])
  }

  @Test("a paste is bounded, and its end is found all the same")
  func longPaste() {
    let keyboard = Keyboard()
    var keys = keyboard.send("\u{1B}[200~".utf8)
    for _ in 0..<100 { keys += keyboard.send(Array(repeating: UInt8(ascii: "x"), count: 4096)) }
    keys += keyboard.send("\u{1B}[201~q".utf8)
    #expect(keys == [.paste(String(repeating: "x", count: KeyDecoder.pasteLimit)), .text("q")])
  }

  @Test("any bytes at all leave the decoder at work")
  func anything() {
    var random = SplitMix(state: 7)
    for _ in 0..<2_000 {
      let keyboard = Keyboard()
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random) : [0x1B, 0x5B, 0x3B, 0x7E].randomElement(using: &random) ?? 0
      }
      _ = keyboard.send(bytes)
      _ = keyboard.send("\u{1B}[201~".utf8)
      _ = keyboard.pause()
      #expect(keyboard.send("x".utf8) == [.text("x")])
    }
  }

  @Test("keys read back from JSON as they were written")
  func coding() throws {
    let all: [Key] = [
      .text("a"), .paste("b\n"), .control("c"), .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .return,
      .tab, .backTab, .escape, .backspace, .delete,
    ]
    #expect(try JSONDecoder().decode([Key].self, from: JSONEncoder().encode(all)) == all)
  }
}
