import Glibc
import TestSupport
import Testing
import Wormhole

/// `wormhole-listen --diagnose` beside programs that hold things up.
@Suite("Diagnosis", .ownThread)
struct DiagnoseTests {
  @Test("A file that stays locked is named, with the process that holds it and what to do")
  func locked() throws {
    let directory = try TemporaryDirectory(.memory)
    let wormhole = try Wormhole(directory: directory.path)
    try wormhole.passMessage("hello", identifier: "note")
    try wormhole.transfer("hello", identifier: "jobs")
    for name in ["note.archive", "jobs.queue"] {
      let file = try FileDescriptor.open(Path(directory.appending(name)), OpenFlags.readWrite)
      #expect(try file.tryLock(.exclusive, at: 0))
      let end = try HelperProcess.run("wormhole-listen", ["-d", directory.path, "--diagnose"])
      let lines = end.text.split(separator: "\n").filter { $0.hasPrefix("locks") }
      #expect(lines.count == 1 && lines[0].contains("\(name) stays locked by"), "\(end.text)")
      #expect(lines.first?.contains("(process \(getpid()))") == true, "\(end.text)")
      #expect(end.exit == .code(75))
      try file.unlock(at: 0)
    }
    #expect(try HelperProcess.run("wormhole-listen", ["-d", directory.path, "--diagnose"]).exit == .code(0))
  }

  @Test("A listener is named")
  func listener() throws {
    let directory = try TemporaryDirectory(.memory)
    let listener = try HelperProcess("wormhole-listen", ["-d", directory.path, "--ready", "note"])
    _ = try listener.nextErrorLine()
    let end = try HelperProcess.run("wormhole-listen", ["-d", directory.path, "--diagnose"])
    #expect(
      end.text.contains("listeners\tok\twormhole-listen (process \(listener.processIdentifier))\n"), "\(end.text)")
  }

  @Test("Used up inotify instances and watches are named, listeners say that they look every so often, and all arrives")
  func limits() throws {
    for limit in ["instances", "watches"] {
      let directory = try TemporaryDirectory(.memory)
      try Wormhole(directory: directory.path).passMessage("before", identifier: "note")
      let tool = try HelperProcess.path(of: "wormhole-listen")
      // A user namespace has limits of its own, which its owner may lower for real.
      let lowered = "echo 0 >/proc/sys/user/max_inotify_\(limit) && exec \(tool) -d \(directory.path)"
      let end = try HelperProcess.run("/usr/bin/unshare", ["-U", "-r", "/bin/sh", "-c", "\(lowered) --diagnose"])
      #expect(end.exit == .code(74), "\(end.text)\(end.errorText)")
      let line = end.text.split(separator: "\n").first { $0.hasPrefix("inotify \(limit)\tproblem") }
      #expect(line?.contains("raise the sysctl fs.inotify.max_user_\(limit)") == true, "\(end.text)")
      #expect(end.text.contains("events\tproblem"), "\(end.text)")

      let listener = try HelperProcess(
        "/usr/bin/unshare", ["-U", "-r", "/bin/sh", "-c", "\(lowered) --ready --every note"])
      let errors = Set([try listener.nextErrorLine(), try listener.nextErrorLine()])
      #expect(errors.contains("wormhole-listen: listening"))
      #expect(errors.contains { $0.contains("every 0.5 s") && $0.contains("max_user_\(limit)") }, "\(errors)")
      let wormhole = try Wormhole(directory: directory.path)
      for number in 0..<20 { try wormhole.passMessage("message \(number)", identifier: "note") }
      for number in 0..<20 { #expect(try listener.nextLine() == "message \(number)") }
    }
  }
}

/// Things of other kinds where the wormhole has files of its own.
@Suite("Odd things in the hidden folder", .ownThread)
struct HiddenFolderTests {
  @Test(
    "Whatever stands at the names of the hidden folder is told with what to do, holds nothing up, and is not followed",
    arguments: ["mkdir", "mkfifo", "ln -s target", "ln -s .", "echo junk >", "truncate -s 100G", "mknod-null"])
  func oddThings(command: String) throws {
    let directory = try TemporaryDirectory()
    let tools = try HelperProcess.path(of: "wormhole-send").dropLast("/wormhole-send".count)
    // A device needs rights that not everybody has; a pipe stands for it then.
    let make =
      command == "mknod-null"
      ? "make() { mknod \"$1\" c 1 3 2>/dev/null || mkfifo \"$1\"; }" : "make() { \(command) \"$1\"; }"
    let end = try HelperProcess.run(
      "/bin/sh",
      [
        "-c",
        """
        \(make); mkdir w w/.wormhole; echo safe >target
        for name in presence replace t-1 s-1 p-1 r-n.queue; do make w/.wormhole/$name; done
        make w/n.queue; make w/m.archive
        say() { printf '%s %s\\n' "$?" "$1"; }
        wormhole-send -d w good fine; say send
        wormhole-listen -d w --read good
        wormhole-send -d w m message; say replace
        wormhole-send -d w -q n item; say queue
        wormhole-send -d w --request --timeout 1 n question; say request
        wormhole-listen -d w -q -n 1 --timeout 1 n; say receive
        wormhole-listen -d w --put-back n; say put-back
        wormhole-listen -d w --diagnose >diagnosis; say diagnose
        cat target
        """,
      ], environment: ["PATH": "\(tools):/usr/bin:/bin", "LC_ALL": "C"], in: directory.path)
    let lines = end.text.split(separator: "\n").map(String.init)
    #expect(lines.prefix(2) == ["0 send", "fine"] && lines.last == "safe", "\(end.text)")
    let codes = Set(lines.dropFirst(2).dropLast().map { String($0.prefix { $0 != " " }) })
    #expect(codes.isSubset(of: ["0", "65", "66", "69", "74"]), "\(lines)")
    for line in end.errorText.split(separator: "\n") {
      // Each says what stands where, and what to do.
      #expect(line.hasPrefix("wormhole-") && (line.contains("; ") || line.contains("set aside")), "\(line)")
    }
    #expect(!end.errorText.contains("replaced faster"), "\(end.errorText)")
  }
}
