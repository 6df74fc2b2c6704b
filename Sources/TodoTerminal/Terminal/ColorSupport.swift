/// Whether a terminal is given colours.
package enum ColorSupport {
  /// The beginnings of the names of terminals that have colours.
  private static let families = [
    "xterm", "screen", "tmux", "rxvt", "linux", "konsole", "vte", "gnome", "kitty", "alacritty", "foot", "wezterm",
    "ghostty", "contour", "iterm", "st-", "putty", "cygwin", "ansi", "eterm",
  ]

  /// Whether the terminal that the environment describes has colours, and its user has not said no to them.
  package static func isWanted(_ environment: (String) -> String?) -> Bool {
    if let refusal = environment("NO_COLOR"), !refusal.isEmpty { return false }
    guard canDraw(environment), let terminal = environment("TERM") else { return false }
    if terminal.hasSuffix("-mono") || terminal.hasSuffix("-m") { return false }
    if let wish = environment("COLORTERM"), !wish.isEmpty { return true }
    return terminal.contains("color") || terminal == "st" || families.contains { terminal.hasPrefix($0) }
  }

  /// Whether the terminal can move its cursor, without which nothing can be drawn.
  package static func canDraw(_ environment: (String) -> String?) -> Bool {
    guard let terminal = environment("TERM") else { return false }
    return !["", "dumb", "unknown"].contains(terminal)
  }
}
