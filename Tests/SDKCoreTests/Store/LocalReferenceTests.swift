import CoreTestSupport

@testable import SDKCore

@Suite("What secret documents name of a machine")
struct LocalReferenceTests {
  @Test(
    "is found at any depth",
    arguments: [
      (["assertion": ["command": "/bin/x y"]], "registration", ["registration.assertion"]),
      (["assertion": ["file": "/f"]], "registration.json", ["registration.assertion"]),
      (["assertion": ["from": "github"]], "registration", ["registration.assertion"]),
      (["assertion": ["unknown": "x"]], "registration", ["registration.assertion"]),
      (["assertion": .null, "client": ["client_id": "a"]], "registration", []),
      (
        ["key": ["uri": "pkcs11:object=a?module-path=/x.so"]], "identities/a/identity.json",
        ["identities/a/identity"]
      ),
      (["keys": [["key": ["uri": "pkcs11:object=a"]]]], "authenticator", ["authenticator"]),
      (["key": ["pem": "x"]], "identities/a/identity.json", []),
    ] as [(JSON, String, [String])])
  func found(row: (document: JSON, path: String, names: [String])) throws {
    let members = try #require(row.document.object)
    #expect(LocalReference.all(in: members, at: row.path).map(\.name) == row.names)
  }
}
