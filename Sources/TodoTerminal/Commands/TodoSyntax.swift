package import CommandLineTool
import TodoModel
package import Wormhole

extension Option {
  /// `--json`
  package static let json = Option("json", help: "print items as JSON")
  /// `--with-watch`
  package static let withWatch = Option(
    "with-watch", help: "start a watch too and show both side by side; without a terminal, a short exchange as text")
  /// `--clear`
  package static let clear = Option("clear", help: "with groceries: forget them all, they have been bought")
  /// `-g, --group GROUP`, with the group that phone and watch use.
  package static let todoGroup = Option(
    "g", "group", argument: "GROUP", help: "the application group (default: group.wormhole.todo)")
}

extension Syntax {
  /// How both programs end, for their help.
  private static let exitCodes =
    "Exit status: 0 done; 64 the command line is wrong; 65 a title or message is blank, what was picked is no grocery or "
    + "the stored list is no list; "
    + "66 no item has the number; 69 the other program is not reachable; 73 the wormhole cannot be created; 74 input or "
    + "output failed; 75 a lock or an answer was not to be had in time; 77 not permitted."

  /// The command line of `todo-phone`.
  package static let todoPhone = Syntax(
    "todo-phone",
    synopsis: [
      "[OPTION]...", "[OPTION]... --with-watch", "[OPTION]... add TITLE...", "[OPTION]... list",
      "[OPTION]... toggle ID...", "[OPTION]... edit ID TITLE", "[OPTION]... remove ID...", "[OPTION]... undo",
      "[OPTION]... say TEXT", "[OPTION]... pick EMOJI...", "[OPTION]... follow",
    ],
    summary: "A to-do list that passes what is not done to any number of watches (todo-watch) and takes their toggles, "
      + "also those made while no phone was on. Without a command it fills the terminal; ? explains its keys.",
    sections: [Section("The screen:", [.withWatch]), Section("The commands:", [.json])],
    notes: [
      "Each TITLE becomes an item of its own; commands that change items print them as list does, after applying the "
        + "toggles that waited. say needs a watch that is on and ends once it was delivered; groceries that are picked, "
        + "each one food or drink emoji, wait for one. follow prints the lines of the screen whenever they change, and is a phone that is on. Several "
        + "phones may be on at once: they keep one list.",
      "In the wormhole: toDoList is the list, toDoListItems what is not done (stored, and answered when asked for), "
        + "toDoToggles and toDoPicks are queues, toDoMessages and toDoReplies are asked, toDoConversation and "
        + "toDoGroceries are stored.", exitCodes,
    ], group: .todoGroup)

  /// The command line of `todo-watch`.
  package static let todoWatch = Syntax(
    "todo-watch",
    synopsis: [
      "[OPTION]...", "[OPTION]... list", "[OPTION]... toggle ID...", "[OPTION]... reply 1-4", "[OPTION]... groceries",
      "[OPTION]... follow", "[OPTION]... face",
    ],
    summary:
      "What is left to do of the list of todo-phone, on a face of 24 columns: choose and toggle, reply with 1 to 4. "
      + "Toggles made while the phone is off wait for it. Without a command it fills the terminal; ? explains its keys.",
    sections: [Section("The commands:", [.json, .clear])],
    notes: [
      "The replies are 1 Hello, 2 Thank you, 3 How are you?, 4 I hear you; they need a phone that is on. follow prints "
        + "the lines of the face whenever they change, and is a watch that is on. face draws it for another program: it "
        + "reads sizes and keys and prints frames, each a line of JSON.", exitCodes,
    ], group: .todoGroup)
}

extension CommandLineArguments {
  /// Opens the wormhole that phone and watch share.
  package func openTodoWormhole() throws(ToolError) -> Wormhole {
    let options = WormholeOptions()
    if let directory = try text(.directory) {
      try refuse([.group, .optionalDirectory], with: .directory)
      return try calling { () throws(WormholeError) in try Wormhole(directory: directory, options: options) }
    }
    let group = try text(.group) ?? "group.wormhole.todo"
    let optionalDirectory = try text(.optionalDirectory) ?? "wormhole"
    return try calling { () throws(WormholeError) in
      try Wormhole(applicationGroupIdentifier: group, optionalDirectory: optionalDirectory, options: options)
    }
  }

  /// An operand as text.
  func operand(_ index: Int) throws(ToolError) -> String {
    guard let text = String(validating: operands[index], as: UTF8.self) else {
      throw ToolError(.badData, "\(String(decoding: operands[index], as: UTF8.self)) is not UTF-8")
    }
    return text
  }

  /// The operands from `first` on as text, at least one.
  func operands(from first: Int, what: String) throws(ToolError) -> [String] {
    guard operands.count > first else { throw .usage("\(what) is missing; see --help") }
    var texts: [String] = []
    for index in first..<operands.count { texts.append(try operand(index)) }
    return texts
  }

  /// The operands from `first` on as numbers of items, at least one.
  func numbers(from first: Int) throws(ToolError) -> [Int] {
    var numbers: [Int] = []
    for text in try operands(from: first, what: "the number of an item") { numbers.append(try Self.number(text)) }
    return numbers
  }

  /// A text as the number of an item.
  static func number(_ text: String) throws(ToolError) -> Int {
    guard let number = Int(text) else { throw .usage("\(text) is no number of an item; list shows the numbers") }
    return number
  }

  /// Refuses operands beyond the first `count`.
  func refuseMore(than count: Int) throws(ToolError) {
    guard operands.count > count else { return }
    throw .usage("\(try operand(count)) is one word too many; see --help")
  }
}

extension ToolError {
  /// The end that any error of the to-do programs brings.
  package init(todo error: any Error) {
    switch error {
    case let error as ToolError: self = error
    case let error as WormholeError: self.init(error)
    case let error as TodoError:
      if case .unknownItem = error {
        self.init(error.exitCode, "\(error); list shows the numbers")
      } else {
        self.init(error.exitCode, error.description)
      }
    default: self.init(.failed, "\(error)")
    }
  }
}

/// Runs what throws anything; its errors become the tool's.
package func attempting<R>(_ body: () throws -> R) throws(ToolError) -> R {
  do { return try body() } catch { throw ToolError(todo: error) }
}
