import CoreTestSupport
import Foundation
import UAF

@testable import FIDO
@testable import SDKCore

/// What a process does that has SoftHSM as its PKCS #11 module.
enum SecurityTokenProcess {
  static func run(home: String, configuration: String) async throws {
    setenv("SOFTHSM2_CONF", configuration, 1)
    let store = ProfileStore(StoreLocation(home: home))
    let session = try ProfileSession(
      opening: try ProfileName("work"), in: store, transport: FakeTransport([:]))
    let tokens = IdentityStore(
      store, try ProfileName("work"), pin: { _ in Array(SoftHSM.pin.utf8) }, now: { World.now })
    func uri(_ object: String) -> String {
      "pkcs11:token=work;object=\(object)?module-path=\(SoftHSM.module)"
    }
    await expect(.identity, "the key in the security token is not of the curve P-256") {
      _ = try await tokens.authenticatorKey(inSecurityToken: uri("large"))
    }
    let settings = try AuthenticatorSettings(userVerification: .securityToken(uri: uri("fido")))
    let authenticator = SoftwareAuthenticator(session.environment, settings, securityTokens: tokens)
    let registered = try await authenticator.register(by: AuthenticatorDelegates())
    let data = try RegistrationAssertion(
      parsing: try TestAuthenticator.assertion(registered.message)
    ).data
    let response = try await authenticator.authenticate(by: AuthenticatorDelegates())
    let proof = try AuthenticationAssertion(
      parsing: try TestAuthenticator.assertion(response.message))
    let isGenuine = data.encoding.verify(
      signature: proof.signature, message: try proof.data.element().encoded,
      with: try data.encoding.key(data.publicKey))
    try #require(isGenuine)
  }
}
