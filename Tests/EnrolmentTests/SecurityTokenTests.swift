import CoreTestSupport

@testable import Enrolment
@testable import SDKCore

@Suite("A key in a security token, at an enrolment service")
struct SecurityTokenTests {
  @Test(
    "is kept by a renewal, and the service is not told of the former certificate",
    .enabled(if: SoftHSM.isExpected, "needs SoftHSM and OpenSC"))
  func renewal() async throws {
    let softHSM = try SoftHSM.withKeys()
    let configuration = softHSM.configuration
    // A process has one PKCS #11 module.
    await #expect(processExitsWith: .success) { [configuration = configuration as String] in
      let token = try SecurityTokenWorld(
        configuration: configuration,
        [
          "identity.obtain": "sap", "identity.attributesURL": "https://ca.test/a",
          "identity.requestURL": "https://ca.test/r",
        ], enrolment: .all())
      let (identity, key) = try await token.stored()
      try await token.world.store("u1")
      let issued = try token.certificate(by: key)
      let tool = try ForeignTool()
      try tool.write("pem", Array(issued.pem.utf8))
      try tool.run("openssl crl2pkcs7 -nocrl -certfile pem -outform DER | base64 > p7")
      token.world.transport.respond("https://ca.test/a", .json(#"{"subject":"CN=alice"}"#))
      token.world.transport.respond(
        "https://ca.test/r", .status(200, String(decoding: try tool.read("p7"), as: UTF8.self)))
      let service = try token.world.session().identities
      guard case .renewed(let renewed, _) = try await service.renew(identity.name) else {
        throw Unmet("it was not renewed")
      }
      #expect(renewed.key == identity.key)
      #expect(renewed.chain.leaf == issued)
      #expect(token.world.transport.lines == ["GET https://ca.test/a", "POST https://ca.test/r"])
    }
  }
}
