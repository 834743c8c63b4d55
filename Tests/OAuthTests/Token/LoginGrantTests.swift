import JOSE
import TestSupport

@testable import OAuth

@Suite("Grants without a browser")
struct LoginGrantTests {
  private static let url = "https://id.test/token"
  private static let full = TokenTarget(
    scope: "a b", resources: ["https://r.test", "https://s.test/x"], audiences: ["one", "two"])
  private static let target =
    "&scope=a%20b&resource=https%3A%2F%2Fr.test"
    + "&resource=https%3A%2F%2Fs.test%2Fx&audience=one&audience=two&client_id=app"
  private static let type = "urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3A"

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let body: String
    let ask: @Sendable (TokenEndpoint, TokenTarget) async throws -> TokenResponse
  }

  static let rows: [Row] =
    [
      Row(
        testDescription: "password",
        body: "grant_type=password&username=al%20ice&password=p%26%20w"
      ) { try await $0.password(of: "al ice", "p& w", for: $1) },
      Row(
        testDescription: "assertion",
        body: "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=a.b.c"
      ) { try await $0.assertion("a.b.c", for: $1) },
    ]
    + SubjectToken.Kind.allCases.map { kind in
      Row(
        testDescription: "exchange of \(kind)",
        body: "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange"
          + "&subject_token=s%2Ft&subject_token_type=\(type)\(kind.rawValue)"
          + "&requested_token_type=\(type)access_token"
      ) { try await $0.exchange(SubjectToken("s/t", type: kind), for: $1) }
    }

  @Test("send their form, and whom the token is for", arguments: rows)
  func forms(row: Row) async throws {
    let transport = FakeTransport([Self.url: [.token]])
    let endpoint = try TokenEndpoint(transport)
    let response = try await row.ask(endpoint, Self.full)
    _ = try await row.ask(endpoint, TokenTarget(scope: nil))
    #expect(response.accessToken == "at")
    #expect(transport.sent.map(\.body) == [row.body + Self.target, row.body + "&client_id=app"])
    #expect(transport.sent.allSatisfy { $0.method == "POST" && $0.url == Self.url })
  }

  @Test("name their resources again when a code and a refresh token are presented")
  func resources() async throws {
    let other = "https://id.test/token?q=oauth2/token"
    let transport = FakeTransport([Self.url: [.token], other: [.token]])
    var endpoint = try TokenEndpoint(transport)
    var asked: FormParameters = [:]
    for resource in Self.full.resources { asked.append("resource", resource) }
    let request = try AuthorizationRequest(scope: nil, asked)
    _ = try await endpoint.exchange(code: "c", of: request)
    endpoint.refreshURL = try HTTPURL(other)
    _ = try await endpoint.refresh("r", resources: Self.full.resources)
    for sent in transport.sent {
      let form = try #require(FormParameters(encoded: sent.body))
      #expect(form.values(of: "resource") == Self.full.resources)
    }
    #expect(transport.sent.map(\.url) == [Self.url, other])
  }

  @Test("remove their secrets from a server's error texts", arguments: rows)
  func echo(row: Row) async throws {
    let words = #"{"error":"x","error_description":"no longsecret here"}"#
    let transport = FakeTransport([Self.url: [.json(words, status: 400)]])
    let endpoint = try TokenEndpoint(transport)
    let target = TokenTarget(scope: nil)
    await expect(.refused, "x (no ‹redacted› here)") {
      switch row.testDescription {
      case "password": _ = try await endpoint.password(of: "alice", "longsecret", for: target)
      case "assertion": _ = try await endpoint.assertion("longsecret", for: target)
      default:
        _ = try await endpoint.exchange(SubjectToken("longsecret", type: .jwt), for: target)
      }
    }
  }

  @Test("can be signed by the client's key: an assertion about a user, valid for a minute")
  func ownAssertion() throws {
    let key = try SigningKey.generate(.es256)
    var client = ClientAuthentication(
      clientID: "app", method: .privateKeyJWT, secret: nil, key: key)
    client.now = { 1000 }
    let first = try JWT(try client.assertion(about: "alice", to: "https://id.test"))
    try first.jws.verify(with: key.publicKey, allowed: [.es256])
    #expect(first.issuer == "app")
    #expect(first.subject == "alice")
    #expect(first.claims["aud"] == "https://id.test")
    #expect(first.body.issuedAt == 1000)
    #expect(first.expiration == 1060)
    let second = try JWT(try client.assertion(about: "alice", to: "https://id.test"))
    #expect(first.string("jti") != second.string("jti"))
  }

  @Test("cannot be signed by a client without a key")
  func noKey() async {
    await expect(.unsupported, "the client has no key of its own to sign with") {
      try ClientAuthentication.basic.assertion(about: "alice", to: "https://id.test")
    }
  }

  @Test(
    "encode the parts of a Basic credential only on request",
    arguments: [
      (true, "a%20b", "s%2B%2Ft%3D"), (false, "a b", "s+/t="),
    ])
  func basic(encodes: Bool, id: String, secret: String) throws {
    var client = ClientAuthentication(clientID: "a b", method: .basic, secret: "s+/t=")
    #expect(client.encodesBasic == nil)
    client.encodesBasic = encodes
    let request = try client.authenticate(try HTTPURL(Self.url), [:])
    let credential = try #require(request.fields["Authorization"]?.split(separator: " ").last)
    #expect(String(credential) == Base64.encode(Array("\(id):\(secret)".utf8)))
  }
}
