import TestSupport
import Testing
import Wormhole

/// The descriptors of the tools: too few of them, and standard ones that are closed or a terminal.
@Suite("Descriptors", .ownThread)
struct DescriptorTests {
  @Test("With 64 open files hundreds of mailboxes and queues are sent to and heard")
  func openFiles() throws {
    let end = try ShortageTests.run(
      """
      ulimit -n 64
      for i in $(seq 1 200); do echo "{\\"identifier\\":\\"n$i\\",\\"message\\":$i}"; done >lines
      wormhole-listen -d w --ready -n 200 >heard 2>ready &
      while ! grep -q listening ready; do :; done
      wormhole-send -d w -q --stream <lines; wormhole-send -d w --stream <lines; wait; wc -l <heard
      wormhole-listen -d w -c -n 200 | wc -l; wormhole-listen -d w -c -n 50 $(seq -f 'n%g' 1 50) | wc -l
      wormhole-listen -d w --list | wc -l; wormhole-listen -d w --list | cut -f 5 | sort -u
      """, isPrivate: false)
    #expect(end.exit == .code(0), "\(end.errorText)")
    #expect(
      end.text.split(whereSeparator: \.isWhitespace).map(String.init) == ["200", "200", "50", "200", "1"], "\(end.text)"
    )
  }

  @Test("With next to no open files every way of use ends with an error that says what to raise, and by no signal")
  func fewOpenFiles() throws {
    let end = try ShortageTests.run(
      """
      wormhole-send -d w note text; wormhole-send -d w -q jobs text
      for limit in 4 5 6 7 8 9 10; do
        for way in 'send --request note x' 'send note x' 'listen -q -n 1 --timeout 0 none' 'listen --read note' \\
          'listen --respond cat --timeout 0 note' 'listen --respond cat --timeout 0' 'listen -q --timeout 0' 'listen --list'; do
          code=0; (ulimit -n $limit; exec wormhole-${way%% *} -d w ${way#* }) </dev/null >/dev/null 2>errors || code=$?
          case $code in 0|69|75) ;; 74) grep -q 'ulimit -n' errors || cat errors ;; *) echo "$limit $way: $code $(cat errors)" ;; esac
        done
      done
      code=0; (ulimit -n 4; exec wormhole-send -d w --request note x) 2>errors || code=$?; cat errors; echo $code
      """, isPrivate: false)
    #expect(end.exit == .code(0), "\(end.errorText)")
    #expect(
      end.text == "wormhole-send: the runtime: Too many open files; raise the limit with ulimit -n\n74\n",
      "\(end.text)")
  }

  @Test("Where there are no devices a closed standard descriptor stays one that can neither be read nor written")
  func noDevices() throws {
    let end = try ShortageTests.run(
      """
      wormhole-send -d w note text; mount -t tmpfs none /dev
      code=0; wormhole-send -d w note next <&- >&- 2>&- || code=$?
      code2=0; wormhole-listen -d w --read note <&- >&- 2>errors || code2=$?
      wormhole-listen -d w --read note; cat errors; echo $code $code2
      """)
    #expect(
      end.text == "next\nwormhole-listen: standard output is closed; let it be a file, a pipe or the terminal\n0 74\n",
      "\(end.text)\(end.errorText)")
  }

  @Test("Who gives one word alone at a terminal is told that the message is to be typed")
  func terminal() throws {
    let directory = try TemporaryDirectory(.memory)
    let tool = try TerminalProcess("wormhole-send", ["-d", directory.path, "Buy milk"])
    let hint = "type the message for Buy milk, then Control-D; or give it: IDENTIFIER MESSAGE"
    try tool.wait(for: "the hint") { String(decoding: $0.written, as: UTF8.self).contains(hint) }
    try tool.type("hello\n\u{4}")
    #expect(try tool.waitUntilExit() == .code(0))
    #expect(try Wormhole(directory: directory.path).message(String.self, identifier: "Buy milk") == "hello\n")
  }
}
