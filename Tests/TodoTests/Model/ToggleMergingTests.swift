import Testing
import TodoModel

@Suite("Merging the watch's toggles")
struct ToggleMergingTests {
  /// A list with items under 1, 2, 3.
  private func threeItems() throws -> TodoList {
    var list = TodoList()
    for title in ["Buy milk", "Call home", "Eggs"] { try list.add(title) }
    return list
  }

  @Test("a toggle that comes again marked, after it was stored, changes nothing")
  func repeated() throws {
    var list = try threeItems()
    #expect(list.apply(WatchToggle(id: 1), sequence: 5, redelivered: false) == .applied(list.items[0]))
    let stored = list
    #expect(list.apply(WatchToggle(id: 1), sequence: 5, redelivered: true) == .repeated)
    #expect(list == stored)
  }

  @Test("a toggle that comes again marked, but was not stored before the kill, is applied")
  func notYetStored() throws {
    var list = try threeItems()
    _ = list.apply(WatchToggle(id: 2), sequence: 4, redelivered: false)
    #expect(list.apply(WatchToggle(id: 1), sequence: 5, redelivered: true) == .applied(list.items[0]))
    #expect(list.open.map(\.id) == [3])
  }

  @Test("a queue made anew counts from 1, and its toggles are applied all the same")
  func newQueue() throws {
    var list = try threeItems()
    _ = list.apply(WatchToggle(id: 1), sequence: 900, redelivered: false)
    _ = list.apply(WatchToggle(id: 2), sequence: 1, redelivered: false)
    #expect(list.open.map(\.id) == [3])
  }

  @Test("a toggle of an item removed meanwhile is taken and named")
  func removedMeanwhile() throws {
    var list = try threeItems()
    try list.remove(2)
    #expect(list.apply(WatchToggle(id: 2), sequence: 1, redelivered: false) == .unknownItem(id: 2))
    #expect(list.lastToggle == 1)
    #expect(list.items.count == 2)
  }

  @Test("toggles of phone and watch in any order end alike", arguments: 0..<20 as Range<UInt64>)
  func anyOrder(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var ends: Set<[TodoItem]> = []
    for _ in 0..<5 {
      var list = try threeItems()
      var steps = Array(repeating: true, count: 7) + Array(repeating: false, count: 6)
      steps.shuffle(using: &random)
      var sequence: UInt64 = 0
      for byPhone in steps {
        if byPhone {
          try list.toggle(2)
        } else {
          sequence += 1
          _ = list.apply(WatchToggle(id: 2), sequence: sequence, redelivered: false)
        }
      }
      ends.insert(list.items)
    }
    #expect(ends.count == 1)
    #expect(ends.first?[1].isDone == true)
  }

  @Test("the watch's rows show waiting toggles as if applied, and mark them")
  func watchRows() {
    let items = [TodoItem(id: 1, title: "a"), TodoItem(id: 4, title: "b"), TodoItem(id: 6, title: "c")]
    let list = WatchList(items: items, waiting: [4, 6, 6, 99])
    #expect(list.rows.map(\.id) == [1, 4, 6])
    #expect(list.rows.map(\.item.isDone) == [false, true, false])
    #expect(list.rows.map(\.isWaiting) == [false, true, true])
  }
}

/// A small generator whose numbers follow from its seed, so that a failing order can be had again.
struct SplitMix: RandomNumberGenerator {
  /// The seed, then where the sequence stands.
  var state: UInt64

  /// Returns the next number.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
