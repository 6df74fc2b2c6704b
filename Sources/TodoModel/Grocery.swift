/// What can be picked on the phone and read on the watch.
public enum Grocery {
  /// The row from which the phone picks.
  public static let row = ["🍎", "🍌", "🍇", "🍓", "🍋", "🍅", "🥕", "🥦", "🧅", "🍞", "🧀", "🥚", "🐟", "🍫", "🍷", "☕"]

  /// What the watch shows for an entry that it does not understand.
  public static let notUnderstood = #"¯\_(ツ)_/¯"#

  /// Returns the entry when it is one food or drink emoji, else the shrug.
  public static func shown(_ entry: String) -> String { isUnderstood(entry) ? entry : notUnderstood }

  /// Whether an entry is one food or drink emoji.
  public static func isUnderstood(_ entry: String) -> Bool {
    guard let character = entry.first, entry.dropFirst().isEmpty else { return false }
    if row.contains(entry) { return true }
    let scalars = character.unicodeScalars.filter { $0 != "\u{FE0F}" }
    guard scalars.count == 1, let scalar = scalars.first else { return false }
    switch scalar.value {
    case 0x1F32D...0x1F37F, 0x1F950...0x1F96F, 0x1F9C0...0x1F9CB, 0x1FAD0...0x1FADB, 0x2615: return true
    default: return false
    }
  }
}
