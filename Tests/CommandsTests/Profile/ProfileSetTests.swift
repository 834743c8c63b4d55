import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("profile set")
struct ProfileSetTests {
  @Test("writes typed values, silently")
  func writes() async throws {
    let program = try TestProgram([:])
    expect(
      try await program.run("profile", "set", "scope=a b", "insecureLoopback=true"), .success)
    #expect(try program.members()["scope"] == "a b")
    #expect(try program.members()["insecureLoopback"] == true)
  }

  @Test(
    "takes a relative path as one of the current directory, and a CA file that has certificates")
  func paths() async throws {
    let program = try TestProgram([:])
    let file = try program.folder.write("-----BEGIN CERTIFICATE-----\n", to: "ca.pem")
    expect(try await program.run("profile", "set", "caFile=\(file)"), .success)
    expect(try await program.run("profile", "set", "form.passwordFile=r.txt"), .success)
    let path = try #require(try program.members()["form"]?["passwordFile"]?.string)
    #expect(path.hasPrefix("/") && path.hasSuffix("/r.txt"))
    #expect(try program.members()["caFile"] == .string(file))
    for (name, content) in [("nosuch.pem", nil), ("key.pem", "-----BEGIN PRIVATE KEY-----\n")] {
      let path = program.folder.file(name)
      if let content { _ = try program.folder.write(content, to: name) }
      let run = try await program.run("profile", "set", "caFile=\(path)")
      #expect(
        run.status == .status(.failure) && run.errors.contains("could not read the authorities"))
      #expect(
        try await program.run(
          "profile", "add", "other", "--issuer", "https://id.test", "--resource-url",
          "https://api.test", "--ca-file", path
        ).status == .status(.failure))
    }
    #expect(try program.members()["caFile"] == .string(file))
  }

  @Test(
    "refuses what is wrong with a hint, and writes nothing",
    arguments: [
      (["scope=x", "pinPolicy=maybe"], .configuration, nil),
      (["scope=x", "nonsense=1"], .configuration, "sdkctl help profiles"),
      (
        ["scope=x", "isuer=https://id.test"], .configuration,
        "did you mean 'issuer'? see 'sdkctl help profiles'"
      ),
      (["scope=x", "issuer=http://id.test"], .configuration, nil),
      (["scope="], .configuration, "sdkctl profile unset scope"),
      (["scope"], .usage, "see 'sdkctl help profile set'"),
      (["=x"], .usage, "see 'sdkctl help profile set'"),
      ([], .usage, "see 'sdkctl help profile set'"),
    ] as [([String], ExitCode, String?)])
  func refuse(words: [String], exit: ExitCode, hint: String?) async throws {
    try await expectNoChange(["profile", "set"] + words, exit, hint)
  }
}
