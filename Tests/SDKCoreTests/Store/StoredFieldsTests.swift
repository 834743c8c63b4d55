import CoreTestSupport

@testable import SDKCore

@Suite("The fields of a stored value")
struct StoredFieldsTests {
  private static let sealed: JSON = [
    "kdf": "scrypt", "cipher": "AES-256-GCM", "n": 16, "r": 1, "p": 1, "salt": "AQ==",
    "iv": "Ag==", "ciphertext": "Aw==", "tag": "BA==",
  ]
  private static let tokens: JSONObject = [
    "accessToken": "a", "tokenType": "DPoP", "expires": 9, "scope": "s", "refreshToken": "r",
    "obtained": 7, "idToken": "i", "resources": ["x"], "loginScope": "l",
    "payloadEncryption": true, "provider": "jwt",
    "user": "u", "endpoints": ["token": ["https://id.test/token"]], "endReason": "e",
  ]

  /// The examples, by the name of the value.
  private static func examples() throws -> [String: StoredExample] {
    let identity = try TestIdentity.make("a", hosts: ["a.test"])
    let key = try SigningKey.generate(.es256).stored
    let decryptionKey = try DecryptionKey.generate(.ecdhES)
    let passcode: JSON = ["sealed": sealed, "failures": 1, "failedAt": 8]
    let place: JSONObject = [
      "place": "etcd:https://a.test", "id": "x", "caFile": "/a", "certificateFile": "/b",
    ]
    let optionalTokens = Set(tokens.keys).subtracting(["accessToken", "obtained"])
    return [
      "tokens": StoredExample(
        TokenSet.self, tokens, optional: optionalTokens, opaque: ["endpoints"]),
      "sealed tokens": StoredExample(
        TokenSet.self,
        [
          "accessToken": "a", "tokenType": "Bearer", "obtained": 7, "sealed": ["refreshToken": "r"],
        ],
        optional: ["tokenType", "sealed"], opaque: ["sealed"]),
      "cookies": StoredExample(
        SessionCookies.self,
        [
          "provider": "cookies", "obtained": 7, "user": "u",
          "cookies": [
            [
              "name": "n", "value": "v", "domain": "a.test", "hostOnly": true, "path": "/",
              "expires": 9, "secure": true, "httpOnly": true,
            ]
          ],
        ], optional: ["user", "cookies[0].expires", "cookies[0].httpOnly"]),
      "sealed secret": StoredExample(SealedSecret.self, sealed.object ?? [:]),
      "signing key": StoredExample(SigningKey.self, key),
      "decryption key": StoredExample(DecryptionKey.self, decryptionKey.stored),
      "passcode": StoredExample(
        EnrolledPasscode.self, passcode.object ?? [:], lenient: ["failedAt"]),
      "registration": StoredExample(
        Registration.self,
        [
          "issuer": "i", "source": "given", "obtained": 7, "client": ["client_id": "a"],
          "encryptionKey": .object(decryptionKey.stored), "assertion": ["file": "/a"],
          "endpoints": ["token": ["https://id.test/token"]],
        ], optional: ["obtained", "encryptionKey", "endpoints"],
        lenient: ["assertion"], opaque: ["client", "assertion", "endpoints"]),
      "place": StoredExample(
        PlaceDocument.self, place.merging(["other": .object(place)]) { $1 },
        optional: [
          "caFile", "certificateFile", "other", "other.caFile", "other.certificateFile",
        ]),
      "login": StoredExample(
        AttemptLog.Record.self,
        ["number": 1, "time": 2, "request": "r", "code": "busy", "message": "m"]),
      "keys of a server": StoredExample(
        CachedKeys.self, ["document": ["keys": []], "expires": 9, "retried": 8],
        optional: ["retried"], opaque: ["document"]),
      "identity": StoredExample(
        [
          "hosts": ["a.test"], "refusedBy": ["b.test"], "chain": .string(identity.chain.pem),
          "key": ["sealed": sealed], "origin": "import", "obtainedAt": "2026-01-01T00:00:00Z",
        ], optional: ["refusedBy"], opaque: ["key"]
      ) { members in
        let fields = StoredFields([:], in: nil)
        let read = try Identity(name: identity.name, StoredFields(members, in: "x"))
        return (try Identity(name: identity.name, fields, read), fields.members).1
      },
      "requested identity": StoredExample(
        [
          "hosts": ["a.test"], "key": ["pem": "p"], "subject": "CN=a",
          "requestedAt": "2026-01-01T00:00:00Z", "publicKey": "AQ==",
        ], optional: ["subject", "requestedAt"], opaque: ["key"]
      ) { members in
        let fields = StoredFields([:], in: nil)
        let read = try RequestedIdentity(name: identity.name, StoredFields(members, in: "x"))
        return (try RequestedIdentity(name: identity.name, fields, read), fields.members).1
      },
      "seal": StoredExample(
        [
          "parts": ["client", "user"], "passcode": passcode,
          "key": decryptionKey.publicKey?.json ?? [:],
        ], lenient: ["passcode.failedAt"], opaque: ["key"]
      ) { members in
        let (world, file) = (try World(), "state/profiles/work/seal.json")
        try world.folder.write(
          JSON.object(StoreDocument.current(members)).serialized(), to: file)
        var document = try SealDocument(world.name, at: world.location)
        try document.write()
        return try JSON(parsing: world.folder.bytes(of: file)).object?.filter {
          $0.key != "version"
        } ?? [:]
      },
    ]
  }

  @Test("are written as they were read, and an error names one that is missing or of another type")
  func examples() async throws {
    for (name, example) in try Self.examples() {
      #expect(try await example.mistakes() == [], "\(name)")
    }
  }

  @Test(
    "are named with their file and place",
    arguments: [
      ([:], "'accessToken' is missing"),
      (["accessToken": 7], "'accessToken' is a number and should be a string"),
      (["accessToken": "a", "obtained": -1], "'obtained' is a number and should be a time"),
      (
        ["accessToken": "a", "expires": 253_402_300_800],
        "'expires' is a number and should be a time"
      ),
    ] as [(JSONObject, String)])
  func errors(members: JSONObject, cause: String) {
    let error = #expect(throws: SDKError.self) {
      try TokenSet(StoredFields(members, in: "/x.json"))
    }
    #expect(error?.code == .invalidConfiguration && error?.subject == "/x.json")
    #expect(error?.message == "could not read '/x.json': \(cause)")
  }

  @Test("are erased if there is no value, and as null are missing")
  func missing() throws {
    let bare = try TokenSet(
      StoredFields(["accessToken": "a", "obtained": 7, "scope": .null], in: "x"))
    var members = Self.tokens
    bare.write(to: &members)
    #expect(members == ["accessToken": "a", "obtained": 7, "tokenType": "Bearer"])
  }
}
