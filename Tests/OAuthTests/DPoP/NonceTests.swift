import JOSE
import TestSupport

@testable import OAuth

@Suite("Nonces of proofs")
struct NonceTests {
  private static let tokenURL = "https://id.test/token"

  /// The nonce that is known at first; what the token endpoint answers, an error or a token, and which nonce
  /// it tells; the nonces of the proofs that were sent, and the one that is known at last.
  typealias Row = (
    name: String, known: String?, answers: [(error: String?, nonce: String?)], sent: [String?],
    isRefused: Bool, last: String?
  )

  private static let asked = "use_dpop_nonce"
  private static let rows: [Row] = [
    ("none is wanted", nil, [(nil, nil)], [nil], false, nil),
    ("one is told for later", nil, [(nil, "b")], [nil], false, "b"),
    ("one is asked for", nil, [(asked, "a"), (nil, nil)], [nil, "a"], false, "a"),
    ("a new one is asked for", "a", [(asked, "b"), (nil, "c")], ["a", "b"], false, "c"),
    ("it asks for ever", nil, [(asked, "a"), (asked, "b"), (nil, nil)], [nil, "a"], true, "b"),
    ("it asks and tells none", nil, [(asked, nil), (nil, nil)], [nil], true, nil),
    ("it tells the same again", "a", [(asked, "a"), (nil, nil)], ["a"], true, "a"),
    ("another error tells one", nil, [("invalid_dpop_proof", "a")], [nil], true, "a"),
    ("what is told is none", nil, [(asked, "a b"), (nil, nil)], [nil], true, nil),
    ("what is told has a quote", nil, [(asked, "a\"b"), (nil, nil)], [nil], true, nil),
    (
      "what is told is endless", nil, [(asked, String(repeating: "a", count: 1025)), (nil, nil)],
      [nil], true, nil
    ),
  ]

  @Test("are used; a request without the required one is sent once more", arguments: rows)
  func tokenEndpoint(row: Row) async throws {
    let answers = row.answers.map { answer in
      var scripted =
        answer.error.map { FakeTransport.Response.json("{\"error\":\"\($0)\"}", status: 400) }
        ?? .json(#"{"access_token":"at","token_type":"DPoP"}"#)
      if let nonce = answer.nonce {
        scripted.fields.append(HTTPField(known: "DPoP-Nonce", nonce))
      }
      return scripted
    }
    let transport = FakeTransport([Self.tokenURL: answers])
    let nonces = MemoryCache<String>(row.known.map { ["https://id.test": $0] } ?? [:])
    let endpoint = try Self.endpoint(transport, nonces)
    let response = try? await endpoint.clientCredentials(scope: nil)
    #expect(response?.tokenType == (row.isRefused ? nil : "DPoP"))
    let proofs = try transport.sent.map { try ReadProof($0.fields["DPoP"]) }
    #expect(proofs.map { $0.claims["nonce"]?.string } == row.sent)
    #expect(Set(proofs.map { $0.claims["jti"]?.string }).count == row.sent.count)
    #expect(proofs.allSatisfy { $0.claims["htu"] == .string(Self.tokenURL) })
    #expect(proofs.allSatisfy { $0.claims["htm"] == "POST" && $0.claims["ath"] == nil })
    #expect(nonces.value(of: "https://id.test") == row.last)
  }

  @Test("cause a second request, which has a new assertion")
  func assertion() async throws {
    var asking = FakeTransport.Response.json(#"{"error":"use_dpop_nonce"}"#, status: 400)
    asking.fields.append(HTTPField(known: "DPoP-Nonce", "a"))
    let transport = FakeTransport([
      Self.tokenURL: [asking, .json(#"{"access_token":"at","token_type":"dpop"}"#)]
    ])
    let client = ClientAuthentication(
      clientID: "app", method: .privateKeyJWT, secret: nil, key: try SigningKey.generate(.es256))
    _ = try await Self.endpoint(transport, MemoryCache<String>(), client).refresh("r")
    let assertions = transport.sent.compactMap {
      FormParameters(encoded: $0.body)?["client_assertion"]
    }
    #expect(assertions.count == 2)
    #expect(Set(assertions).count == 2)
  }

  @Test("of one server are not sent to another")
  func origins() throws {
    let nonces = MemoryCache<String>(["https://id.test": "a", "https://api.test": "b"])
    let dpop = DPoP(key: try SigningKey.generate(.es256), nonces: nonces, now: { 1 })
    for (url, nonce) in [
      ("https://id.test/x", "a"), ("https://api.test/", "b"), ("https://api.test:8443/", nil),
    ] {
      var request = HTTPRequest(.get, try HTTPURL(url))
      request.fields.append(HTTPField(known: "DPoP", "an older one"))
      try dpop.prove(&request)
      #expect(request.fields.values(of: "DPoP").count == 1)
      let proof = try ReadProof(request.fields["DPoP"])
      #expect(proof.claims["nonce"]?.string == nonce)
    }
  }

  @Test("and proofs are removed from error texts of a server")
  func echo() async throws {
    let request = HTTPRequest.form(
      try HTTPURL(Self.tokenURL), [:], fields: [HTTPField(known: "DPoP", "aaa.bbb.ccc")])
    #expect(SecretEcho(of: request).redacted("bad proof aaa.bbb.ccc") == "bad proof ‹redacted›")
  }

  static func endpoint(
    _ transport: FakeTransport, _ nonces: MemoryCache<String>,
    _ client: ClientAuthentication = .basic, isRequired: Bool = false
  ) throws -> TokenEndpoint {
    var serverClient = ServerClient(transport: transport)
    var dpop = DPoP(key: try SigningKey.generate(.es256), nonces: nonces, now: { 1 })
    dpop.isRequired = isRequired
    serverClient.dpop = dpop
    return TokenEndpoint(try HTTPURL(Self.tokenURL), client: client, over: serverClient)
  }
}

@Suite("Type of a token that a proof was sent for")
struct BoundTypeTests {
  @Test(
    "is read from the response, and must be the one that the caller expects",
    arguments: [
      ("DPoP", false, "DPoP"), ("dpop", true, "DPoP"), ("Bearer", false, "Bearer"),
    ])
  func taken(type: String, isRequired: Bool, expected: String) async throws {
    #expect(try await Self.answer(type, isRequired).tokenType == expected)
  }

  @Test("is refused if a bound token is required")
  func downgrade() async throws {
    await expect(
      .untrusted, "the server returned a bearer token, but a token bound to a key is required"
    ) { _ = try await Self.answer("bearer", true) }
  }

  @Test("is refused if it is bound to a key that was not presented")
  func unasked() async throws {
    await expect(
      .unsupported, "the server binds its token to a key, but none was presented"
    ) { _ = try TokenResponse(["access_token": "at", "token_type": "DPoP"]) }
  }

  private static func answer(_ type: String, _ isRequired: Bool) async throws -> TokenResponse {
    let transport = FakeTransport([
      "https://id.test/token": [.json("{\"access_token\":\"at\",\"token_type\":\"\(type)\"}")]
    ])
    return try await NonceTests.endpoint(transport, MemoryCache<String>(), isRequired: isRequired)
      .clientCredentials(scope: nil)
  }
}
