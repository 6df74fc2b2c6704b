import Testing

@testable import Wormhole

@Suite("What a listener is given of a look")
struct CursorTests {
  /// Records written as text: a digit is a message of another wormhole, a letter `o` an own one, `!` a signal.
  private func records(_ text: String, from sequence: UInt64 = 1) -> [Record] {
    text.enumerated().map { index, character in
      Record(
        payload: character == "!" ? nil : Payload(bytes: Array(String(character).utf8), codec: .bytes),
        sequence: sequence + UInt64(index), sent: 0, sender: character == "o" ? 7 : 1, origin: "")
    }
  }

  /// A look that found these.
  private func look(_ records: [Record], missed: Int = 0, identity: UInt64 = 1) -> Look {
    .records(records, missed: missed, Position(identity: identity, sequence: records.last?.sequence ?? 0))
  }

  /// What is given, written as text.
  private func text(_ items: [Finding.Item]) -> String {
    items.map { item in
      switch item {
      case .record(let record, let skipped):
        (skipped > 0 ? "(\(skipped))" : "") + (record.payload.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "!")
      case .cleared: "cleared"
      case .unreadable: "unreadable"
      case .notice: "notice"
      }
    }.joined(separator: " ")
  }

  private func given(_ cursor: inout Cursor?, _ look: Look, _ options: ListeningOptions = []) -> String {
    text(Cursor.advance(&cursor, look, options, sender: 7))
  }

  @Test("In a mailbox that was not there all is new, and what is skipped is counted")
  func fresh() {
    var cursor: Cursor?
    #expect(given(&cursor, look(records("12!!3"))) == "(4)3")
    cursor = nil
    #expect(given(&cursor, look(records("34", from: 3)), .every) == "(2)3 4")
    cursor = nil
    #expect(given(&cursor, look(records("1!!"))) == "1 (1)!")
  }

  @Test("The baseline is not given, and clearing is told once")
  func baseline() {
    var cursor = Cursor(baseline: look(records("12")), owesStored: false)
    #expect(given(&cursor, .unchanged).isEmpty)
    #expect(given(&cursor, .absent) == "cleared")
    #expect(given(&cursor, .absent).isEmpty)
    #expect(given(&cursor, look(records("9"), identity: 2)) == "9")
  }

  @Test("What was given before a mailbox was away is not given again when it comes back")
  func back() {
    var cursor = Cursor(baseline: look(records("12")), owesStored: false)
    #expect(given(&cursor, .absent) == "cleared")
    #expect(cursor?.start?.sequence == 2)
    #expect(given(&cursor, .unchanged).isEmpty)
    #expect(given(&cursor, .absent) == "cleared")
    #expect(given(&cursor, look(records("3", from: 3))) == "3")
  }

  @Test("Own messages are neither given nor counted, those of others behind them are given")
  func own() {
    var cursor = Cursor(baseline: look(records("0")), owesStored: false)
    #expect(given(&cursor, look(records("1o2o", from: 2)), .ignoringOwn) == "(1)2")
    #expect(given(&cursor, look(records("oo", from: 6)), .ignoringOwn).isEmpty)
    #expect(given(&cursor, look(records("3o4", from: 8)), [.ignoringOwn, .every]) == "3 4")
  }

  @Test("What was overwritten before own messages is counted with the next that is given")
  func carried() {
    var cursor = Cursor(baseline: look(records("0")), owesStored: false)
    #expect(given(&cursor, look(records("o", from: 5), missed: 3), [.ignoringOwn, .every]).isEmpty)
    #expect(given(&cursor, look(records("1", from: 6)), [.ignoringOwn, .every]) == "(3)1")
  }

  @Test("Gaps between records are counted where they are")
  func gaps() {
    var cursor = Cursor(baseline: look(records("0")), owesStored: false)
    let two = records("1", from: 3) + records("!", from: 7)
    #expect(given(&cursor, look(two, missed: 4)) == "(1)1 (3)!")
  }

