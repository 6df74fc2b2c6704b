/// What a full-screen program is made of: a value that keys and news change, and that draws itself.
package protocol Screen<News, Action>: Sendable {
  /// What the session tells it.
  associatedtype News: Sendable
  /// What a key asks the session for.
  associatedtype Action: Hashable, Sendable

  /// Takes news in.
  mutating func take(_ news: News)
  /// Takes a key and returns what it asks for.
  mutating func handle(_ key: Key) -> [Action]
  /// Draws the screen at a size.
  mutating func frame(_ size: Size) -> Frame
}

extension PhoneScreen: Screen {}
extension WatchScreen: Screen {}
