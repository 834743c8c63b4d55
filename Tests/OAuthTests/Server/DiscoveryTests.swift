import TestSupport

@testable import OAuth

@Suite("Discovery")
struct DiscoveryTests {
  private static let places = [
    "https://id.test/t/.well-known/openid-configuration",
    "https://id.test/.well-known/oauth-authorization-server/t",
    "https://id.test/.well-known/openid-configuration/t",
  ]

  private static let good = FakeTransport.Response.json(
    #"{"issuer":"https://id.test/t","found":1}"#)

  @Test(
    "ignores URLs that return 4xx, a page or a redirect, and takes the first document",
    arguments: [
      (0, 200), (1, 404), (1, 401), (1, 400), (2, 404), (2, 410), (1, 200), (2, 200), (2, 302),
      (1, 403),
    ])
  func order(missing: Int, status: Int) async throws {
    var answers: [String: [FakeTransport.Response]] = [:]
    for (index, place) in Self.places.enumerated() {
      answers[place] = [index < missing ? .other(status, "text/html", "<p>no") : Self.good]
    }
    let transport = FakeTransport(answers)
    let found = try await Discovery(ServerClient(transport: transport))
      .metadata(of: try Issuer("https://id.test/t"))
    #expect(found.issuer.text == "https://id.test/t")
    #expect(found.document["found"] == 1)
    #expect(transport.sent.map(\.url) == Array(Self.places.prefix(missing + 1)))
    #expect(transport.sent.allSatisfy { $0.method == "GET" && $0.body.isEmpty })
  }

  @Test(
    "fails with the page or the redirect if no URL returns more, and if all return 4xx",
    arguments: [
      (
        200, OAuthError.Code.unavailable,
        "the response of id.test (text/html) is not JSON: unexpected character at line 1, column 1"
      ),
      (302, .unavailable, "id.test returned 302, but such a request follows no redirect"),
      (404, .unsupported, "no metadata document of https://id.test/t: id.test returned 404"),
    ])
  func pages(status: Int, code: OAuthError.Code, message: String) async throws {
    let answers = zip(Self.places, [status, 404, 404]).map {
      ($0, [FakeTransport.Response.other($1, "text/html", "<")])
    }
    let transport = FakeTransport(Dictionary(uniqueKeysWithValues: answers))
    await expect(code, message) {
      _ = try await Discovery(ServerClient(transport: transport))
        .metadata(of: try Issuer("https://id.test/t"))
    }
    #expect(transport.sent.map(\.url) == Self.places)
  }

  @Test(
    "fails with any other response, and sends no further request",
    arguments: [
      (
        FakeTransport.Response.other(500, "text/html"), OAuthError.Code.unavailable,
        "id.test returned 500"
      ),
      (.json("[]"), .malformed, "the response of id.test is not a JSON object"),
      (
        .json(#"{"issuer":"https://id.test"}"#), .untrusted,
        "the metadata of https://id.test/t names another issuer, 'https://id.test'"
      ),
      (.failure(TransportError(.connection, "refused")), .transport, "refused"),
    ])
  func decides(
    answer: FakeTransport.Response, code: OAuthError.Code, message: String
  ) async throws {
    let transport = FakeTransport([Self.places[0]: [answer], Self.places[1]: [Self.good]])
    await expect(code, message) {
      _ = try await Discovery(ServerClient(transport: transport))
        .metadata(of: try Issuer("https://id.test/t"))
    }
    #expect(transport.sent.count == 1)
  }
}
