import TestSupport
import Testing

@testable import Wormhole

@Suite("The kernel's watches")
struct KernelWatchesTests {
  @Test("Whoever comes to a watch or leaves it is known at the next event, also right after one of the same watch")
  func served() throws {
    let place = try TemporaryDirectory(.memory)
    let there = WatchedDirectory(Path(place.path))
    let sameByAnotherPath = WatchedDirectory(Path(place.appending(".")))
    var watches = KernelWatches(try KernelWatches.Instance())
    func isServed(_ spots: WatchSpot...) throws -> Bool {
      let watch = try #require(there.own.watch)
      return watches.spots(of: watch).elementsEqual(spots) { $0 === $1 }
    }
    try watches.attach(there.own, .create)
    #expect(try isServed(there.own))
    try watches.attach(sameByAnotherPath.own, .delete)
    #expect(there.own.watch == sameByAnotherPath.own.watch)
    #expect(try isServed(there.own, sameByAnotherPath.own))
    watches.detach(sameByAnotherPath.own)
    #expect(try isServed(there.own))
    let watch = try #require(there.own.watch)
    #expect(watches.forget(watch).count == 1)
    #expect(watches.spots(of: watch).isEmpty)
  }
}
