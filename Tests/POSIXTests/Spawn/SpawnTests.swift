import Foundation
import Glibc
import TestSupport

@testable import POSIX

@Suite struct SpawnTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aProgramAnswersWithStatusOutputAndErrors() async throws {
    let result = try await Spawn.run(
      "/bin/sh", ["-c", "cat; echo \"$WORD\" >&2; exit 3"], environment: Environment(["WORD": "é"]),
      input: Array("given".utf8))
    #expect(result.status == .exited(3))
    #expect(!result.status.isSuccess)
    #expect(result.output == Array("given".utf8))
    #expect(result.errors == Array("é\n".utf8))
    let killed = try await Spawn.run("/bin/sh", ["-c", "kill -TERM $$"])
    #expect(killed.status == .signalled(SIGTERM))
  }

  @Test func aProgramThatIsReapedGetsNoSignal() throws {
    let number = try Spawn.start(
      "/bin/sleep", ["600"], environment: Environment([:]),
      streams: [0, 1, 2], newSession: false)
    let process = SpawnedProcess(number)
    #expect(process.signal(SIGTERM))
    #expect(ExitStatus(process.wait()) == .signalled(SIGTERM))
    #expect(!process.signal(0))
  }

  @Test func muchInputAndOutputFlowAtOnce() async throws {
    let input = [UInt8](repeating: 9, count: 900_000)
    let result = try await Spawn.run("/bin/cat", input: input)
    #expect(result.output == input)
    #expect(result.status.isSuccess)
  }

  @Test("a program may leave its input unread, whatever ours does with SIGPIPE")
  func unreadInput() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let input = [UInt8](repeating: 9, count: 900_000)
      let status = try await Spawn.run("/bin/true", input: input).status
      _exit(status == .exited(0) ? 0 : 1)
    }
  }

  @Test func tooMuchOutputEndsTheProgram() async {
    await #expect(throws: SpawnError.outputTooLarge(limit: 1000)) {
      _ = try await Spawn.run("/bin/cat", ["/dev/zero"], limit: 1000)
    }
  }

  @Test func manyComplaintsAreCutNotFatal() async throws {
    let result = try await Spawn.run(
      "/bin/sh", ["-c", "head -c 100000 /dev/zero >&2"], limit: 1000)
    #expect(result.errors.count == 1000)
    #expect(result.status.isSuccess)
  }

  @Test(arguments: ["exec sleep 1000", "trap '' TERM; while :; do sleep 0.05; done"])
  func theTimeEndsTheProgram(script: String) async {
    await #expect(throws: SpawnError.timedOut) {
      _ = try await Spawn.run("/bin/sh", ["-c", script], timeout: .milliseconds(200))
    }
  }

  @Test func anInterruptOfTheTerminalIsNotSentAgain() async {
    let path = folder.file("pid")
    mkfifo(path, 0o600)
    await #expect(processExitsWith: .exitCode(42)) { [path = path as String] in
      signal(SIGINT, SIG_DFL)
      let script = "echo $$ > '\(path)'; exec sleep 1000"
      let program = try ForegroundProcess("/bin/sh", ["-c", script], environment: .current)
      let pid = String(decoding: try FileReader.read(path, limit: 100).dropLast(), as: UTF8.self)
      _ = try await Signals.cancelling {
        kill(getpid(), SIGINT)
        try? await Task.sleep(for: .seconds(600))
      }
      program.passOnSignal(hasTerminal: true)
      kill(pid_t(pid) ?? 0, SIGTERM)
      _exit(try await program.wait() == .signalled(SIGTERM) ? 42 : 1)
    }
  }

  @Test func aCancelledTaskEndsTheProgram() async throws {
    let path = folder.file("pid")
    mkfifo(path, 0o600)
    let task = Task {
      await failure { () async throws(SpawnError) in
        _ = try await Spawn.run("/bin/sh", ["-c", "echo $$ > \"\(path)\"; exec sleep 1000"])
      }
    }
    let text = try await BackgroundThread.run { () throws(SystemError) in
      try FileReader.read(path, limit: 100)
    }
    let pid = try #require(pid_t(String(decoding: text.dropLast(), as: UTF8.self)))
    #expect(kill(pid, 0) == 0)
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(kill(pid, 0) != 0)
  }

  @Test func aGrandchildThatKeepsThePipesDoesNotHoldUs() async throws {
    let result = try await Spawn.run(
      "/bin/sh", ["-c", "sleep 1000 & echo $!"], timeout: .seconds(600))
    #expect(result.status.isSuccess)
    let pid = try #require(pid_t(String(decoding: result.output.dropLast(), as: UTF8.self)))
    #expect(kill(pid, SIGKILL) == 0)
  }

  @Test(arguments: [("/no/such/program", ENOENT), ("/etc/passwd", EACCES), ("/etc", EACCES)])
  func whatCannotBeExecutedIsAnError(program: String, code: Int32) async {
    let cause = SystemError("spawn", path: program, code: code)
    await #expect(throws: SpawnError.system(cause)) { _ = try await Spawn.run(program) }
    #expect(throws: cause) { _ = try Spawn.detached(program, []) }
    #expect(Spawn.replace(program, []).code == code)
    #expect(throws: cause) { _ = try ForegroundProcess(program, [], environment: .current) }
  }

  @Test func anArgumentWithANULIsRefused() async {
    await #expect(throws: SpawnError.self) { _ = try await Spawn.run("/bin/echo", ["a\0b"]) }
  }

  @Test func childrenGetNoDescriptorsOfOurs() async throws {
    let leaked = open("/dev/null", O_RDONLY)
    defer { close(leaked) }
    #expect(fcntl(leaked, F_GETFD) == 0)
    let result = try await Spawn.run("/bin/ls", ["/proc/self/fd"])
    // Three, and the one by which ls reads the folder.
    #expect(result.output == Array("0\n1\n2\n3\n".utf8))
  }

  @Test func childrenGetTheUmaskAndSignalsWeWereStartedWith() async {
    await #expect(processExitsWith: .exitCode(42)) {
      umask(0o027)
      ProcessSetup.prepare()
      let result = try await Spawn.run(
        "/bin/sh", ["-c", "umask; sed -n 's/^Sig[IB][gl][nk]:.//p' /proc/self/status"])
      let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
      // glibc itself ignores its two internal signals, 32 and 33, in what it spawns.
      let signals = lines.dropFirst().map { (UInt64($0, radix: 16) ?? .max) & 0x7fff_ffff }
      _exit(lines.first == "0027" && signals == [0, 0] && umask(0) == 0o077 ? 42 : 1)
    }
  }

  @Test func aDetachedProgramHasASessionOfItsOwnAndNoInput() async throws {
    let path = folder.file("facts")
    let script = "read x || echo end; ps -o sid= -p $$ | tr -d ' '; readlink /proc/$$/fd/1"
    let process = try Spawn.detached("/bin/sh", ["-c", "{ \(script) ; } > \"\(path)\""])
    #expect(await process.ended(within: .seconds(600)) == .exited(0))
    let lines = try folder.text(of: "facts").split(separator: "\n").map(String.init)
    #expect(lines.first == "end")
    #expect(lines.dropFirst().first == "\(process.pid)")
    // No zombie stays.
    #expect(kill(process.pid, 0) != 0)
  }

  @Test func aDetachedProgramWritesToStandardError() async throws {
    let path = folder.file("errors")
    await #expect(processExitsWith: .success) { [path = path as String] in
      let file = try FileDescriptor.open(path, flags: O_CREAT | O_WRONLY | O_APPEND)
      dup2(file.number, 2)
      let process = try Spawn.detached("/bin/sh", ["-c", "echo out; echo err >&2"])
      let end = await process.ended(within: .seconds(600))
      _exit(end == .exited(0) ? 0 : 1)
    }
    #expect(try folder.text(of: "errors") == "out\nerr\n")
  }

  @Test func whatStillRunsHasNotEnded() async throws {
    let process = try Spawn.detached("/bin/sleep", ["1000"])
    #expect(await process.ended(within: .milliseconds(20)) == nil)
    kill(process.pid, SIGKILL)
    #expect(await process.ended(within: .seconds(600)) == .signalled(SIGKILL))
  }

  @Test func replacingPassesBytesAndEnvironment() async throws {
    let path = folder.file("out")
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      ProcessSetup.prepare()
      _ = Spawn.replace(
        "/bin/sh",
        rawArguments: [
          Array("-c".utf8), Array("printf '%s %s' \"$1\" \"$A\" > \"$2\"; exit 7".utf8),
          Array("sh".utf8), [0xff, 0x21], Array(path.utf8),
        ], environment: Environment(["A": "b"]))
    }
    #expect(try FileReader.read(path, limit: 100) == [0xff, 0x21, 0x20, 0x62])
  }

  @Test func programsAreFoundInThePathOnly() throws {
    try folder.write("", to: "sdkctl-one", mode: 0o755)
    try folder.write("", to: "sdkctl-not", mode: 0o644)
    try Directory.create(folder.file("sdkctl-dir"))
    let environment = Environment(["PATH": "/nowhere::\(folder.path):/bin"])
    #expect(Spawn.find("sdkctl-one", in: environment) == folder.file("sdkctl-one"))
    #expect(Spawn.find("sdkctl-not", in: environment) == nil)
    #expect(Spawn.find("sdkctl-dir", in: environment) == nil)
    #expect(Spawn.find("", in: environment) == nil)
    #expect(Spawn.find("sh", in: environment) == "/bin/sh")
    #expect(Spawn.find("/bin/sh", in: Environment()) == "/bin/sh")
    #expect(Spawn.find("./sh", in: environment) == nil)
    #expect(Spawn.names(beginningWith: "sdkctl-", in: environment) == ["sdkctl-one"])
  }
}
