import TodoModel

extension PhoneScreen {
  /// Characters that came together are a key each, as if they had come one by one; what goes into a field goes there whole.
  package func parts(of key: Key) -> (first: Key, rest: Key?) {
    let isTyping = !showsKeys && (editing != nil || focus == .title || focus == .chat)
    guard !isTyping, case .text(let text) = key, text.count > 1 else { return (key, nil) }
    return (.text(String(text.prefix(1))), .text(String(text.dropFirst())))
  }

  /// Takes a key and returns what it asks for.
  package mutating func handle(_ key: Key) -> [Action] {
    notice = nil
    if outgoing?.problem != nil { outgoing = nil }
    if key == .control("c") { return [.quit] }
    if showsKeys { return handleKeys(key) }
    if editing != nil { return handleEditing(key) }
    switch key {
    case .tab: return moveFocus(by: 1)
    case .backTab: return moveFocus(by: -1)
    default: break
    }
    switch focus {
    case .title: return handleTitle(key)
    case .list: return handleList(key)
    case .groceries: return handleGroceries(key)
    case .chat: return handleChat(key)
    }
  }

  /// A key while the keys are explained: moves in them where there are more than fit, else goes back.
  private mutating func handleKeys(_ key: Key) -> [Action] {
    switch key {
    case .text("q"): return [.quit]
    case .down where keysAreCut, .text("j") where keysAreCut: firstKey += 1
    case .up where keysAreCut, .text("k") where keysAreCut: firstKey = max(0, firstKey - 1)
    case .pageDown where keysAreCut, .text(" ") where keysAreCut: firstKey += page
    case .pageUp where keysAreCut: firstKey = max(0, firstKey - page)
    default: (showsKeys, firstKey) = (false, 0)
    }
    return []
  }

  /// Moves the keys to another part, around in a circle; the list has them only when something is in it.
  private mutating func moveFocus(by step: Int) -> [Action] {
    let parts = Focus.allCases.filter { $0 != .list || !list.items.isEmpty }
    let place = (parts.firstIndex(of: focus) ?? 0) + step
    enter(parts[(place + parts.count) % parts.count])
    return []
  }

  /// Gives the keys to a part; the list then has a selection.
  private mutating func enter(_ part: Focus) {
    focus = part
    if part == .list, selection.flatMap(list.item) == nil { selection = list.items.first?.id }
  }

  /// A key while a title is being typed.
  private mutating func handleTitle(_ key: Key) -> [Action] {
    switch key {
    case .text("q") where titleField.isEmpty: return [.quit]
    case .text("?") where titleField.isEmpty: showsKeys = true
    case .return: return addTitle()
    case .escape:
      if titleField.isEmpty { enterList(at: list.items.first) }
      titleField = TextField()
    case .down: enterList(at: list.items.first)
    case .up: enterList(at: list.items.last)
    case .pageDown: enterList(at: list.items.first)
    case .pageUp: enterList(at: list.items.last)
    default: _ = titleField.handle(key)
    }
    return []
  }

  /// Asks for the typed title to be added; a blank one is refused, and the field emptied all the same.
  private mutating func addTitle() -> [Action] {
    defer { titleField = TextField() }
    do throws(TodoError) {
      return [.add(try Line.cleaned(titleField.text, what: "a title"))]
    } catch {
      notice = Notice("\(error)", isProblem: true)
      return []
    }
  }

  /// Gives the keys to the list, if something is in it, with an item selected.
  private mutating func enterList(at item: TodoItem?) {
    guard let item else { return }
    selection = item.id
    focus = .list
  }

  /// A key while the list has them.
  private mutating func handleList(_ key: Key) -> [Action] {
    let items = list.items
    if selection.flatMap(list.item) == nil { selection = items.first?.id }
    guard let id = selection, let place = items.firstIndex(where: { $0.id == id }) else {
      return handleEmptyList(key)
    }
    switch key {
    case .text(let text): return handleCommand(text, id: id)
    case .paste: typeTitle(key)
    case .delete: return [.remove(id)]
    case .up where place == 0: focus = .title
    case .up: select(place - 1)
    case .down: select(place + 1)
    case .pageUp: select(place - page)
    case .pageDown: select(place + page)
    case .home: select(0)
    case .end: select(items.count - 1)
    case .return, .escape: focus = .title
    default: break
    }
    return []
  }

