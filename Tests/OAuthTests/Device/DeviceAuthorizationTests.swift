import TestSupport

@testable import OAuth

@Suite("Device authorization")
struct DeviceAuthorizationTests {
  private static let good: JSONObject = [
    "device_code": "d", "user_code": "AB\u{1B}CD", "verification_uri": "https://id.test/device",
    "verification_uri_complete": "https://id.test/device?c=ABCD", "expires_in": 600, "interval": 7,
  ]

  @Test("is asked for as the client, with the scope")
  func request() async throws {
    let answer = FakeTransport.Response.json(JSON.object(Self.good).serialized())
    let transport = FakeTransport(["https://id.test/device": [answer]])
    let url = try HTTPURL("https://id.test/device")
    for (client, scope) in [(.open, "a b"), (.basic, nil)] as [(ClientAuthentication, String?)] {
      let found = try await DeviceAuthorization.request(
        at: url, scope: scope, client: client, over: ServerClient(transport: transport))
      #expect(found.deviceCode == "d")
      #expect(found.userCode == "AB CD")
      #expect(found.verificationURI.description == "https://id.test/device")
      #expect(found.completeURI?.description == "https://id.test/device?c=ABCD")
      #expect(found.expiresIn == 600)
      #expect(found.interval == 7)
    }
    #expect(transport.sent.map(\.method) == ["POST", "POST"])
    #expect(transport.sent.map(\.body) == ["scope=a%20b&client_id=app", "client_id=app"])
    #expect(transport.sent.map { $0.fields["Authorization"] } == [nil, "Basic YXBwOnM="])
  }

  @Test(
    "accepts deviations of servers",
    arguments: [
      (["interval": nil], 600, 5), (["interval": 0], 600, 1),
      (["interval": 1_000_000], 600, 86_400),
      (["expires_in": 1_000_000_000], 86_400, 7), (["verification_uri_complete": nil], 600, 7),
      (["verification_uri_complete": .null], 600, 7), (["verification_uri_complete": ""], 600, 7),
      (["verification_uri": nil, "verification_url": "https://id.test/device"], 600, 7),
      (["verification_uri": JSON.null, "verification_url": "https://id.test/device"], 600, 7),
    ] as [([String: JSON?], Int64, Int64)])
  func lenient(changes: [String: JSON?], expiresIn: Int64, interval: Int64) throws {
    let found = try DeviceAuthorization(Self.changed(changes))
    #expect(found.expiresIn == expiresIn)
    #expect(found.interval == interval)
    #expect(found.verificationURI.description == "https://id.test/device")
    #expect((found.completeURI == nil) == changes.keys.contains("verification_uri_complete"))
  }

  @Test(
    "is malformed without a member that the user or a poll needs",
    arguments: [
      (["device_code": nil], "the device response has no device_code"),
      (["device_code": ""], "the device response has no device_code"),
      (["user_code": 7], "the device response has no user_code"),
      (["verification_uri": nil], "the device response has no verification_uri"),
      (
        ["verification_uri": "javascript:alert(1)"],
        "'verification_uri' of the device response is not a usable URL"
      ),
      (
        ["verification_uri_complete": 1],
        "'verification_uri_complete' of the device response is not a usable URL"
      ),
      (["expires_in": nil], "the device response has no usable expires_in"),
      (["expires_in": 0], "the device response has no usable expires_in"),
    ] as [([String: JSON?], String)])
  func malformed(changes: [String: JSON?], message: String) async {
    await expect(.malformed, message) { _ = try DeviceAuthorization(Self.changed(changes)) }
  }

  private static func changed(_ changes: [String: JSON?]) -> JSONObject {
    var document = good
    for (name, value) in changes { document[name] = value }
    return document
  }
}
