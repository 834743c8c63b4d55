import CoreTestSupport

@testable import Commands

@Suite("fido register")
struct FIDORegisterTests {
  /// A program whose user is logged in, and its FIDO server.
  static func program(
    _ settings: [String: JSON] = [:]
  ) async throws -> (TestProgram, FakeFIDOServer) {
    let program = try TestProgram(
      settings.merging(["fido.url": .string(FakeFIDOServer.origin), "fido.user": "alice"]) {
        left, _ in left
      })
    try await program.store("a1")
    return (program, FakeFIDOServer(program.transport))
  }

  /// The same with a key whose passcode is 271828.
  static func registered(
    _ settings: [String: JSON] = [:]
  ) async throws -> (TestProgram, FakeFIDOServer) {
    let (program, server) = try await program(settings)
    let run = try await program.run("fido", "register", "--passcode-file", "-", input: "271828\n")
    try #require(run.status == .status(.success), "\(run)")
    return (program, server)
  }

  @Test("registers a key, and takes the passcode from a person, a stream or a file")
  func passcodes() async throws {
    let (program, server) = try await Self.program()
    let file = try program.folder.write("271828\n", to: "passcode", mode: 0o600)
    program.terminal.type("111111")
    program.terminal.type("111111")
    program.terminal.type("271828")
    program.terminal.type("271828")
    let lines: [(words: [String], input: String)] = [
      (["bob"], ""), (["--passcode-file", "-"], "271828\n"), (["--passcode-file", file], ""),
    ]
    for (words, input) in lines {
      let run = try await program.run(["fido", "register"] + words, input: input)
      #expect(run.status == .status(.success), "\(run)")
      let name = words == ["bob"] ? "bob" : "alice"
      #expect(
        run.errors.hasSuffix(
          "sdkctl: registered the FIDO key of \(name) (FFFF#0001) for 'work'\n"), "\(run)")
    }
    #expect(server.keys.map(\.user) == ["bob", "alice", "alice"])
    #expect(
      program.terminal.prompts == [
        "New passcode of the FIDO key: ", "The same again: ", "New passcode of the FIDO key: ",
        "The same again: ",
      ])
    #expect(server.requests[0].fields["Authorization"] == "Bearer a1")
  }

  @Test("makes a key without a passcode only if the profile allows it")
  func noVerification() async throws {
    let (strict, _) = try await Self.program()
    expect(
      try await strict.run("fido", "register", "--no-verification"), .policy,
      errors: "sdkctl: error: could not use the authenticator: the profile requires that it "
        + "verifies the user\n")
    let (program, server) = try await Self.program(["fido.noVerification": true])
    let run = try await program.run("fido", "register", "--no-verification")
    #expect(run.status == .status(.success), "\(run)")
    #expect(server.keys.count == 1)
    #expect(try await program.run("fido", "login").status == .status(.success))
  }

  @Test("refuses what cannot work before anybody is asked")
  func unconfigured() async throws {
    let (program, _) = try await Self.program()
    _ = try await program.run("profile", "unset", "fido.url")
    expect(
      try await program.run("fido", "register"), .configuration,
      errors: """
        sdkctl: error: could not use FIDO: the profile has no fido.url
        sdkctl: hint: sdkctl -p work profile set fido.url=https://HOST/PATH

        """)
    #expect(program.terminal.prompts.isEmpty)
  }

  @Test("tells that nobody is logged in, that the server refuses, and that there is no terminal")
  func failures() async throws {
    let (program, server) = try await Self.program()
    server.rules.registrationVerdict = 1496
    expect(
      try await program.run("fido", "register", "--passcode-file", "-", input: "271828"), .refused,
      errors: "sdkctl: error: could not register a FIDO key: fido.test: the server does not accept "
        + "the attestation (1496)\n")
    expect(
      try await program.run("fido", "register"), .usage,
      errors:
        "sdkctl: error: could not ask for the passcode: there is no terminal, and --passcode-file is "
        + "missing\n")
    _ = try await program.run("logout", "--local")
    expect(
      try await program.run("fido", "register", "--passcode-file", "-", input: "271828"),
      .authenticationRequired,
      errors: """
        sdkctl: error: could not use the user's token: nobody is logged in to 'work'
        sdkctl: hint: sdkctl -p work login

        """)
  }

  @Test("makes no key if the two passcodes differ")
  func differing() async throws {
    let (program, server) = try await Self.program()
    program.terminal.type("271828", "314159")
    let run = try await program.run("fido", "register")
    #expect(run.status == .status(.declined), "\(run)")
    #expect(run.errors.contains("could not set the passcode: the two differ"))
    #expect(server.keys.isEmpty)
  }
}
