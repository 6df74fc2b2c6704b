/// Gives a queue's items one at a time to a task.
final class TransferSource: Sendable {
  /// The queue's identifier.
  let identifier: String
  private let store: TransferStore
  private let bell = Bell()
  private let receiver: Lock<QueueReceiver>
  /// The file of the item in hand, which goes with it.
  private let held = Lock<HeldFile?>(nil)
  private let onError: (@Sendable (WormholeError) -> Void)?
  /// The pause before something is tried again, in nanoseconds.
  private static let pause: UInt64 = 100_000_000

  /// Takes the subscriber's place, or waits for it.
  init(
    store: TransferStore, identifier: String, subscriber: String?, onError: (@Sendable (WormholeError) -> Void)?
  ) throws(WormholeError) {
    self.identifier = identifier
    self.store = store
    self.onError = onError
    let queue = try store.ownQueue(identifier)
    receiver = Lock(QueueReceiver(queue: queue, subscriber: subscriber, limit: store.sizeLimit))
    try store.watch(identifier, bell)
    do throws(WormholeError) {
      try receiver.withLock { receiver throws(WormholeError) in try receiver.prepare() }
      try store.presence.enter(.transfers, identifier)
    } catch {
      store.unwatch(identifier, bell)
      throw error
    }
  }

  deinit {
    store.unwatch(identifier, bell)
    store.presence.leave(.transfers, identifier)
    receiver.withLock { $0.close() }
  }

  /// Takes what is in hand and waits for the next item; nil when the task is cancelled.
  func next() async -> QueueReceiver.Delivery? {
    held.withLock { $0 = nil }
    receiver.withLock { receiver in
      guard let delivery = receiver.inHand else { return }
      receiver.finish()
      receiver.releaseFile(of: delivery, in: store)
    }
    return await take()
  }

  /// Waits for the next item, or gives the one in hand again; nil when the task is cancelled.
  private func take() async -> QueueReceiver.Delivery? {
    // What goes wrong again and again is told once.
    var told: WormholeError?
    while !Task.isCancelled {
      if let notice = bell.takeNotice() { onError?(notice) }
      do throws(WormholeError) {
        switch try receiver.withLock({ receiver throws(WormholeError) in try receiver.take() }) {
        case .deliver(let delivery): return delivery
        case .notice(let error):
          onError?(error)
          continue
        case .empty: break
        // The end of the other receiver rings, but its lock may fall a little later.
        case .standby: ringLater()
        }
      } catch {
        await pause(error, &told)
        continue
      }
      await bell.next()
    }
    return nil
  }

  /// Puts the item in hand, with which something is wrong, out of the way and waits for the next, as `next`.
  ///
  /// Where that fails it is tried again after a pause: an item that cannot be kept elsewhere stays.
  func passOver(_ error: WormholeError) async -> QueueReceiver.Delivery? {
    onError?(error)
    var told: WormholeError?
    while !Task.isCancelled {
      do throws(WormholeError) {
        try receiver.withLock { receiver throws(WormholeError) in try receiver.setAside(in: store) }
        return await take()
      } catch { await pause(error, &told) }
    }
    return nil
  }

  /// Tells an error, unless it was told last, and waits a little, or for a ring.
  private func pause(_ error: WormholeError, _ told: inout WormholeError?) async {
    if error != told { onError?(error) }
    told = error
    ringLater()
    await bell.next()
  }

  private func ringLater() {
    Watcher.shared.after(nanoseconds: Self.pause) { [weak bell] in bell?.ring() }
  }
}

extension TransferSource {
  /// Takes what is in hand and waits for the next file; nil when the task is cancelled.
  ///
  /// What is no file is set aside and passed over; where a file cannot be had for now, it is tried again after a pause.
  func nextFile() async -> ReceivedFile? {
    var told: WormholeError?
    var next = await self.next()
    while let delivery = next {
      guard delivery.record.kind == .file else {
        next = await passOver(.isNoFile(delivery.record, identifier))
        continue
      }
      do throws(WormholeError) {
        if let file = try hold(delivery) { return file }
        next = await passOver(.namesNoFile(delivery.record, identifier))
      } catch {
        if error.code == .unreadableFile {
          next = await passOver(error)
        } else {
          await pause(error, &told)
          next = await take()
        }
      }
    }
    return nil
  }

  /// Has the file of an item in hand, until the next is asked for; nil when the item names none.
  private func hold(_ delivery: QueueReceiver.Delivery) throws(WormholeError) -> ReceivedFile? {
    guard let place = receiver.withLock({ $0.place }) else { return nil }
    let found = try store.file(of: delivery, from: place, identifier: identifier)
    held.withLock { $0 = found }
    return found?.file
  }
}
