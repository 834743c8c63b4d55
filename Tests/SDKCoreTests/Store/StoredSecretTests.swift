import CoreTestSupport

@testable import SDKCore

@Suite("A sealed secret in a file")
struct StoredSecretTests {
  private static let secret = SealedSecret(
    cost: ScryptCost(n: 16, r: 1, p: 1), salt: [1], iv: [2], ciphertext: [3], tag: [4])

  @Test("is read as it was written")
  func same() throws {
    #expect(SealedSecret(stored: .object(Self.secret.stored))?.stored == Self.secret.stored)
  }

  @Test(
    "is none with another algorithm, or without a part of it",
    arguments: [
      ("kdf", "pbkdf2"), ("cipher", "AES-128-GCM"), ("salt", "*"), ("iv", "*"),
      ("ciphertext", "*"), ("tag", "*"), ("n", "16"),
    ] as [(String, JSON)])
  func other(member: String, value: JSON) {
    var members = Self.secret.stored
    members[member] = value
    #expect(SealedSecret(stored: .object(members)) == nil)
    members[member] = nil
    #expect(SealedSecret(stored: .object(members)) == nil)
  }

  @Test("is a key that is elsewhere than in the store, as one in a security token is")
  func elsewhere() {
    #expect(!IdentityKey.pem("key").isElsewhere)
    #expect(IdentityKey.securityToken(uri: "pkcs11:object=a").isElsewhere)
  }
}
