import TodoModel
import Wormhole

// All that passes between phone and watch, under its names. A wormhole on the same group is all that the two share.

extension MessageIdentifier<TodoList> {
  /// Stored: the phone's whole list, which it alone changes.
  static let toDoList = Self("toDoList")
}

extension MessageIdentifier<[TodoItem]> {
  /// Stored: the items that are not done, for the watches. Asked for: the same, of a phone that runs.
  static let toDoListItems = Self("toDoListItems")
}

extension MessageIdentifier<WatchToggle> {
  /// Transferred from watch to phone: items to be turned. Signalled: another one has been sent.
  static let toDoToggles = Self("toDoToggles")
}

extension MessageIdentifier<String> {
  /// Transferred from phone to watch: groceries. Signalled: another one has been sent.
  static let toDoPicks = Self("toDoPicks")
  /// Asked of a watch by the phone: a line of chat, answered by true once it is in the conversation.
  static let toDoMessages = Self("toDoMessages")
}

extension MessageIdentifier<GroceryList> {
  /// Stored: all groceries that any watch has taken.
  static let toDoGroceries = Self("toDoGroceries")
}

extension MessageIdentifier<Int> {
  /// Asked of the phone by a watch: a reply by its number, answered by true once it is in the conversation.
  static let toDoReplies = Self("toDoReplies")
}

extension MessageIdentifier<Conversation> {
  /// Stored: the chat, to which whoever receives a line adds it.
  static let toDoConversation = Self("toDoConversation")
}
