import CoreTestSupport
import Glibc

@testable import Commands

@Suite("A command line")
struct LaunchTests {
  @Test("that a signal ended reports that signal, and no error")
  func signal() async throws {
    let program = try TestProgram([:])
    program.interrupt(by: SIGINT)
    let run = try await program.run("token")
    #expect(run.status == .signal(SIGINT))
    #expect(run.errors == "")
  }

  @Test("whose output cannot be written says so, and fails with 1 or with its own status")
  func fullOutput() async throws {
    let program = try TestProgram([:])
    let token = try program.folder.write(
      TestToken.text("{}", header: #"{"alg":"none"}"#), to: "token")
    var ports = Ports(environment: Environment(["SDKCTL_HOME": program.folder.file("store")]))
    let full = try FileDescriptor.open("/dev/full", .write)
    let errors = try FileDescriptor.open(program.folder.write("", to: "errors"), .write)
    ports.output = Output(descriptor: full.number)
    ports.errors = Output(descriptor: errors.number, capacity: 0)
    let message = "sdkctl: error: could not write the output: no space left on device\n"
    let ending = await Launch.run(["profile", "list"].map { Array($0.utf8) }, ports)
    #expect(ending.report() == .status(.failure))
    #expect(try program.folder.text(of: "errors") == message)
    let silent = await Launch.run(["token", "lint", token].map { Array($0.utf8) }, ports)
    #expect(silent.report() == .status(.verification))
    #expect(try program.folder.text(of: "errors") == message + message)
    let lines = try program.folder.write("no request\n", to: "batch")
    let batch = await Launch.run(["fetch", "--batch", lines].map { Array($0.utf8) }, ports)
    #expect(batch.report() == .status(.usage))
    #expect(try program.folder.text(of: "errors") == message + message + message)
  }

  @Test("whose reader has left ends as by a signal, without an error")
  func brokenPipe() async {
    await #expect(processExitsWith: .exitCode(42)) {
      ProcessSetup.prepare()
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0, close(ends[0]) == 0 else { _exit(1) }
      var ports = Ports(environment: Environment(["SDKCTL_HOME": "/nonexistent"]))
      ports.output = Output(descriptor: ends[1])
      let ending = await Launch.run([Array("version".utf8)], ports)
      _exit(ending.report() == .signal(SIGPIPE) ? 42 : 1)
    }
  }

  @Test("with a slash in the name of its command starts no program")
  func slash() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let program = try TestProgram([:])
      try program.folder.write("#!/bin/sh\n", to: "sdkctl-a/b", mode: 0o755)
      guard chdir(program.folder.path) == 0 else { exit(1) }
      let run = try await program.run("a/b")
      exit(run.status == .status(.usage) && program.replacement == nil ? 42 : 1)
    }
  }
}
