/// The kernel's watches of one inotify instance, each shared by all places that lead to its inode.
///
/// A watch belongs to an inode, not to a path: places with different paths may get the same one, and its mask must be
/// the union of what they want to hear.
struct KernelWatches {
  /// An inotify instance that several threads use: one reads, others add and remove watches.
  final class Instance: Sendable {
    let inotify: Inotify
    init() throws(Errno) { inotify = try Inotify() }
  }

  /// One watch of the kernel's.
  private struct Watch {
    /// The mask that the kernel has for it.
    var mask: WatchMask
    /// The places that it serves.
    var spots: [WatchSpot]
  }

  /// The instance.
  let instance: Instance
  private var watches: [WatchDescriptor: Watch] = [:] { didSet { last = nil } }
  /// The watch that was asked for last, and its places: most often the next event is of the same.
  private var last: (watch: WatchDescriptor, spots: [WatchSpot])?
  /// Watches that may serve nobody, or hear more than anybody wants, until they are settled.
  private var unsettled: Set<WatchDescriptor> = []

  /// No watches in `instance`.
  init(_ instance: Instance) { self.instance = instance }

  /// How many watches the kernel holds for us.
  var count: Int { watches.count }

  /// The places that a watch serves.
  mutating func spots(of watch: WatchDescriptor) -> [WatchSpot] {
    if let last, last.watch == watch { return last.spots }
    let spots = watches[watch]?.spots ?? []
    last = (watch, spots)
    return spots
  }

  /// Watches what stands now at the place's path; it leaves the watch it had if that was of another inode.
  ///
  /// Once it returns, no event of `mask` there is missed. On an error the place has no watch.
  mutating func attach(_ spot: WatchSpot, _ mask: WatchMask) throws(Errno) {
    let watch: WatchDescriptor
    do throws(Errno) {
      // Widening, since the path may lead to an inode that serves other places already.
      watch = try instance.inotify.add(spot.path, mask.union(spot.pathFlags).union(.maskAdd))
    } catch {
      detach(spot)
      throw error
    }
    if spot.watch != watch {
      detach(spot)
      spot.watch = watch
      watches[watch, default: Watch(mask: [], spots: [])].spots.append(spot)
    } else if !spot.mask.isSubset(of: mask) {
      unsettled.insert(watch)
    }
    spot.mask = mask
    watches[watch]?.mask.formUnion(mask)
  }

  /// Lets go of a place's watch.
  mutating func detach(_ spot: WatchSpot) {
    guard let watch = spot.watch else { return }
    spot.watch = nil
    spot.mask = []
    watches[watch]?.spots.removeAll { $0 === spot }
    unsettled.insert(watch)
  }

  /// Forgets a watch that the kernel has ended; gives the places it served.
  mutating func forget(_ watch: WatchDescriptor) -> [WatchSpot] {
    unsettled.remove(watch)
    guard let spots = watches.removeValue(forKey: watch)?.spots else { return [] }
    for spot in spots {
      spot.watch = nil
      spot.mask = []
    }
    return spots
  }

  /// Ends the watches that serve nobody and narrows those that hear too much: nobody is woken for nothing.
  ///
  /// - Returns: Places that may have missed something by that.
  mutating func settle() -> [WatchSpot] {
    var disturbed: [WatchSpot] = []
    while let watch = unsettled.popFirst() {
      guard let entry = watches[watch] else { continue }
      let union = entry.spots.reduce(into: WatchMask()) { $0.formUnion($1.mask) }
      if entry.spots.isEmpty {
        watches[watch] = nil
        // EINVAL when the inode has gone meanwhile, which is as well.
        try? instance.inotify.remove(watch)
      } else if union != entry.mask {
        watches[watch]?.mask = union
        guard let spot = entry.spots.first,
          let found = try? instance.inotify.add(spot.path, union.union(spot.pathFlags)), found != watch
        else { continue }
        // The path leads elsewhere since; an event about it is on its way. The mask that was there is put right.
        watches[found, default: Watch(mask: [], spots: [])].mask = union
        disturbed += spots(of: found)
        unsettled.insert(found)
      }
    }
    return disturbed
  }
}
