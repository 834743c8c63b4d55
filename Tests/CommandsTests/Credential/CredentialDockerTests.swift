import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("credential docker")
struct CredentialDockerTests {
  private static func program() async throws -> TestProgram {
    try await .loggedIn(["allowedHosts": ["registry.test:5000"]])
  }

  @Test(
    "get returns the token for a registry, however its address is written",
    arguments: ["https://registry.test:5000/v2/", "registry.test:5000", "https://api.test\n"])
  func get(address: String) async throws {
    let run = try await Self.program().run("credential", "docker", "get", input: address)
    #expect(run.status == .status(.success))
    #expect(
      run.json == [
        "ServerURL": .string(address.filter { $0 != "\n" }), "Username": "oauth2", "Secret": "u1",
      ])
    #expect(run.errors == "")
  }

  @Test(
    "fails as the protocol defines: the message on standard output, status 1",
    arguments: [
      (["get"], "https://evil.test", "credentials not found in native keychain"),
      (["get"], "http://registry.test:5000", "credentials not found in native keychain"),
      (["get"], "registry.test:5000?.evil.test", "credentials not found in native keychain"),
      (["get"], "registry.test:5000#@evil.test", "credentials not found in native keychain"),
      (["get"], "https://registry.test:5000?/v2", "credentials not found in native keychain"),
      (["get"], "registry.test:\n5000", "credentials not found in native keychain"),
      (["get"], "registry.test :5000", "credentials not found in native keychain"),
      (["get"], "", "no credentials server URL"),
      (["store"], "{}", "sdkctl does not store passwords: use `sdkctl login`"),
      (["erase"], "registry.test:5000", "sdkctl stores no passwords: use `sdkctl logout`"),
    ])
  func failures(words: [String], input: String, message: String) async throws {
    expect(
      try await Self.program().run(["credential", "docker"] + words, input: input), .failure,
      output: message + "\n")
  }

  @Test("says on standard output that a login is needed, with the command")
  func notLoggedIn() async throws {
    let program = try TestProgram(["allowedHosts": ["registry.test"]])
    expect(
      try await program.run("credential", "docker", "get", input: "registry.test"), .failure,
      output: """
        could not use the user's token: nobody is logged in to 'work'; sdkctl -p work login

        """)
  }

  @Test("list prints the servers of the profile, version a line")
  func lists() async throws {
    let program = try await Self.program()
    let run = try await program.run("credential", "docker", "list", "--username", "x")
    #expect(run.json == ["https://api.test": "x", "https://registry.test:5000": "x"])
    #expect(
      try await program.run("credential", "docker", "version").output.hasPrefix(
        "docker-credential-sdkctl (sdkctl) "))
  }

  @Test("install prints the script and the configuration")
  func install() async throws {
    let program = try await Self.program()
    let run = try await program.run("credential", "docker", "install", "--username", "x y")
    #expect(run.status == .status(.success), "\(run)")
    let parts = run.output.split(separator: "{\n", maxSplits: 1).map(String.init)
    #expect(parts.first?.hasPrefix("#!/bin/sh\nexport SDKCTL_HOME=") == true)
    #expect(
      parts.first?.hasSuffix(" -p work credential docker --username 'x y' \"$@\"\n") == true)
    #expect(
      try JSON(parsing: "{\n" + (parts.last ?? ""))
        == ["credHelpers": ["api.test": "sdkctl-work", "registry.test:5000": "sdkctl-work"]])
  }
}
