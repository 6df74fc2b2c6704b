/// What a wormhole knows of one identifier, in numbers.
package struct IdentifierSummary: Sendable {
  /// The identifier.
  package let identifier: String
  /// What its mailbox holds.
  package var stored = StoredSummary()
  /// How many transfers some subscriber has not taken.
  package var outstanding = 0
  /// How many transfers were set aside.
  package var setAside = 0
  /// Whether somebody answers its requests now.
  package var responds = false
  /// Whether somebody receives its transfers now.
  package var receives = false
  /// What cannot be read of it.
  package var problems: [WormholeError] = []

  /// Whether somebody is there now, for requests or for transfers.
  package var isReachable: Bool { responds || receives }
}

extension Wormhole {
  /// What is known of every identifier that has a mailbox, a queue or a responder, in the order of their bytes.
  ///
  /// Complexity: linear in the bytes of all mailboxes and queues.
  package func summaries() throws(WormholeError) -> [IdentifierSummary] {
    let store = try transferStore()
    var names = Set(try transiting.identifiers().map { IdentifierKey($0) })
    names.formUnion(try store.identifiers().map { IdentifierKey($0) })
    for name in try RequestStore(transfers: store).identifiers() where try isReachable(identifier: name) {
      names.insert(IdentifierKey(name))
    }
    let setAside = try store.setAsideItems(nil)
    var summaries: [IdentifierSummary] = []
    for name in names.map(\.text).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      var summary = IdentifierSummary(identifier: name)
      summary.setAside = setAside.count { $0.identifier.utf8.elementsEqual(name.utf8) }
      do throws(WormholeError) { summary.stored = try transiting.summary(of: name) ?? StoredSummary() } catch {
        summary.problems.append(error)
      }
      do throws(WormholeError) {
        summary.outstanding = try store.queue(name).outstanding(limit: store.sizeLimit).count
      } catch { summary.problems.append(error) }
      summary.responds = try isReachable(identifier: name, for: .requests)
      summary.receives = try isReachable(identifier: name, for: .transfers)
      summaries.append(summary)
    }
    return summaries
  }
}

extension RequestStore {
  /// The identifiers that were ever asked or responded to; complexity: linear in the number of names in the folder.
  fileprivate func identifiers() throws(WormholeError) -> [String] {
    var identifiers: [String] = []
    do throws(Errno) {
      try FileSystem.forEachName(in: hidden) { name in
        if let identifier = Self.identifier(of: name) { identifiers.append(identifier) }
      }
    } catch {
      if error == .noEntry { return [] }
      throw WormholeError(error, "cannot read the folder", hidden)
    }
    return identifiers
  }
}
