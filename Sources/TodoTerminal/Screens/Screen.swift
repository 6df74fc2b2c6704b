/// What a full-screen program is made of: a value that keys and news change, and that draws itself.
package protocol Screen<News, Action>: Sendable {
  /// What the session tells it.
  associatedtype News: Sendable
  /// What a key asks the session for.
  associatedtype Action: Hashable, Sendable

  /// Takes news in.
  mutating func take(_ news: News)
  /// Takes what came together apart: the part that is to be handled now, and what is to be handled once its actions are
  /// done and their news taken in.
  func parts(of key: Key) -> (first: Key, rest: Key?)
  /// Takes a key and returns what it asks for.
  mutating func handle(_ key: Key) -> [Action]
  /// Draws the screen at a size.
  mutating func frame(_ size: Size) -> Frame
}

extension Screen {
  /// All of it at once.
  package func parts(of key: Key) -> (first: Key, rest: Key?) { (key, nil) }
}

extension PhoneScreen: Screen {}
extension WatchScreen: Screen {}
