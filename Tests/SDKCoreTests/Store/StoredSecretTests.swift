import CoreTestSupport

@testable import SDKCore

@Suite("A sealed secret in a file")
struct StoredSecretTests {
  @Test("is a key that is elsewhere than in the store, as one in a security token is")
  func elsewhere() {
    #expect(!IdentityKey.pem("key").isElsewhere)
    #expect(IdentityKey.securityToken(uri: "pkcs11:object=a").isElsewhere)
  }
}
