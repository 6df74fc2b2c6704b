/// Which arrays and objects are open, one bit each: nesting costs memory that grows slower than the text, and no stack.
struct JSONNesting {
  /// How many are open.
  private(set) var depth = 0
  private var words: [UInt64] = []

  /// Whether the innermost is an object; false when none is open.
  var isInObject: Bool {
    depth > 0 && words[(depth - 1) / 64] & (1 << UInt64((depth - 1) % 64)) != 0
  }

  /// Opens an object or an array.
  mutating func push(isObject: Bool) {
    let (word, bit) = (depth / 64, UInt64(1) << UInt64(depth % 64))
    if word == words.count { words.append(0) }
    if isObject { words[word] |= bit } else { words[word] &= ~bit }
    depth += 1
  }

  /// Closes the innermost.
  mutating func pop() { depth -= 1 }
}
