import CoreTestSupport
import UAF

@testable import FIDO
@testable import SDKCore

@Suite("A FIDO UAF server")
struct UAFServerClientTests {
  private static let path = "/uaf/1.1/request/authentication/"

  private static func ask(
    _ response: FakeTransport.Response
  ) async throws -> (String, FakeTransport.Sent?) {
    let world = try World(["fido.url": .string(FakeFIDOServer.origin)])
    world.transport.respond(FakeFIDOServer.origin + path, response)
    let session = try world.session()
    let client = UAFServerClient(
      environment: session.environment, settings: try FIDOSettings(session.profile))
    let request = try await client.request(.authentication, ["username": "alice"])
    return (request.text, world.transport.sent.last)
  }

  private static func envelope(_ status: Int) -> FakeTransport.Response {
    .other(200, "application/fido+uaf", #"{"statusCode": \#(status), "uafRequest": "[1]"}"#)
  }

  @Test("gets the messages of the standard, in its media type and within its time")
  func sent() async throws {
    let (request, sent) = try await Self.ask(Self.envelope(1200))
    #expect(request == "[1]")
    #expect(sent?.line == "POST \(FakeFIDOServer.origin)\(Self.path)")
    #expect(sent?.fields["Content-Type"] == "application/fido+uaf;charset=UTF-8")
    #expect(sent?.fields["Accept"] == "application/fido+uaf")
    #expect(sent?.body == #"{"context":"{\"username\":\"alice\"}","op":"Auth"}"#)
    #expect(sent?.timeout == .seconds(60))
  }

  @Test(
    "has a meaning for each of its statuses",
    arguments: [
      (1202, SDKError.Code.busy, "the server has not decided yet"),
      (1400, .refused, "the server does not understand the message"),
      (1401, .notAuthenticated, "the user must authenticate first, or the key is not the user's"),
      (1403, .refused, "the user is not allowed to do this"),
      (1404, .refused, "the server does not find what the message is about"),
      (1408, .network, "the server waited too long for the message"),
      (1480, .refused, "the server does not know this kind of authenticator"),
      (1481, .notRegistered, "the server does not know this key"),
      (1490, .refused, "the channel binding is missing or differs"),
      (1491, .refused, "the request is unknown or expired, or was answered before"),
      (1492, .refused, "the server does not accept this authenticator"),
      (1493, .refused, "the authenticator is revoked"),
      (1494, .refused, "the server does not accept the key"),
      (1495, .refused, "the server expects a stronger algorithm"),
      (1496, .refused, "the server does not accept the attestation"),
      (1497, .refused, "the server does not accept this client"),
      (1498, .refused, "the server does not accept the content of the message"),
      (1500, .network, "the server failed"),
      (1777, .refused, "the server returned the unknown status 1777"),
    ])
  func statuses(status: Int, code: SDKError.Code, meaning: String) async throws {
    let error = await expect(code, "fido.test: \(meaning) (\(status))") {
      _ = try await Self.ask(Self.envelope(status))
    }
    #expect(error?.isRetryable == [1202, 1408, 1500].contains(status))
    #expect((error?.remedy == .registerFIDO) == (status == 1481))
  }

  @Test(
    "that returns an HTTP error or something else is told apart",
    arguments: [
      (401, "", SDKError.Code.notAuthenticated, "fido.test returned 401: it requires a login"),
      (403, "", .refused, "fido.test returned 403"), (503, "", .network, "fido.test returned 503"),
      (
        400, #"{"statusCode": 1498, "description": "bad\u0007 TLV"}"#, .refused,
        "fido.test: the server does not accept the content of the message (1498); it says: bad  TLV"
      ),
      (200, "{", .malformedResponse, nil), (200, #"{"statusCode": 1200}"#, .malformedResponse, nil),
    ] as [(Int, String, SDKError.Code, String?)])
  func others(status: Int, body: String, code: SDKError.Code, message: String?) async throws {
    let error = await expect(code) {
      _ = try await Self.ask(.other(status, "application/fido+uaf", body))
    }
    if let message { #expect(error?.message == message) }
  }

  @Test("that sends more than a message may have is refused")
  func oversize() async throws {
    await expect(.malformedResponse, "the body is larger than 1048576 bytes") {
      _ = try await Self.ask(.status(200, String(repeating: " ", count: 1 << 20) + "{}"))
    }
  }
}
