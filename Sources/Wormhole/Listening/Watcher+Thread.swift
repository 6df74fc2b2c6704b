/// The thread of a watcher.
extension Watcher {
  /// What the thread does next.
  private enum Step {
    /// It ends.
    case end
    /// It does the work, and tells those who are to be told.
    case act([Agenda.Work])
    /// It waits for events, until the given time if there is one.
    case wait(KernelWatches.Instance?, until: UInt64?)
  }

  /// How many bytes of events are read at once; an event takes 16, with a name up to 272.
  private static let bufferLength = 65_536

  /// Hears events, tells of them and does what is due, until the watcher is ended.
  func loop() {
    let current = ThreadID.current
    state.withLock { $0.thread = current }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferLength, alignment: 8)
    defer { buffer.deallocate() }
    var calls: [WatchTable.Call] = []
    var pace = EventPace()
    while true {
      switch state.withLock({ nextStep(&$0, &calls) }) {
      case .end: return
      case .act(let work):
        for work in work { work() }
        tell(&calls)
      case .wait(let instance?, let deadline):
        let count = wait(instance, deadline, buffer, &pace)
        if count == 0 {
          state.withLock { $0.waitsUntil = nil }
          continue
        }
        let events = InotifyEvents(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        state.withLock { state in
          for event in events { state.table.handle(event) }
          state.table.settle()
          giveTimeToFill(&state)
          swap(&calls, &state.table.calls)
        }
        tell(&calls)
      case .wait(nil, let deadline):
        // Without an inotify instance it waits on the lock, which `wake` notifies.
        state.wait(until: { $0.isWoken }, deadline: deadline ?? UInt64(Int64.max))
        state.withLock { $0.waitsUntil = nil }
      }
    }
  }

  /// Tells the sinks, without the lock, and empties the list but for its room.
  private func tell(_ calls: inout [WatchTable.Call]) {
    for call in calls {
      if let reason = call.notice { call.sink.polled(reason) } else { call.sink.changed(call.name) }
    }
    calls.removeAll(keepingCapacity: true)
  }

  /// What there is to do now.
  private func nextStep(_ state: inout State, _ calls: inout [WatchTable.Call]) -> Step {
    state.isWoken = false
    if state.isEnded { return .end }
    if state.wakeWatch == nil, let instance = state.table.kernel?.instance {
      // Before the work is taken: who adds work after this finds a watch to remove, and its removal ends the read.
      state.wakeWatch = try? instance.inotify.add(Path("/dev/null"), .deleteSelf)
    }
    if state.table.isPolling {
      state.nextPoll = state.table.poll(at: Clock.monotonic)
    } else {
      state.nextPoll = nil
    }
    giveTimeToFill(&state)
    let due = state.agenda.takeDue { Clock.monotonic }
    if !due.isEmpty || !state.table.calls.isEmpty {
      swap(&calls, &state.table.calls)
      return .act(due)
    }
    var deadline = state.agenda.nextDeadline ?? state.nextPoll ?? state.waitsUntil
    if let time = deadline, let poll = state.nextPoll { deadline = min(time, poll) }
    if state.wakeWatch == nil, state.table.kernel != nil {
      // The kernel has no watch left to be woken by: look every so often.
      let soon = Clock.monotonic + Self.retryPause
      deadline = min(deadline ?? soon, soon)
    }
    state.waitsUntil = deadline
    return .wait(state.table.kernel?.instance, until: deadline)
  }

  /// Waits for events and reads them; 0 when the time came first.
  private func wait(
    _ instance: KernelWatches.Instance, _ deadline: UInt64?, _ buffer: UnsafeMutableRawBufferPointer,
    _ pace: inout EventPace
  ) -> Int {
    do throws(Errno) {
      if try comesMore(instance, deadline, pace) {
        // There is something: neither call below waits.
      } else if let deadline {
        let now = Clock.monotonic
        let rest = deadline > now ? (deadline - now + 999_999) / 1_000_000 : 0
        guard try instance.inotify.hasEvents(within: Int32(clamping: rest)) else { return 0 }
      }
      let count = try instance.inotify.read(into: buffer)
      pace.note(Clock.monotonic)
      return count
    } catch {
      // The kernel is short of memory: nothing is lost, since the events stay, but it must not be asked in a circle.
      Clock.sleep(nanoseconds: Self.retryPause)
      return 0
    }
  }

  /// Looks for more events for some microseconds where they come one soon after the other; false when none has come.
  ///
  /// To sleep and to be woken takes longer than the next event does then, and a processor that has slept begins with
  /// empty caches. Others that are ready to run go first, and an event that comes alone costs no such looking.
  private func comesMore(
    _ instance: KernelWatches.Instance, _ deadline: UInt64?, _ pace: EventPace
  ) throws(Errno) -> Bool {
    guard pace.isBrisk else { return false }
    let end = min(Clock.monotonic + EventPace.patience, deadline ?? .max)
    repeat {
      if try instance.inotify.hasEvents(within: 0) { return true }
      Thread.yield()
    } while Clock.monotonic < end
    return false
  }

  /// Lets files that came empty be told of a little later.
  private func giveTimeToFill(_ state: inout State) {
    if state.table.filling.isEmpty { return }
    let time = Clock.monotonic + WatchTable.fillingTime
    for (directory, name) in state.table.filling {
      _ = state.agenda.add(at: time) { [self] in
        self.state.withLock { $0.table.tellFilled(name, in: directory) }
      }
    }
    state.table.filling.removeAll()
  }

  /// Wakes the thread out of its wait, unless it is the caller, or is being woken already.
  ///
  /// Removing a watch raises its `ignored` event, which ends a blocking read(2): no second descriptor to poll.
  func wake(_ state: inout State) {
    if state.thread == ThreadID.current { return }
    state.isWoken = true
    if state.table.kernel == nil { self.state.notifyAll() }
    guard let watch = state.wakeWatch else { return }
    state.wakeWatch = nil
    try? state.table.kernel?.instance.inotify.remove(watch)
  }
}
