import TestSupport
import UAF

@Suite("The metadata statement")
struct MetadataStatementTests {
  @Test("says what a server compares an attestation with")
  func statement() {
    let statement = MetadataStatement(
      AuthenticatorDescription(
        aaid: .development, version: 1, encoding: .der, attestation: .basicFull,
        verifiesUser: true, hasHardwareKeys: false),
      description: "Test", attestationRoots: [[0xFB, 0xFF]],
      passcode: .init(base: 10, minLength: 6, maxRetries: 5, blockSlowdown: 60))
    #expect(
      statement.json == [
        "aaid": "FFFF#0001", "description": "Test", "protocolFamily": "uaf",
        "authenticatorVersion": 1,
        "upv": [["major": 1, "minor": 0], ["major": 1, "minor": 1]],
        "assertionScheme": "UAFV1TLV", "authenticationAlgorithm": 2,
        "publicKeyAlgAndEncoding": 257, "attestationTypes": [15879],
        "userVerificationDetails": [
          [
            [
              "userVerification": 4,
              "caDesc": ["base": 10, "minLength": 6, "maxRetries": 5, "blockSlowdown": 60],
            ]
          ]
        ],
        "keyProtection": 1, "matcherProtection": 1, "attachmentHint": 1,
        "isSecondFactorOnly": false, "tcDisplay": 1, "tcDisplayContentType": "text/plain",
        "attestationRootCertificates": ["+/8="],
      ])
  }

  @Test("has no accuracy of a passcode if nobody is verified, and the other codes")
  func others() {
    let json = MetadataStatement(
      AuthenticatorDescription(
        aaid: .development, version: 1, encoding: .raw, attestation: .surrogate,
        verifiesUser: false, hasHardwareKeys: true),
      description: "Test", attestationRoots: [], passcode: nil
    ).json
    #expect(json["userVerificationDetails"] == [[["userVerification": 512]]])
    #expect((json["authenticationAlgorithm"], json["publicKeyAlgAndEncoding"]) == (1, 256))
    #expect((json["keyProtection"], json["attestationTypes"]) == (2, [15880]))
  }
}
