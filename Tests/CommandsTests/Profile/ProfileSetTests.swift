import JSON
import OpenSSL
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
    let certificate = try Self.authority()
    let file = try program.folder.write(certificate, to: "ca.pem")
    expect(try await program.run("profile", "set", "caFile=\(file)"), .success)
    expect(try await program.run("profile", "set", "form.passwordFile=r.txt"), .success)
    let path = try #require(try program.members()["form"]?["passwordFile"]?.string)
    #expect(path.hasPrefix("/") && path.hasSuffix("/r.txt"))
    #expect(try program.members()["caFile"] == .string(file))
    let lines = certificate.split(separator: "\n").count
    for (name, content, cause) in [
      ("nosuch.pem", nil, "no such file or directory"),
      (
        "key.pem", "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n",
        "no certificate in PEM"
      ),
      (
        "cut.pem", certificate + certificate.prefix(90),
        "at line \(lines + 1), number 2, is damaged"
      ),
      (
        "damaged.pem", certificate.replacing("-----\nMII", with: "-----\nAAA") + certificate,
        "its certificate at line 1, number 1, is damaged"
      ),
    ] {
      let path = program.folder.file(name)
      if let content { _ = try program.folder.write(content, to: name) }
      let run = try await program.run("profile", "set", "caFile=\(path)")
      #expect(run.status == .status(.configuration))
      #expect(run.errors.contains("the CA file \(path) cannot be used: "))
      #expect(run.errors.contains(cause), "\(run.errors)")
      #expect(
        try await program.run(
          "profile", "add", "other", "--issuer", "https://id.test", "--resource-url",
          "https://api.test", "--ca-file", path
        ).status == .status(.configuration))
    }
    #expect(try program.members()["caFile"] == .string(file))
  }

  /// A certificate of an authority, as PEM.
  static func authority() throws -> String {
    try Certificate.selfSigned(
      by: try PrivateKey.generate(.ec(.p256)), commonName: "CA", from: TestProgram.now,
      to: TestProgram.now
    ).pem
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
