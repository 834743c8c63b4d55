import CoreTestSupport

@testable import SDKCore

@Suite("Accounts by mail")
struct AccountServiceTests {
  private static let account = "https://id.test/indexApi.php?q=user/seq_register.json"
  private static let reset = "https://id.test/indexApi.php?q=user/seq_new_pass.json"
  private static let secret = "client-secret"

  @Test(
    "are asked for in one POST, with what the server takes for the client's name",
    arguments: [
      (AccountAction.signUp, "secret", account, secret),
      (.passwordReset, "secret", reset, secret), (.signUp, "id", account, "app"),
      (.passwordReset, nil, reset, "app"),
    ] as [(AccountAction, String?, String, String)])
  func asked(wanted: AccountAction, client: String?, url: String, id: String) async throws {
    let world = try await Self.world(client: client)
    world.transport.respond(url, .json(#"{"status":0}"#))
    let address = try #require(EmailAddress("alice@example.com"))
    try await world.session().account.ask(wanted, for: address)
    let sent = try #require(world.transport.sent.first)
    #expect(world.transport.lines == ["POST \(url)"])
    #expect(sent.body == #"{"client_id":"\#(id)","email":"alice@example.com"}"#)
    #expect(sent.fields["Content-Type"] == "application/json")
    #expect(sent.fields["Accept-Language"] == "en-us")
    #expect(sent.fields["Authorization"] == nil)
    #expect(sent.timeout == .seconds(30))
  }

  @Test(
    "were accepted or not, as the response says",
    arguments: [
      (.json(#"{"status":0}"#), nil, "", nil), (.json(#"{"status":0}"#, status: 301), nil, "", nil),
      (.json(#"{"status":0}"#, status: 302), nil, "", nil),
      (
        .json(#"{"status":1,"errorCode":4,"errorMessage":"taken"}"#), .refused, "taken (4)", "4"
      ),
      (
        .json(#"{"status":1,"errorCode":"e4","errorMessage":{"b":"two","a":"one"}}"#), .refused,
        "one; two (e4)", "e4"
      ),
      (.json(#"{"status":1}"#), .refused, "the server refused", nil),
      (
        .json(#"{"status":1,"errorMessage":"no client-secret\u001b[2J"}"#), .refused,
        "no ‹redacted› [2J", nil
      ),
      (.json("{}"), .malformedResponse, "the response of id.test has no status", nil),
      (.json(#"{"status":"0"}"#), .malformedResponse, "the response of id.test has no status", nil),
      (.status(200, "<html>"), .malformedResponse, "the response of id.test has no status", nil),
      (
        .status(200, String(repeating: " ", count: 1 + 1 << 16)), .malformedResponse,
        "the body is larger than 65536 bytes", nil
      ),
      (.json(#"{"status":0}"#, status: 403), .refused, "id.test returned 403", nil),
      (.json(#"{"status":0}"#, status: 307), .refused, "id.test returned 307", nil),
      (.status(503), .network, "id.test returned 503", nil),
      (.failure(.connection, "refused"), .network, "refused", nil),
    ] as [(FakeTransport.Response, SDKError.Code?, String, String?)])
  func answers(
    answer: FakeTransport.Response, code: SDKError.Code?, cause: String, serverError: String?
  ) async throws {
    for (wanted, url, action) in [
      (AccountAction.signUp, Self.account, "could not register an account"),
      (.passwordReset, Self.reset, "could not reset the password"),
    ] {
      let world = try await Self.world(client: "secret")
      world.transport.respond(url, answer)
      let session = try world.session()
      let address = try #require(EmailAddress("alice@example.com"))
      if let code {
        let error = await expect(code, "\(action): \(cause)") {
          try await session.account.ask(wanted, for: address)
        }
        #expect(error?.serverError == serverError)
      } else {
        try await session.account.ask(wanted, for: address)
      }
    }
  }

  @Test("show the server's text unchanged if it contains no secret")
  func unnamed() async throws {
    let url = try HTTPURL(Self.account)
    let transport = FakeTransport([Self.account: [.json(#"{"status":1,"errorMessage":"taken"}"#)]])
    let service = AccountCall(
      action: .signUp, url: url, client: "", transport: transport, timeout: .seconds(1))
    let address = try #require(EmailAddress("alice@example.com"))
    await expect(.refused, "could not register an account: taken") {
      try await service.send(address)
    }
  }

  private static func world(client: String?) async throws -> World {
    let world = try World([
      "endpoints.account": .string(account), "endpoints.passwordReset": .string(reset),
      "accountClient": client.map { .string($0) } ?? .null,
    ])
    try await world.save(["client_id": "app", "client_secret": .string(secret)], source: .given)
    return world
  }
}

@Suite("Mail addresses")
struct EmailAddressTests {
  @Test(
    "are valid",
    arguments: [
      "alice@example.com", "a.b+c@example.co.uk", "o'neil@x-1.test", "alice@localhost",
      "ä@b.test", "a@[127.0.0.1]", String(repeating: "a", count: 244) + "@b.test.de",
    ])
  func good(text: String) { #expect(EmailAddress(text)?.text == text) }

  @Test(
    "are not valid",
    arguments: [
      "", "alice", "@b.test", "alice@", "@", "a@b@c.test", "a b@c.test", "a\n@b.test",
      "a@b.test\u{1B}", "a\u{A0}@b.test", "a@b\u{202E}.test",
      String(repeating: "a", count: 245) + "@b.test.de",
    ])
  func bad(text: String) { #expect(EmailAddress(text) == nil) }
}
