import JOSE
import TestSupport

@testable import OAuth

@Suite("Proof of possession")
struct DPoPProofTests {
  @Test(
    "names method and address, without query",
    arguments: [
      ("GET", "https://api.test", "https://api.test/"),
      ("POST", "https://API.test:443/a/b?c=d", "https://api.test/a/b"),
      ("DELETE", "https://api.test:8443/%7Ea/b%2fc?", "https://api.test:8443/%7Ea/b%2fc"),
      ("PATCH", "https://[::1]:8/x", "https://[::1]:8/x"),
    ])
  func target(method: String, url: String, htu: String) throws {
    let url = try HTTPURL(url)
    let proof = DPoPProof(try #require(HTTPMethod(method)), url, at: 1_800_000_000)
    let read = try ReadProof(try proof.signed(with: try SigningKey.generate(.es256)))
    #expect(read.claims["htm"] == .string(method))
    // However a path is spelled, the receiver sees the spelling that is sent.
    #expect(read.claims["htu"] == .string(url.origin + url.path))
    #expect(read.claims["htu"]?.string?.lowercased() == htu.lowercased())
    #expect(read.claims["iat"] == 1_800_000_000)
    #expect(Set(read.claims.object?.keys ?? []) == ["jti", "htm", "htu", "iat"])
  }

  @Test(
    "contains the public key and no private member",
    arguments: [
      (JWSAlgorithm.es256, ["crv", "kty", "x", "y"]), (.edDSA, ["crv", "kty", "x"]),
      (.rs256, ["e", "kty", "n"]),
    ])
  func header(algorithm: JWSAlgorithm, members: [String]) throws {
    let key = try SigningKey.generate(algorithm)
    let proof = DPoPProof(.get, try HTTPURL("https://api.test/"), at: 1)
    let read = try ReadProof(try proof.signed(with: key))
    #expect(read.header["typ"] == "dpop+jwt")
    #expect(read.header["alg"] == .string(algorithm.rawValue))
    #expect(read.header.object?.keys.sorted() == ["alg", "jwk", "typ"])
    #expect(read.header["jwk"]?.object?.keys.sorted() == members)
    #expect(try JWK(json: try #require(read.header["jwk"])).thumbprint == key.publicKey.thumbprint)
  }

  @Test("contains nonce and hash of the token if there are any")
  func binding() throws {
    let key = try SigningKey.generate(.es256)
    let proof = DPoPProof(
      .get, try HTTPURL("https://api.test/"), nonce: "n-1",
      // The token and hash of RFC 9449 section 7.1.
      accessToken: "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU", at: 1)
    let read = try ReadProof(try proof.signed(with: key))
    #expect(read.claims["nonce"] == "n-1")
    #expect(read.claims["ath"] == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
  }

  @Test("is never the same twice")
  func identifier() throws {
    let key = try SigningKey.generate(.es256)
    let proof = DPoPProof(.get, try HTTPURL("https://api.test/"), at: 1)
    let identifiers = try (0..<20).map { _ in
      try ReadProof(try proof.signed(with: key)).claims["jti"]?.string ?? ""
    }
    #expect(Set(identifiers).count == 20)
    #expect(identifiers.allSatisfy { $0.count == 22 })
  }

  @Test(
    "is signed with an algorithm of the server",
    arguments: [
      (nil, .es256), (["RS256", "ES256"], .es256), (["RS256", "EdDSA"], .edDSA),
      (["ES384", "PS256"], .es384), (["PS256", "RS256"], .ps256), (["RS256"], .rs256),
    ] as [([String]?, JWSAlgorithm)])
  func algorithm(offered: [String]?, chosen: JWSAlgorithm) throws {
    let server = try metadata(["dpop_signing_alg_values_supported": offered.map { .strings($0) }])
    #expect(try DPoP.algorithm(for: server) == chosen)
  }

  @Test(
    "is not made for a server that supports none of our algorithms",
    arguments: [[], ["HS256"], ["none"]])
  func noAlgorithm(offered: [String]) async {
    await expect(
      .unsupported, "https://id.test takes no proof of possession that can be made here"
    ) {
      _ = try DPoP.algorithm(
        for: try metadata(["dpop_signing_alg_values_supported": .strings(offered)]))
    }
  }
}
