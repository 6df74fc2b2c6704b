import CommandLineTool
import Testing
import Wormhole

/// How errors of the library end a tool.
@Suite("Exit codes")
struct ExitCodeTests {
  @Test(
    "Each kind of error has the exit code of sysexits that is promised for it", arguments: WormholeError.Code.allCases)
  func codes(code: WormholeError.Code) {
    let expected: Int32 =
      switch code {
      case .invalidGroup: 64
      case .invalidIdentifier, .damagedArchive, .newerArchive, .notAnArchive, .messageTooLarge, .cannotEncode,
        .cannotDecode:
        65
      case .unreadableFile: 66
      case .notReachable, .responderGone: 69
      case .responderFailed, .cancelled, .handlerFailed, .unsupported: 70
      case .cannotCreate: 73
      case .noSpace, .limitReached, .inputOutput, .noEvents: 74
      case .lockTimedOut, .timedOut, .queueFull: 75
      case .notPermitted: 77
      }
    let error = ToolError(WormholeError(code, path: "/dir", errno: 1, reason: "reason"))
    #expect(error.exitCode.rawValue == expected)
    #expect(error.message == "/dir: reason")
  }
}
