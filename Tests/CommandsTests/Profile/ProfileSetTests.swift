import JSON
import OpenSSL
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("profile set")
struct ProfileSetTests {
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
