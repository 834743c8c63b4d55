import CoreTestSupport
import UAF

@testable import FIDO
@testable import SDKCore

@Suite("The software authenticator")
struct SoftwareAuthenticatorTests {
  @Test(
    "makes a key that its attestation vouches for, and signs with it",
    arguments: AssertionEncoding.allCases, AttestationType.allCases)
  func roundTrip(encoding: AssertionEncoding, attestation: AttestationType) async throws {
    let world = try World()
    let authenticator = try world.authenticator(
      try TestAuthenticator.settings(encoding: encoding, attestation: attestation))
    let registered = try await authenticator.enrol()
    let assertion = try RegistrationAssertion(
      parsing: try TestAuthenticator.assertion(registered.message))
    let data = assertion.data
    #expect(data.aaid == .development)
    #expect(data.encoding == encoding)
    #expect((data.signCounter, data.registrationCounter) == (1, 1))
    let key = try encoding.key(data.publicKey)
    let signed = try data.element().encoded
    switch assertion.attestation {
    case .basicFull(let signature, let certificates):
      #expect(attestation == .basicFull)
      let pem = try await authenticator.attestationCertificate()
      let certificate = try #require(try Certificate.list(pem: Array(pem.utf8)).first)
      #expect(certificates == [certificate.der])
      #expect(
        encoding.verify(signature: signature, message: signed, with: try certificate.publicKey))
      #expect(try certificate.publicKey != key)
    case .surrogate(let signature):
      #expect(attestation == .surrogate)
      #expect(encoding.verify(signature: signature, message: signed, with: key))
    }
    let authenticated = try await authenticator.authenticate(
      try TestAuthenticator.authentication(transaction: "Pay 3 francs"),
      by: AuthenticatorDelegates(
        passcode: ScriptedPasscodes("271828"), confirmation: { _, _ in true }))
    let proof = try AuthenticationAssertion(
      parsing: try TestAuthenticator.assertion(authenticated.message))
    #expect(proof.data.keyID == data.keyID)
    #expect(proof.data.signCounter == 2)
    #expect(proof.data.transactionHash == (try Digest.sha256("Pay 3 francs")))
    #expect(
      encoding.verify(
        signature: proof.signature, message: try proof.data.element().encoded, with: key))
  }

  @Test("keeps its keys in a file for their owner only, encrypted under the passcode")
  func stored() async throws {
    let world = try World()
    let response = try await world.authenticator().enrol()
    #expect(try world.folder.mode(of: TestAuthenticator.file) == 0o600)
    let document = try JSON(parsing: world.folder.bytes(of: TestAuthenticator.file))
    let key = try #require(document["keys"]?.array?.first)
    #expect(key["key"]?["sealed"] != nil && key["key"]?["pem"] == nil)
    #expect(key["keyID"]?.string == response.key.keyID)
    #expect(try world.authenticator().keys() == [response.key])
    #expect(response.key.appID == TestAuthenticator.appID)
    #expect(response.key.place == "sealed file")
  }

  @Test("does not sign what the user declines, and nothing that nobody can be asked about")
  func declined() async throws {
    let world = try World()
    let authenticator = try world.authenticator()
    try await authenticator.enrol()
    let request = try TestAuthenticator.authentication(transaction: "Pay 3 francs")
    for (answer, code) in [(false, .userCancelled), (nil, .invalidTransactionContent)]
      as [(Bool?, ClientErrorCode)]
    {
      var delegates = AuthenticatorDelegates(passcode: ScriptedPasscodes("271828"))
      if let answer { delegates.confirmation = { @Sendable (_, _) throws(SDKError) in answer } }
      let asked = delegates
      let error = await #expect(throws: SDKError.self) {
        try await authenticator.authenticate(request, by: asked)
      }
      #expect(error?.clientErrorCode == code)
    }
    #expect(try authenticator.keys().map(\.signCounter) == [1])
  }
}
