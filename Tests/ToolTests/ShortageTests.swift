import Glibc
import TestSupport
import Testing
import Wormhole

/// Machines that do not play along: full and read-only file systems, missing rights, clocks that go
/// back, children that hold on to everything. Real ones: what cannot be had here fails the test.
@Suite("Shortages", .ownThread)
struct ShortageTests {
  /// Runs a script in an empty directory, with the tools in its path and mounts of its own.
  static func run(_ script: String, isPrivate: Bool = true) throws -> HelperProcess.Outcome {
    let directory = try TemporaryDirectory()
    let tools = try HelperProcess.path(of: "wormhole-send").dropLast("/wormhole-send".count)
    let environment: [String: String?] = ["PATH": "\(tools):/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"]
    let arguments = isPrivate ? ["/usr/bin/unshare", "-U", "-r", "-m", "/bin/sh", "-ec"] : ["/bin/sh", "-ec"]
    return try HelperProcess.run(
      arguments[0], arguments.dropFirst() + [script], environment: environment, in: directory.path)
  }

  @Test("On a full file system sends are refused with what to do, what was sent before is read, and room helps at once")
  func full() throws {
    let end = try Self.run(
      """
      mkdir w; mount -t tmpfs -o size=256k tmpfs w
      wormhole-send -d w note before; wormhole-send -d w -q jobs before; wormhole-send -d w other before
      dd if=/dev/zero of=w/fill bs=4k 2>/dev/null || true
      code=0; wormhole-send -d w new message || code=$?; echo "new $code"
      for size in 3000 50000; do
        code=0; head -c $size /dev/zero | tr '\\0' x | wormhole-send -d w note || code=$?; echo "large $code"
      done
      code=0; head -c 50000 /dev/zero | tr '\\0' x | wormhole-send -d w -q jobs || code=$?; echo "queue $code"
      code=0; wormhole-send -d w --durable other after || code=$?; echo "durable $code"
      wormhole-listen -d w --read other
      wormhole-listen -d w --read note | head -c 6; echo
      code=0; wormhole-listen -d w --diagnose >diagnosis || code=$?; grep -c '^file system.problem' diagnosis; echo "diagnosis $code"
      wormhole-listen -d w -q -n 1 jobs
      rm w/fill
      wormhole-send -d w note after; wormhole-listen -d w --read note
      wormhole-send -d w -q jobs after; wormhole-listen -d w -q -n 1 jobs
      ls -A w/.wormhole | grep -c '^t-' || true
      """)
    #expect(end.exit == .code(0), "\(end.errorText)")
    let lines = end.text.split(separator: "\n").map(String.init)
    #expect(lines.first == "new 74" && lines.contains("large 74") && lines.contains("queue 74"), "\(lines)")
    #expect(end.errorText.contains("the file system is full; free some space and try again"), "\(end.errorText)")
    let rest = lines.drop { !$0.hasPrefix("durable") }
    // Where the ring has its room already, even a full file system takes a message.
    #expect(rest.first == "durable 0" || rest.first == "durable 74")
    #expect(rest.dropFirst().first == (rest.first == "durable 0" ? "after" : "before"))
    #expect(["before", "xxxxxx"].contains(rest.dropFirst(2).first))
    #expect(Array(rest.dropFirst(3)) == ["1", "diagnosis 74", "before", "after", "after", "0"], "\(lines)")
  }

