import JOSE
import TestSupport

@testable import OAuth

@Suite("Encrypted responses")
struct ResponseEncryptionTests {
  @Test(
    "have a key for the best algorithm that the server announces",
    arguments: [
      (["RSA-OAEP", "ECDH-ES+A128KW", "RSA1_5", "dir"], JWEAlgorithm.ecdhESA128KW),
      (["RSA1_5", "RSA-OAEP", "RSA-OAEP-256"], .rsaOAEP256), (["RSA-OAEP"], .rsaOAEP),
      (["ECDH-ES+A256KW", "ECDH-ES"], .ecdhES),
      (["RSA1_5"], nil), (["dir", "A256KW", "PBES2-HS256+A128KW"], nil), ([], nil),
    ] as [([String], JWEAlgorithm?)])
  func algorithm(offered: [String], expected: JWEAlgorithm?) async throws {
    let server = try metadata(["id_token_encryption_alg_values_supported": .strings(offered)])
    guard let expected else {
      await expect(
        .unsupported,
        "https://id.test encrypts no ID tokens"
          + (offered.isEmpty ? "" : " with an algorithm that is used here")
      ) { _ = try ResponseEncryption.algorithm(for: server) }
      return
    }
    #expect(try ResponseEncryption.algorithm(for: server) == expected)
  }

  @Test("are requested if the server offers them, each with its encryption")
  func members() throws {
    let key = try DecryptionKey.generate(.ecdhES)
    let server = try metadata([
      "id_token_encryption_alg_values_supported": ["ECDH-ES"],
      "id_token_encryption_enc_values_supported": ["A128CBC-HS256", "A256GCM"],
      "userinfo_encryption_alg_values_supported": ["ECDH-ES", "RSA-OAEP"],
      "authorization_encryption_alg_values_supported": ["RSA-OAEP"],
      "userinfo_signing_alg_values_supported": ["HS256", "ES256"],
    ])
    #expect(
      ResponseEncryption.metadata(for: key, at: server) == [
        "id_token_encrypted_response_alg": "ECDH-ES",
        "id_token_encrypted_response_enc": "A256GCM",
        "userinfo_encrypted_response_alg": "ECDH-ES",
        "userinfo_encrypted_response_enc": "A128CBC-HS256",
        "userinfo_signed_response_alg": "ES256",
      ])
  }

  @Test("are registered with the public key, beside that of the client")
  func registered() throws {
    var client = ClientMetadata(
      clientName: nil, redirectURIs: [], grantTypes: [], scope: nil,
      authenticationMethod: .privateKeyJWT)
    let (signing, opening) = (try SigningKey.generate(.es256), try DecryptionKey.generate(.ecdhES))
    (client.key, client.encryptionKey) = (signing, opening)
    client.encryptionMembers = ["id_token_encrypted_response_alg": "ECDH-ES"]
    let json = client.json
    #expect(json["id_token_encrypted_response_alg"] == "ECDH-ES")
    let keys = try #require(json["jwks"]?["keys"]?.array)
    #expect(keys == [signing.publicKey.json, opening.publicKey?.json ?? .null])
    #expect(keys.allSatisfy { $0["d"] == nil })
    // A second key takes the place of the first.
    let other = try DecryptionKey.generate(.ecdhES)
    var changed = json
    ClientMetadata.publish(other, in: &changed)
    #expect(
      changed["jwks"]?["keys"]?.array == [signing.publicKey.json, other.publicKey?.json ?? .null])
  }

  @Test(
    "are never signed with a shared secret, though the client registered it or the server says so")
  func symmetric() async throws {
    let secret = "a-secret-of-the-client-that-is-long-enough"
    let client = ClientAuthentication(clientID: "app", method: .secretJWT, secret: secret)
    let token = try JWS(compact: client.sign(header: ["kid": "k1"], payload: Array("{}".utf8)))
    let key: JSON = [
      "kty": "oct", "kid": "k1", "alg": "HS256",
      "k": .string(Base64URL.encode(Array(secret.utf8))),
    ]
    let server = try metadata(["userinfo_signing_alg_values_supported": ["HS256", "ES256"]])
    let answers = ResponseEncryption(key: nil, client: ["id_token_signed_response_alg": "HS256"])
    #expect(answers.signatures(of: .idToken, from: server) == [])
    #expect(answers.signatures(of: .userInfo, from: server) == [.es256])
    let keys = try server.keys(over: FakeTransport(["https://id.test/jwks": [.keys([key])]]))
    for answer in [ResponseEncryption.Kind.idToken, .userInfo] {
      await expect(
        .untrusted, "the ID token is signed with an algorithm that is not allowed"
      ) { try await keys.verify(token, allowed: answers.signatures(of: answer, from: server)) }
    }
  }

  @Test("are decrypted, and unencrypted responses are refused")
  func opened() async throws {
    let key = try DecryptionKey.generate(.rsaOAEP256)
    let published = try #require(key.publicKey)
    let token = try TokenForge(.es256).token()
    let seal = { (encryption: JWEEncryption) in
      try JWE.encrypt(Array(token.utf8), to: published, .rsaOAEP256, encryption)
    }
    let prefix = "the ID token must not be trusted: "
    let alg: JSONObject = ["id_token_encrypted_response_alg": "RSA-OAEP-256"]
    let usual = ResponseEncryption(key: key, client: alg)
    #expect(try usual.decrypted(seal(.a128CBCHS256), .idToken) == token)
    await expect(
      .untrusted, prefix + "the content of the token is encrypted with 'A256GCM'"
    ) { _ = try usual.decrypted(seal(.a256GCM), .idToken) }
    let chosen = ResponseEncryption(
      key: key, client: alg.merging(["id_token_encrypted_response_enc": "A256GCM"]) { $1 })
    #expect(try chosen.decrypted(seal(.a256GCM), .idToken) == token)
    await expect(
      .untrusted, prefix + "it is not encrypted, though the client registered that it is"
    ) { _ = try chosen.decrypted(token, .idToken) }
    #expect(try chosen.decrypted(token, .userInfo) == token)
    let none = ResponseEncryption(key: nil, client: [:])
    #expect(try none.decrypted(token, .idToken) == token)
    await expect(.untrusted, prefix + "it is encrypted, but not for this client") {
      _ = try none.decrypted(seal(.a256GCM), .idToken)
    }
    let stranger = ResponseEncryption(key: try .generate(.rsaOAEP256), client: alg)
    await expect(.untrusted, prefix + "the token could not be decrypted") {
      _ = try stranger.decrypted(seal(.a128CBCHS256), .idToken)
    }
    let noise = try JWE.encrypt([0xFF], to: published, .rsaOAEP256, .a128CBCHS256)
    await expect(.untrusted, prefix + "its content is not text") {
      _ = try usual.decrypted(noise, .idToken)
    }
  }
}
