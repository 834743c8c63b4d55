import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("credential bazel")
struct CredentialBazelTests {
  private static func program() async throws -> TestProgram {
    try await .loggedIn(["allowedHosts": ["cache.test:8980"]])
  }

  @Test(
    "get returns the header field and the end of the token",
    arguments: [
      "https://api.test/x", "https://cache.test:8980", "grpcs://cache.test:8980/Service/Method",
    ])
  func get(uri: String) async throws {
    let run = try await Self.program().run(
      "credential", "bazel", "get", input: #"{"uri":"\#(uri)","more":1}"#)
    #expect(run.status == .status(.success), "\(run)")
    #expect(run.json?["headers"] == ["Authorization": ["Bearer u1"]])
    #expect(run.json?["expires"]?.string == "2027-01-15T09:00:00Z")
  }

  @Test(
    "gives no token to a server that the profile does not allow",
    arguments: [
      "https://evil.test/", "grpc://cache.test:8980/", "http://api.test/", "grpcs://cache.test/",
      "https://cache.test:8980@evil.test/",
    ])
  func refused(uri: String) async throws {
    let run = try await Self.program().run(
      "credential", "bazel", "get", input: #"{"uri":"\#(uri)"}"#)
    #expect(run.status != .status(.success), "\(run)")
    #expect(run.output == "")
  }

  @Test(
    "refuses what is not a request", arguments: ["", "{", "{}", #"{"uri":5}"#, #"{"uri":"x"}"#])
  func malformed(input: String) async throws {
    let run = try await Self.program().run("credential", "bazel", "get", input: input)
    #expect(run.status == .status(.failure), "\(run)")
    #expect(run.errors.hasPrefix("sdkctl: error: could not read the request of Bazel: "), "\(run)")
  }

  @Test("install prints the script and a line for each server")
  func install() async throws {
    let run = try await Self.program().run("credential", "bazel", "install")
    #expect(run.output.hasPrefix("#!/bin/sh\nexport SDKCTL_HOME="), "\(run)")
    #expect(run.output.contains(" -p work credential bazel \"$@\"\n"))
    let name = "bazel-credential-sdkctl-work"
    #expect(
      run.output.hasSuffix(
        "common --credential_helper=api.test=\(name)\n"
          + "common --credential_helper=cache.test=\(name)\n"), "\(run)")
  }
}
