import Foundation
import Glibc
import TestSupport

@testable import POSIX

@Suite struct ProcessSetupTests {
  @Test func newFilesArePrivateAndCoresAreOff() async {
    await #expect(processExitsWith: .success) {
      umask(0)
      ProcessSetup.prepare()
      let mask = umask(0)
      var core = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &core)
      var action = sigaction()
      sigaction(SIGPIPE, nil, &action)
      let ignored = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
      let status = try FileReader.read("/proc/self/status", limit: 100_000)
      let dumpable = try FileStatus.of("/proc/self/maps")
      #expect(!status.isEmpty)
      // What cannot be dumped belongs to root in /proc.
      #expect(dumpable.owner == 0)
      _exit(mask == 0o077 && core.rlim_cur == 0 && ignored ? 0 : 1)
    }
  }

  @Test func aMissingStandardDescriptorIsOpenedSoThatItsUseFails() async {
    await #expect(processExitsWith: .success) {
      // Which file it is, and no more: others write to it, which may change its times.
      let null = try FileStatus.of("/dev/null")
      // Another thread of this process may take a descriptor in between: then once more.
      let isRight = (0..<20).contains { _ in
        for number in Int32(0)...2 { close(number) }
        ProcessSetup.prepare()
        let modes = (Int32(0)...2).map { fcntl($0, F_GETFL) & O_ACCMODE }
        let isNull = (Int32(0)...2).allSatisfy { number in
          (try? FileStatus.of("/proc/self/fd/\(number)"))?.isSameFile(as: null) ?? false
        }
        return modes == [O_WRONLY, O_RDONLY, O_RDWR] && isNull
      }
      let next = open("/dev/null", O_RDONLY)
      _exit(isRight && next > 2 ? 0 : 1)
    }
  }

  @Test func withoutHOMETheUserDatabaseIsAsked() async {
    await #expect(processExitsWith: .success) {
      let account = getpwuid(geteuid())?.pointee.pw_dir.map { String(cString: $0) }
      unsetenv("HOME")
      let unset = Environment.current.home
      setenv("HOME", "", 1)
      let empty = Environment.current.home
      setenv("HOME", "/elsewhere", 1)
      let isRight = unset == account && empty == account && Environment.current.home == "/elsewhere"
      _exit(isRight ? 0 : 1)
    }
  }

  @Test func aVariableThatIsNotUTF8IsKnown() {
    let environment = Environment(
      values: ["GOOD": Array("é".utf8), "BAD": [0x2F, 0xFF], "EMPTY": []], accountHome: nil)
    #expect(environment.isBroken("BAD"))
    for name in ["GOOD", "EMPTY", "MISSING"] { #expect(!environment.isBroken(name), "\(name)") }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aReraisedSignalIsSeenFromOutside(number: Int32) async {
    let end = await #expect(processExitsWith: .failure, observing: [\.exitStatus]) { [number] in
      signal(number, SIG_IGN)
      ProcessSetup.reraise(number)
    }
    #expect(end?.exitStatus == .signal(number))
  }

  @Test func theArgumentsAreTheBytesOfTheProcess() {
    let texts = ProcessSetup.rawArguments.map { String(decoding: $0, as: UTF8.self) }
    #expect(texts == CommandLine.arguments)
  }

  @Test func theEnvironmentIsReadAsItIs() {
    setenv("POSIX_TESTS_A", "b=c", 1)
    let current = Environment.current
    #expect(current["POSIX_TESTS_A"] == "b=c")
    #expect(current["POSIX_TESTS_NOT"] == nil)
    #expect(current.home != nil)
    #expect(current.names.contains("POSIX_TESTS_A"))
    #expect(current.removing(["POSIX_TESTS_A"])["POSIX_TESTS_A"] == nil)
    var own = Environment(["B": "2", "A": "1"])
    own["C"] = "3"
    own["B"] = nil
    #expect(own.names == ["A", "C"])
    #expect(own.entries == [Array("A=1".utf8), Array("C=3".utf8)])
    #expect(own.home == nil)
    #expect(Environment(["HOME": ""]).home == nil)
    #expect(Environment(["HOME": "/h"]).home == "/h")
  }

  @Test(
    arguments: [
      ("Name:\tx\nTracerPid:\t0\nUid:\t0", [:], nil, []),
      ("TracerPid:\t4711\n", ["LD_PRELOAD": "/a.so:/b.so c.so"], 4711, ["/a.so", "/b.so", "c.so"]),
      ("", ["LD_AUDIT": "/d.so", "LD_PRELOAD": ""], nil, ["/d.so"]),
    ] as [(String, [String: String], Int32?, [String])])
  func aLookerOnIsFound(
    status: String, environment: [String: String], tracer: Int32?, preloaded: [String]
  ) {
    #expect(ProcessProbe.tracer(status: status) == tracer)
    #expect(ProcessProbe.preloaded(Environment(environment)) == preloaded)
    #expect(["model name: QEMU CPU", "flags : hypervisor"].allSatisfy(ProcessProbe.isEmulated))
  }

  @Test func librariesAreTheFilesThatAreExecutable() {
    let maps = """
      7f10-7f20 r-xp 00000000 08:01 1    /usr/bin/program
      7f20-7f30 r--p 00000000 08:01 2    /usr/lib/data
      7f30-7f40 r-xp 00001000 08:01 3    /usr/lib/a b.so
      7f40-7f50 r-xp 00002000 08:01 3    /usr/lib/a b.so
      7f50-7f60 rwxp 00000000 00:00 0\(" ")
      7f60-7f70 r-xp 00000000 00:00 0    [vdso]
      """
    #expect(ProcessProbe.libraries(maps: maps, program: "/usr/bin/program") == ["/usr/lib/a b.so"])
  }

  @Test func thisProcessIsNotTraced() {
    let probe = ProcessProbe.current(Environment([:]))
    #expect(probe.tracer == nil && probe.preloaded.isEmpty && probe.libraryPath.isEmpty)
  }

  @Test func theClocksGoForward() {
    let first = SystemClock.monotonic()
    #expect(abs(SystemClock.now().seconds - Int64(Date().timeIntervalSince1970)) <= 1)
    #expect(SystemClock.monotonic() >= first)
  }

  @Test func theLocalTimeIsLeftOutIfItIsUTC() async {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "UTC", 1)
      _exit(SystemClock.local(0) == nil ? 0 : 1)
    }
  }

  private struct Functions {
    let absolute: @convention(c) (Int32) -> Int32
    let length: @convention(c) (UnsafePointer<CChar>) -> Int
  }

  @Test func aLibraryIsOpenedByTheFirstNameThatWorks() throws {
    let functions = try DynamicLibrary.functions(
      Functions.self, of: ["libnothing-at-all.so", "libc.so.6"], named: ["abs", "strlen"])
    #expect(functions.absolute(-3) == 3)
    #expect(functions.length("four") == 4)
  }

  @Test(arguments: [
    ("libnothing-at-all.so", "strlen", "libnothing-at-all.so: "),
    ("libc.so.6", "no_such_function", "libc.so.6 has no function no_such_function"),
  ])
  func whatIsMissingOfALibraryIsNamed(file: String, function: String, reason: String) {
    let error = #expect(throws: DynamicLibrary.Unusable.self) {
      try DynamicLibrary.functions(Functions.self, of: [file], named: ["abs", function])
    }
    #expect(error?.description.hasPrefix(reason) == true)
  }
}