  /// A key while the list has them and nothing is in it any more: the last removal can still be undone.
  private mutating func handleEmptyList(_ key: Key) -> [Action] {
    switch key {
    case .text("u"): return [.undoRemoval]
    case .text("q"): return [.quit]
    case .text("?"): showsKeys = true
    case .text, .paste: typeTitle(key)
    default: focus = .title
    }
    return []
  }

  /// Selects the item at a place, or the one nearest to it.
  private mutating func select(_ place: Int) {
    selection = list.items.isEmpty ? nil : list.items[min(max(place, 0), list.items.count - 1)].id
  }

  /// Takes a letter as a command about an item if it is one; any other begins a title.
  private mutating func handleCommand(_ letter: String, id: Int) -> [Action] {
    switch letter {
    case " ": return [.toggle(id)]
    case "d": return [.remove(id)]
    case "u": return [.undoRemoval]
    case "q": return [.quit]
    case "?": showsKeys = true
    case "j", "k": select((list.items.firstIndex { $0.id == id } ?? 0) + (letter == "j" ? 1 : -1))
    case "g": select(0)
    case "G": select(list.items.count - 1)
    case "e": if let item = list.item(id) { editing = (id, TextField(item.title)) }
    default: typeTitle(.text(letter))
    }
    return []
  }

  /// Gives the keys to the title, beginning with this one.
  private mutating func typeTitle(_ key: Key) {
    focus = .title
    _ = titleField.handle(key)
  }

  /// A key while the title of an item is being edited.
  private mutating func handleEditing(_ key: Key) -> [Action] {
    guard case (let id, var field)? = editing else { return [] }
    switch key {
    case .escape:
      editing = nil
    case .return:
      editing = nil
      do throws(TodoError) {
        return [.edit(id, try Line.cleaned(field.text, what: "a title"))]
      } catch {
        notice = Notice("\(error); it stays as it was", isProblem: true)
      }
    default:
      _ = field.handle(key)
      editing = (id, field)
    }
    return []
  }

  /// A key while the groceries have them.
  private mutating func handleGroceries(_ key: Key) -> [Action] {
    let row = Grocery.row
    switch key {
    case .left: grocery = max(grocery - 1, 0)
    case .right: grocery = min(grocery + 1, row.count - 1)
    case .home: grocery = 0
    case .end: grocery = row.count - 1
    case .up: if list.items.isEmpty { focus = .title } else { enterList(at: list.items.last) }
    case .down: focus = .chat
    case .return, .text(" "): return [.pick(row[grocery])]
    case .escape: focus = .title
    case .text("q"): return [.quit]
    case .text("?"): showsKeys = true
    case .text("u"): return [.undoRemoval]
    case .text, .paste: typeTitle(key)
    default: break
    }
    return []
  }

  /// A key while a line of chat is being typed.
  private mutating func handleChat(_ key: Key) -> [Action] {
    switch key {
    case .text("q") where chatField.isEmpty: return [.quit]
    case .text("?") where chatField.isEmpty: showsKeys = true
    case .up: focus = .groceries
    case .down: focus = .title
    case .escape:
      if chatField.isEmpty { focus = .title }
      chatField = TextField()
    case .text, .paste, .return:
      guard watchIsReachable else {
        notice = Notice("the watch is not reachable: nothing can be said", isProblem: true)
        return []
      }
      if key == .return { return sayTyped() }
      _ = chatField.handle(key)
    default: _ = chatField.handle(key)
    }
    return []
  }

  /// Asks for the typed line to be sent; one goes at a time.
  private mutating func sayTyped() -> [Action] {
    if outgoing != nil { return [] }
    do throws(TodoError) {
      let text = try Line.cleaned(chatField.text, what: "a message")
      chatField = TextField()
      outgoing = Outgoing(text: text)
      return [.say(text)]
    } catch {
      chatField = TextField()
      notice = Notice("\(error)", isProblem: true)
      return []
    }
  }
}
