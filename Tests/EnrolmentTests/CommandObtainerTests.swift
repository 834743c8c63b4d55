import CoreTestSupport
import Glibc

@testable import Enrolment
@testable import SDKCore

@Suite("An identity of an external program")
struct CommandObtainerTests {
  private static func obtain(
    _ script: String, limits: SessionLimits = SessionLimits(), _ files: [String: String] = [:]
  ) async throws -> Identity {
    let world = try World()
    for (name, text) in files { try world.folder.write(text, to: name, mode: 0o600) }
    let path = try world.folder.write(
      "cd '\(world.folder.path)'\n\(script)\n", to: "program", mode: 0o700)
    try world.set("identity.obtain", to: "command")
    try world.set("identity.command", to: .string("/bin/sh '\(path)'"))
    return try await world.session(limits: limits).identities.obtain(
      try IdentityRequest(for: "api.test"))
  }

  fileprivate static func refusal(
    of script: String, limits: SessionLimits = SessionLimits(), _ files: [String: String] = [:]
  ) async -> SDKError? {
    await #expect(throws: SDKError.self) { _ = try await obtain(script, limits: limits, files) }
  }

  @Test("is what it prints, and it knows for which host")
  func printed() async throws {
    let made = try TestIdentity.make("made", hosts: [])
    let key = try #require(made.key.pem)
    let identity = try await Self.obtain(
      "test \"$SDKCTL_IDENTITY_HOST\" = api.test && test -z \"$SDKCTL_IDENTITY_RENEWS\" && cat pem",
      ["pem": key + made.chain.leaf.pem])
    #expect(identity.chain == made.chain && identity.origin == .obtained(by: "command"))
  }

  @Test(
    "is refused if the program fails, also after it has printed one",
    arguments: [("exit 7", "exited with 7"), ("kill -9 $$", "was ended by signal 9")])
  func status(end: String, cause: String) async throws {
    let made = try TestIdentity.make("made", hosts: [])
    let key = try #require(made.key.pem)
    let error = await Self.refusal(of: "cat pem; \(end)", ["pem": key + made.chain.leaf.pem])
    #expect(error?.code == .refused)
    #expect(error?.message.hasSuffix("'/bin/sh' \(cause)") == true, "\(error?.message ?? "")")
  }

  @Test("is not waited for beyond the time limit of the command")
  func timeLimit() async throws {
    let began = ContinuousClock.now
    let error = await Self.refusal(
      of: "exec sleep 900", limits: SessionLimits(deadline: .now + .milliseconds(200)))
    #expect(error?.code == .network)
    #expect(error?.message.hasSuffix("did not end in time") == true)
    #expect(began.duration(to: .now) < .seconds(600))
  }

  @Test("has a key of its own, which is that of the certificate")
  func key() async throws {
    let (made, other) = (
      try TestIdentity.make("a", hosts: []), try TestIdentity.make("b", hosts: [])
    )
    let foreign = try #require(other.key.pem)
    let certificate = made.chain.leaf.pem
    let none = await Self.refusal(of: "cat pem", ["pem": certificate])
    #expect(none?.message.hasSuffix("'/bin/sh' printed no private key") == true)
    let wrong = await Self.refusal(of: "cat pem", ["pem": foreign + certificate])
    #expect(wrong?.code == .malformedResponse)
    let garbage = await Self.refusal(of: "echo hello")
    #expect(garbage?.message.contains("printed no identity") == true)
  }

  @Test("is asked for without the tokens of the environment")
  func tokens() async {
    await #expect(processExitsWith: .success) {
      for name in Environment.tokenVariables { setenv(name, "given", 1) }
      let folder = try TemporaryFolder()
      let file = folder.file("seen")
      _ = await CommandObtainerTests.refusal(of: "export >'\(file)'")
      let seen = try folder.text(of: "seen")
      #expect(seen.contains("SDKCTL_IDENTITY_HOST") && !seen.contains("given"), "\(seen)")
    }
  }

  @Test("needs a program", arguments: ["'", "/no/such/program"])
  func program(command: String) async throws {
    let world = try World(["identity.obtain": "command", "identity.command": .string(command)])
    let service = try world.session().identities
    let error = await expect(.invalidConfiguration) {
      try await service.obtain(try IdentityRequest(for: "api.test"))
    }
    #expect(error?.subject == "identity.command")
  }
}
