import Glibc
import JSON
import POSIX
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("A command line")
struct LaunchTests {
  private static func program(alias: String) throws -> TestProgram {
    let program = try TestProgram([:])
    try program.folder.write(
      #"{"version":1,"current":"work","alias":{"x":"\#(alias)"}}"#, to: "store/config/config.json")
    return program
  }

  @Test("that is an alias runs with its words, and those behind it")
  func alias() async throws {
    let program = try Self.program(alias: "profile 'show' --json")
    let run = try await program.run("-q", "x", "work")
    #expect(run.status == .status(.success))
    #expect(run.json?["name"] == "work")
  }

  @Test("whose alias names an alias is unknown, so that none runs forever")
  func recursion() async throws {
    let run = try await Self.program(alias: "x").run("x")
    #expect(run.status == .status(.usage))
    #expect(run.errors.contains("'x'"))
  }

  @Test("whose alias has an open quote fails with 3")
  func openQuote() async throws {
    expect(
      try await Self.program(alias: "fetch '/me").run("x"), .configuration,
      errors: "sdkctl: error: could not use the alias 'x': a quote is left open\n")
  }

  @Test("that nothing knows is a usage error that suggests external commands too")
  func unknown() async throws {
    let program = try TestProgram()
    try program.folder.write("#!/bin/sh\n", to: "bin/sdkctl-extra", mode: 0o755)
    let run = try await program.run("extro")
    #expect(run.status == .status(.usage))
    #expect(run.output == "")
    #expect(run.errors.contains("'extra'"))
  }

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
  }

  @Test("with --color always colours the word error, as with NO_COLOR never on a terminal")
  func colour() async throws {
    let program = try TestProgram()
    let red = "sdkctl: \u{1b}[1;31merror:\u{1b}[0m "
    #expect(try await program.run("profile", "show", "--color", "always").errors.hasPrefix(red))
    program.terminal.connect(.errors)
    program.setVariable("TERM", "xterm")
    #expect(try await program.run("profile", "show").errors.hasPrefix(red))
    program.setVariable("NO_COLOR", "1")
    #expect(
      try await program.run("profile", "show").errors.hasPrefix("sdkctl: error: "))
  }
}
