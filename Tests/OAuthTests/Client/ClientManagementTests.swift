import TestSupport

@testable import OAuth

@Suite("Client management")
struct ClientManagementTests {
  private static let url = "https://id.test/register/c1"

  private static let client: JSONObject = [
    "client_id": "c1", "client_secret": "s", "client_secret_expires_at": 0,
    "client_id_issued_at": 7, "registration_access_token": "t1",
    "registration_client_uri": .string(url), "client_name": "old", "extension": ["a": 1],
  ]

  private static let known = FakeTransport.Response.json(
    #"{"client_id":"c1","registration_access_token":"t2"}"#)

  @Test("reads with the registration access token")
  func read() async throws {
    let transport = FakeTransport([Self.url: [Self.known]])
    let answer = try await Self.management(transport).read()
    #expect(answer.document == ["client_id": "c1", "registration_access_token": "t2"])
    let sent = try #require(transport.sent.first)
    #expect(transport.sent.count == 1)
    #expect(sent.method == "GET")
    #expect(sent.fields["Authorization"] == "Bearer t1")
    #expect(sent.body == "")
  }

  @Test("updates with all metadata, and without members of responses")
  func update() async throws {
    let transport = FakeTransport([Self.url: [Self.known]])
    var changed = Self.client
    changed["client_name"] = "new"
    let answer = try await Self.management(transport).update(changed)
    #expect(answer.clientID == "c1")
    let sent = try #require(transport.sent.first)
    #expect(sent.method == "PUT")
    #expect(sent.fields["Authorization"] == "Bearer t1")
    #expect(sent.fields["Content-Type"] == "application/json")
    let expected: JSON = ["client_id": "c1", "client_name": "new", "extension": ["a": 1]]
    #expect(try JSON(parsing: sent.body) == expected)
  }

  @Test("deletes, and accepts any 2xx", arguments: [200, 204])
  func delete(status: Int) async throws {
    let transport = FakeTransport([Self.url: [.other(status, "text/plain")]])
    try await Self.management(transport).delete()
    #expect(transport.sent.map(\.method) == ["DELETE"])
    #expect(transport.sent.first?.fields["Authorization"] == "Bearer t1")
  }

  @Test(
    "reports what is wrong with a response",
    arguments: [
      ("401", .json(#"{"error":"invalid_token"}"#, status: 401), .refused, "invalid_token"),
      ("401 without a word", .other(401, "text/plain"), .refused, "id.test returned 401"),
      ("503", .other(503, "text/html"), .unavailable, "id.test returned 503"),
      ("no client id", .json("{}"), .malformed, "the registration response has no client_id"),
      (
        "another client", .json(#"{"client_id":"c2"}"#), .untrusted,
        "the registration response is for another client"
      ),
      (
        "no JSON", .other(200, "text/html", "<p>"), .unavailable,
        "the response of id.test (text/html) is not JSON: "
          + "unexpected character at line 1, column 1"
      ),
      (
        "redirect", .other(302, "text/html"), .unavailable,
        "id.test returned 302, but such a request follows no redirect"
      ),
      ("gone", .failure(TransportError(.connection, "refused")), .transport, "refused"),
    ] as [(String, FakeTransport.Response, OAuthError.Code, String)])
  func failures(
    name: String, answer: FakeTransport.Response, code: OAuthError.Code, message: String
  ) async throws {
    for isUpdate in [false, true] {
      let management = try Self.management(FakeTransport([Self.url: [answer]]))
      await expect(code, message) {
        _ = isUpdate ? try await management.update(Self.client) : try await management.read()
      }
    }
  }

  @Test(
    "needs a URL and a token, and the URL must be https",
    arguments: [
      (
        "registration_client_uri", nil, .unsupported,
        "the server gave no access to the registration"
      ),
      (
        "registration_access_token", nil, .unsupported,
        "the server gave no access to the registration"
      ),
      ("registration_access_token", "a b", .malformed, "the registration_access_token is unusable"),
      (
        "registration_client_uri", "http://id.test/register/c1", .untrusted,
        "the registration_client_uri is an http URL"
      ),
    ] as [(String, JSON?, OAuthError.Code, String)])
  func access(member: String, value: JSON?, code: OAuthError.Code, message: String) async {
    var client = Self.client
    client[member] = value
    await expect(code, message) {
      _ = try ClientManagement(client, over: ServerClient(transport: FakeTransport()))
    }
  }

  @Test("accepts a URL of this machine without TLS, and refuses a malformed URL")
  func places() async throws {
    var client = Self.client
    client["registration_client_uri"] = "http://127.0.0.1:8080/register/c1"
    _ = try ClientManagement(client, over: ServerClient(transport: FakeTransport()))
    client["registration_client_uri"] = "c1"
    await expect(.malformed) {
      try ClientManagement(client, over: ServerClient(transport: FakeTransport()))
    }
  }

  private static func management(_ transport: FakeTransport) throws -> ClientManagement {
    try ClientManagement(client, over: ServerClient(transport: transport))
  }
}
