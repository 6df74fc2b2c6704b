/// What can be picked on the phone and read on the watch.
public enum Grocery {
  /// The row from which the phone picks.
  public static let row = ["🍎", "🍌", "🍇", "🍓", "🍋", "🍅", "🥕", "🥦", "🧅", "🍞", "🧀", "🥚", "🐟", "🍫", "🍷", "☕"]

  /// What the watch shows for an entry that it does not understand.
  public static let notUnderstood = #"¯\_(ツ)_/¯"#

  /// Returns the entry when it is one food or drink emoji, else the shrug.
  public static func shown(_ entry: String) -> String {
    guard let character = entry.first, entry.dropFirst().isEmpty else { return notUnderstood }
    if row.contains(entry) { return entry }
    let scalars = character.unicodeScalars.filter { $0 != "\u{FE0F}" }
    guard scalars.count == 1, let scalar = scalars.first else { return notUnderstood }
    switch scalar.value {
    case 0x1F32D...0x1F37F, 0x1F950...0x1F96F, 0x1F9C0...0x1F9CB, 0x1FAD0...0x1FADB, 0x2615: return entry
    default: return notUnderstood
    }
  }
}
