import TestSupport

@testable import Commands
@testable import OpenSSL
@testable import SDKCore

@Suite("What a session asks of a command")
struct ContextTests {
  @Test(
    "a chain without a pinned key is a warning if the connection goes on", arguments: [true, false])
  func pins(isEnforced: Bool) throws {
    let folder = try TemporaryFolder()
    let errors = try FileDescriptor.open(folder.write("", to: "errors"), .write)
    var ports = Ports(environment: Environment([:]))
    ports.errors = Output(descriptor: errors.number, capacity: 0)
    let context = Context(globals: Globals(), ports: ports)
    context.pinReport(ReportingTransport.failure(of: "api.test", isEnforced: isEnforced))
    #expect(try folder.text(of: "errors").isEmpty == isEnforced)
  }

  @Test("the PIN of a security token is that of the file or of standard input, if one is named")
  func pin() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("1234\n", to: "pin")
    for name in [file, "-"] { try await pin(named: name, input: .open(file)) }
  }

  private func pin(named name: String, input: consuming FileDescriptor) async throws {
    let terminal = FakeTerminal()
    terminal.connect(.input, .errors)
    var ports = Ports(environment: Environment([:]))
    ports.input = Input(descriptor: input.number)
    ports.terminal = terminal.port
    var options = SessionOptions(programName: "sdkctl", userAgent: "sdkctl")
    var globals = Globals()
    globals.passphraseFile = name
    let context = Context(globals: globals, ports: ports)
    // Standard input is read once, for all sessions of the command.
    try context.askForIdentities(&options)
    try context.askForIdentities(&options)
    let ask = try #require(options.identityPIN)
    for hasWrongPIN in [false, true] {
      let token = SecurityToken(
        SecurityTokenInfo(label: "t", serial: "1", hasWrongPIN: hasWrongPIN, isLastAttempt: false))
      let pin = try? await ask(token)
      #expect(pin == (hasWrongPIN ? nil : Array("1234".utf8)))
    }
    #expect(terminal.prompts.isEmpty)
  }

  @Test("another profile, or a helper, has the time, the trace and the reports of its command")
  func derived() throws {
    var globals = Globals()
    (globals.timeout, globals.trace) = (.seconds(60), "t.har")
    let context = Context(globals: globals, ports: Ports(environment: Environment([:])))
    let other = context.with(profile: "other").deriving { globals, _ in globals.quiet = true }
    #expect(other.globals.profile == "other" && other.globals.quiet)
    #expect(other.deadline == context.deadline && context.deadline != nil)
    #expect(other.traceFile === context.traceFile && context.traceFile != nil)
    #expect(other.unpinnedHosts === context.unpinnedHosts)
    #expect(other.ignoredFiles === context.ignoredFiles)
    let renewal = other.renewing()
    #expect(try #require(renewal.deadline) > #require(other.deadline))
    #expect(renewal.traceFile === context.traceFile)
  }
}
