import CoreTestSupport

@testable import OpenSSL
@testable import SDKCore

@Suite("Security tokens")
struct SecurityTokenTests {
  @Test("get no PIN of a file after a wrong one", arguments: [false, true])
  func pinFile(hasWrongPIN: Bool) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("246810\n", to: "pin")
    let token = SecurityToken(
      SecurityTokenInfo(label: "t", serial: "1", hasWrongPIN: hasWrongPIN, isLastAttempt: false))
    if hasWrongPIN {
      await expect(.identity) { _ = try await token.pin(inFile: path) }
    } else {
      #expect(try await token.pin(inFile: path) == Array("246810".utf8))
    }
  }

  @Test(
    "have keys that are used by what they are, and are not replaced by a file",
    .enabled(if: SoftHSM.isExpected, "needs SoftHSM and OpenSC"))
  func keys() async throws {
    let token = try SoftHSM.withKeys()
    let configuration = token.configuration
    // A process has one PKCS #11 module.
    await #expect(processExitsWith: .success) { [configuration = configuration as String] in
      let keys = try SecurityTokenIdentities(configuration: configuration)
      try await keys.refuse()
      try await keys.renew()
    }
  }
}
