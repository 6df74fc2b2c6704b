import TestSupport
import Testing
import TodoModel
import TodoTerminal

/// Keys that one read brings: typed fast, pasted without marks, or written by a script.
@Suite("Keys that come together")
struct TogetherTests {
  @Test("each d removes another item")
  func removing() throws {
    let phone = try PhoneInHand("a", "b", "c")
    try phone.press(.down, .text("dd"))
    #expect(phone.titles == ["c"])
    try phone.press(.text("d"))
    #expect(phone.titles == [])
  }

  @Test(
    "a key that changes what keys mean counts for those behind it",
    arguments: [
      ("?xd", ["b", "c"]), ("??d", ["b", "c"]), ("jeq", ["a", "bq", "c"]), ("ddd", []), ("dddu", ["c"]),
      ("ddduu", ["b", "c"]),
      ("Gdxq", ["a", "b", "xq"]),
    ] as [(String, [String])])
  func modes(text: String, titles: [String]) throws {
    let phone = try PhoneInHand("a", "b", "c")
    try phone.press(.down, .text(text), .return)
    #expect(phone.titles == titles)
    #expect(phone.asked == [])
  }

  @Test("nothing counts behind the q that leaves")
  func leaving() throws {
    let phone = try PhoneInHand("a", "b", "c")
    try phone.press(.down, .text("dqd"))
    #expect(phone.titles == ["b", "c"])
    #expect(phone.asked == [.quit])
  }

  @Test("in the groceries each character is a key, too")
  func groceries() throws {
    let phone = try PhoneInHand("a", "b", "c")
    try phone.press(.down, .text("dd"), .tab, .text(" u uBuy milk"), .return)
    #expect(phone.asked == [.pick("🍎"), .pick("🍎")])
    #expect(phone.titles == ["a", "b", "c", "Buy milk"])
  }

  @Test("whatever is typed into the list does the same at once as one by one", arguments: 1...200)
  func anything(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let text = String((0..<12).map { _ in " duuddjkgGe?qx".randomElement(using: &random) ?? " " })
    let (together, apart) = (try PhoneInHand("a", "b", "c", "d"), try PhoneInHand("a", "b", "c", "d"))
    for part in seed.isMultiple(of: 2) ? [Key.down] : [.down, .tab] {
      try together.press(part)
      try apart.press(part)
    }
    try together.press(.text(text))
    for character in text where apart.asked.last != .quit { try apart.press(.text(String(character))) }
    #expect(together.list == apart.list, "\(text)")
    #expect(together.asked == apart.asked, "\(text)")
    #expect(together.text == apart.text, "\(text)")
  }
}
