import CommandLineTool
import FoundationEssentials
import Wormhole

/// `wormhole-send --request`: one question and the reply to it.
struct Request {
  private let identifier: String
  private let question: Payload
  private let timeout: Duration
  private let ifUnreachable: IfUnreachable

  /// A question to whoever responds to `identifier`, or with `waits` to who will within the timeout.
  init(_ identifier: String, _ question: Payload, timeout: Duration, waits: Bool) {
    ifUnreachable = waits ? .queue : .fail
    self.identifier = identifier
    self.question = question
    self.timeout = timeout
  }

  /// Asks, waits, and prints the reply as a line of text.
  ///
  /// - Throws: 69, 70 or 75 when there is none.
  func ask(_ wormhole: Wormhole, printingTo output: StandardOutput) throws(ToolError) {
    let outcome = Lock<Result<Payload, WormholeError>?>(nil)
    let (identifier, question, timeout, ifUnreachable) = (identifier, question, timeout, ifUnreachable)
    // On the library's own thread, which the answer wakes anyhow: no second pool of threads is started for it.
    Task.detached(executorPreference: Wormhole.executor) {
      let result: Result<Payload, WormholeError>
      do throws(WormholeError) {
        let reply = try await wormhole.request(
          question, identifier: identifier, as: Payload.self, timeout: timeout, ifUnreachable: ifUnreachable)
        result = .success(reply)
      } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
      outcome.notifyAll()
    }
    let result = outcome.wait(until: { $0 != nil }, then: { $0 })
    guard let result else { return }
    let reply = try calling { () throws(WormholeError) in try result.get() }
    let message = Message(identifier: identifier, value: reply, sequence: 0, sent: Date(), origin: "")
    try output.print(try MessageFormatter(.text).line(of: .message(message)) ?? [])
  }
}