  @Test("On a read-only file system everything is read and heard, and only sending is refused")
  func readOnly() throws {
    let end = try Self.run(
      """
      mkdir w; mount -t tmpfs -o size=1m tmpfs w
      wormhole-send -d w note before; wormhole-send -d w -q jobs before
      mount -o remount,ro w
      wormhole-listen -d w --read note; wormhole-listen -d w -c -n 1 note; wormhole-listen -d w -c -n 1
      wormhole-listen -d w --diagnose | grep -E '^(mode|files)' | cut -f 1,2
      for way in note '-q jobs' 'new'; do
        code=0; wormhole-send -d w $way after </dev/null 2>errors || code=$?; echo "$code $(grep -c read-only errors)"
      done
      code=0; wormhole-listen -d w -q jobs 2>errors || code=$?; echo "$code $(grep -c read-only errors)"
      # Opened where nothing is yet.
      mkdir e; mount -t tmpfs -o ro tmpfs e
      code=0; wormhole-listen -d e --read note 2>errors || code=$?; echo "$code"
      code=0; wormhole-listen -d e/deep --read note 2>errors || code=$?; echo "$code"
      code=0; wormhole-listen -d e/deep note 2>errors || code=$?; echo "$code $(grep -c read-only errors)"
      """)
    #expect(end.exit == .code(0), "\(end.errorText)")
    #expect(
      end.text == """
        before
        before
        note\tbefore
        mode\tnote
        files\tproblem
        77 1
        77 1
        77 1
        77 1
        66
        66
        77 1

        """, "\(end.text)\(end.errorText)")
  }

  @Test("A file system that is unmounted under a listener leaves it with the directory beneath, heard at once")
  func unmounted() throws {
    let end = try Self.run(
      """
      mkdir w; mount -t tmpfs -o size=1m tmpfs w
      wormhole-listen -d w --ready note >heard 2>ready &
      while ! grep -q listening ready; do sleep 0.01; done
      wormhole-send -d w note mounted; while ! grep -q mounted heard; do sleep 0.01; done
      umount w
      wormhole-send -d w note beneath; while ! grep -q beneath heard; do sleep 0.01; done
      # Mounted over, it is not noticed: what is sent there is for who comes then, and what lies beneath goes on.
      mount -t tmpfs -o size=1m tmpfs w; wormhole-send -d w note over; wormhole-listen -d w --read note; umount w
      wormhole-send -d w note after; while ! grep -q after heard; do sleep 0.01; done
      kill $!; wait; cat heard
      """)
    #expect(end.exit == .code(0), "\(end.errorText)")
    #expect(end.text == "over\nmounted\nbeneath\nafter\n", "\(end.text)\(end.errorText)")
  }

  @Test("Who may only read a directory reads and hears, who may not is told what to change")
  func permissions() throws {
    let end = try Self.run(
      """
      chmod 711 .; cp $(command -v wormhole-send) $(command -v wormhole-listen) .
      nobody=; if [ $(id -u) = 0 ]; then nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'; fi
      ./wormhole-send -d w note before; chmod 755 w; chmod 644 w/note.archive
      test -z "$nobody" && chmod 555 w
      $nobody ./wormhole-listen -d w --read note
      $nobody ./wormhole-listen -d w --ready -n 1 note >heard 2>ready &
      while ! grep -q listening ready; do :; done
      for name in note new; do
        code=0; $nobody ./wormhole-send -d w $name after 2>errors || code=$?; echo "$code $(grep -c 'Permission denied; check the owner' errors)"
      done
      chmod 755 w; ./wormhole-send -d w note after; wait; cat heard
      chmod 700 w; test -z "$nobody" && chmod 0 w
      code=0; $nobody ./wormhole-listen -d w --read note 2>errors || code=$?; echo "$code $(grep -c 'check the owner' errors)"
      chmod 700 w
      """.replacing("test -z \"$nobody\" && chmod", with: "test -n \"$nobody\" || chmod"), isPrivate: false)
    #expect(end.exit == .code(0), "\(end.errorText)")
    // A user who owns them may write the files of a directory that he may not change.
    let text = end.text.split(separator: "\n").map(String.init)
    #expect(text == ["before", "77 1", "77 1", "after", "77 1"] || (getuid() != 0 && text.last == "77 1"), "\(text)")
  }

  @Test("Who listens to a mailbox that he may not read is told so, and hears as soon as he may") func unreadable()
    throws
  {
    let end = try Self.run(
      """
      chmod 711 .; cp $(command -v wormhole-send) $(command -v wormhole-listen) .
      nobody=; if [ $(id -u) = 0 ]; then nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'; fi
      ./wormhole-send -d w note before; chmod 755 w; chmod 600 w/note.archive
      $nobody ./wormhole-listen -d w --ready -n 1 note >heard 2>errors &
      while ! grep -q listening errors; do kill -0 $!; done
      if [ -n "$nobody" ]; then
        ./wormhole-send -d w note hidden
        while ! grep -q 'note.archive.*Permission denied; check the owner' errors; do kill -0 $!; done
      fi
      chmod 644 w/note.archive; ./wormhole-send -d w note after; wait; cat heard
      """, isPrivate: false)
    #expect(end.exit == .code(0), "\(end.errorText)")
    #expect(end.text == "after\n")
  }

  @Test("A relative directory stays the same one, also when it is removed and made again") func relative() throws {
    let end = try Self.run(
      """
      wormhole-listen -d w --ready --count 3 note >heard 2>ready &
      while ! grep -q listening ready; do kill -0 $!; done
      wormhole-send -d w note one
      while ! grep -q one heard; do kill -0 $!; done
      rm -r w; wormhole-send -d w note two
      while ! grep -q two heard; do kill -0 $!; done
      rm -r w; mkdir elsewhere; (cd elsewhere; wormhole-send -d ../w note three); wait; cat heard
      """, isPrivate: false)
    #expect(end.exit == .code(0), "\(end.errorText)")
    #expect(end.text == "one\ntwo\nthree\n")
  }

  @Test(
    "A listener whose reader has stopped ends by a signal and when its time is over",
    arguments: ["--current m", "-f json --current m", "--current --timeout 0 m", "--queue q", "--queue --timeout 0 q"])
  func stoppedReader(arguments: String) throws {
    let end = try Self.run(
      """
      mkfifo f; sleep 1000 <f & reader=$!
      for way in m '--queue q'; do head -c 300000 /dev/zero | tr '\\0' x | wormhole-send -d w $way; done
      wormhole-listen -d w \(arguments) >f & p=$!
      head -c 1 f
      case '\(arguments)' in *timeout*) ;; *) kill $p ;; esac
      code=0; wait $p || code=$?; echo " $code"; kill $reader
      wormhole-listen -d w --queue -n 1 q | wc -c
      """, isPrivate: false)
    #expect(end.text.hasSuffix(arguments.contains("timeout") ? " 75\n300001\n" : " 0\n300001\n"), "\(end)")
  }

  @Test(
    "A program that another thread starts in the middle of a send holds no lock on, even while it is not yet running",
    arguments: ["mailbox", "new", "queue"])
  func spawning(way: String) throws {
    let directory = try TemporaryDirectory(.memory)
    let fifo = try TemporaryDirectory()
    let helper = try HelperProcess(
      "wormhole-test-helper", ["send-while-spawning", directory.path, way, fifo.appending("fifo")])
    #expect(try helper.nextLine() == "sent")
    // The child is there still, with a copy of every descriptor.
    let file = way == "queue" ? "n.queue" : "n.archive"
    let opened = try FileDescriptor.open(Path(directory.appending(file)), OpenFlags.readWrite)
    #expect(try !opened.isLockedByAnother(against: .exclusive, at: 0))
    let end = try HelperProcess.run(
      "wormhole-send", ["-d", directory.path] + (way == "queue" ? ["-q"] : []) + ["n", "next"])
    #expect(end.exit == .code(0), "\(end.errorText)")
    helper.closeInput()
    #expect(try helper.waitUntilExit().exit == .code(0))
  }

  @Test("A clock that is set back changes neither which message is the newest nor the order of anything")
  func clock() throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    let heard = Inbox<Int>()
    let token = try wormhole.listenForMessage(Int.self, identifier: "n", options: [.every]) { heard.put($0) }
    for (value, time) in [(1, 3_000_000_000), (2, 2_000_000_000), (3, 0), (4, 1_000_000_000)] as [(Int, UInt)] {
      try Interception.with({ $0 == .clockGettime ? .answer(time) : nil }) {
        try wormhole.passMessage(value, identifier: "n")
        try wormhole.transfer(value, identifier: "n")
      }
    }
    #expect(try wormhole.message(Int.self, identifier: "n") == 4)
    #expect(try heard.take(4) == [1, 2, 3, 4])
    token.cancel()
    // Set aside and put back, they keep their order.
    for _ in 1...4 { #expect(try wormhole.setAsideTransfer(identifier: "n")) }
    #expect(try wormhole.putBackTransfers(identifier: "n") == 4)
    let taken = Inbox<Int>()
    try wormhole.receiveTransfers(Int.self, identifier: "n") { taken.put($0.value) }
    #expect(try taken.take(4) == [1, 2, 3, 4])
  }
}