  @Test("The stored message comes first, superseded by a newer one; with every, all that are held do")
  func stored() {
    let baseline = look(records("12!"))
    var cursor = Cursor(baseline: baseline, owesStored: true)
    #expect(cursor?.start == nil)
    #expect(given(&cursor, look([records("12!")[1], records("12!")[2]])) == "2")
    #expect(cursor?.start == Position(identity: 1, sequence: 3))
    cursor = Cursor(baseline: baseline, owesStored: true)
    #expect(given(&cursor, look([records("12!3!")[3], records("12!3!")[4]])) == "3 !")
    cursor = Cursor(baseline: baseline, owesStored: true)
    #expect(given(&cursor, look(records("12!3!")), .every) == "1 2 3 !")
    cursor = Cursor(baseline: baseline, owesStored: true)
    #expect(given(&cursor, look(records("5", from: 9)), .every) == "(5)5")
    cursor = Cursor(baseline: baseline, owesStored: true)
    #expect(given(&cursor, look(records("8"), identity: 2)) == "8")
    cursor = Cursor(baseline: baseline, owesStored: true)
    #expect(given(&cursor, .absent) == "cleared")
  }

  @Test("An unreadable mailbox is told, and keeps what was skipped")
  func unreadable() {
    var cursor = Cursor(baseline: look(records("0")), owesStored: false)
    let error = WormholeError(.damagedArchive, reason: "damaged")
    #expect(given(&cursor, .unreadable(error, Position(identity: 1, sequence: 99))) == "unreadable")
    #expect(cursor?.start == Position(identity: 1, sequence: 99))
  }
}

@Suite("What a listening does next")
struct ListeningStateTests {
  /// Expects what a changing call has returned, which the macro cannot take apart.
  private func expect(_ condition: Bool, at location: SourceLocation = #_sourceLocation) {
    #expect(condition, sourceLocation: location)
  }

  private func next(_ state: inout ListeningState) -> String {
    switch state.nextTask() {
    case .look(let mailbox, let position): "\(mailbox.identifier) \(position?.sequence ?? 0)"
    case .everything: "everything"
    case .notice(let error): "\(error)"
    case nil: "-"
    }
  }

  @Test("Changes before the start is over are kept, and somebody is sent to look once")
  func start() {
    var state = ListeningState(["a", "b"], [], sender: 1)
    expect(!state.noteChange("a"))
    expect(next(&state) == "-")
    state.begin("a", .records([], missed: 0, Position(identity: 1, sequence: 4)))
    expect(state.started())
    expect(next(&state) == "a 4")
    expect(!state.noteChange("b"))
    expect(!state.noteChange("b"))
    expect(!state.noteChange("other"))
    expect(next(&state) == "b 0")
    expect(next(&state) == "-")
    expect(state.noteChange("b"))
  }

  @Test("When all may have changed, names are looked at, or the list of all that there are and were")
  func everything() {
    var named = ListeningState(["a"], [], sender: 1)
    expect(!named.started())
    expect(named.noteChange(nil))
    expect(next(&named) == "a 0" && next(&named) == "-")
    var all = ListeningState(.all, [], sender: 1)
    all.begin("gone", .records([], missed: 0, Position(identity: 1, sequence: 1)))
    expect(!all.started())
    expect(all.noteChange(nil))
    expect(next(&all) == "everything")
    all.noteAll(["new"])
    expect(next(&all) == "new 0" && next(&all) == "gone 1" && next(&all) == "-")
  }

  @Test("After the end nothing is looked at and no handler starts")
  func end() {
    var state = ListeningState(["a", "b"], [], sender: 1)
    _ = state.started()
    let thread = ThreadID.current
    let (a, b) = (Mailbox(identifier: "a", number: 0), Mailbox(identifier: "b", number: 1))
    expect(state.noteChange("a"))
    expect(state.end("a") && !state.isEnded && !state.end("a"))
    expect(!state.handlerStarts(a, thread) && state.handlerStarts(b, thread))
    expect(!state.mustWait(on: thread, for: nil))
    expect(state.end("b") && state.isEnded)
    expect(state.handlerEnded())
    expect(next(&state) == "-" && !state.noteChange("b") && !state.handlerStarts(b, thread))
  }
}

@Suite("The kinds of file systems")
struct FileSystemKindTests {
  @Test("Network file systems and FUSE are polled, local ones are not")
  func remote() {
    for magic: UInt in [0x6969, 0xFE53_4D42, 0x0102_1997, 0x6573_5546] {
      #expect(FileSystemKind(magic: magic).telling == .ownChangesOnly)
    }
    for magic: UInt in [0xEF53, 0x0102_1994, 0x5846_5342, 0x9123_683E] {
      #expect(FileSystemKind(magic: magic).telling == .everything)
    }
    #expect(FileSystemKind(magic: 1).telling == .unknown)
  }
}
