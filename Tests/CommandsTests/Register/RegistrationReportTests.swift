import CoreTestSupport

@testable import Commands

@Suite("Report of a registration")
struct RegistrationReportTests {
  @Test(
    "warns if requested encryption of responses was not registered",
    arguments: [
      (nil, "ECDH-ES", false), (nil, .null, false), ("key", "ECDH-ES", false), ("key", .null, true),
      ("key", nil, true),
    ] as [(String?, JSON?, Bool)])
  func encryption(key: String?, algorithm: JSON?, warns: Bool) throws {
    var client: JSONObject = ["client_id": "app"]
    client["id_token_encrypted_response_alg"] = algorithm
    let registration = Registration(
      issuer: "https://id.test", source: .dynamic, obtained: 1, client: client,
      encryptionKey: try key.map { _ in try DecryptionKey.generate(.ecdhES) })
    let report = RegistrationReport(registration: registration, profile: try ProfileName("work"))
    #expect(
      report.warning
        == (warns
          ? "the server does not encrypt the ID tokens of 'work'; unencrypted ones are accepted"
          : nil))
  }
}
