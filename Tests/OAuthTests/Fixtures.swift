import TestSupport

@testable import OAuth

/// The issuer of these tests.
let issuerText = "https://id.test"

/// The metadata of a server that offers everything; members are put in place or, with `nil`, taken out.
func metadata(_ changes: [String: JSON?] = [:]) throws -> ServerMetadata {
  var document: JSONObject = [
    "issuer": .string(issuerText),
    "authorization_endpoint": "https://id.test/authorize",
    "token_endpoint": "https://id.test/token",
    "pushed_authorization_request_endpoint": "https://id.test/par",
    "registration_endpoint": "https://id.test/register",
    "revocation_endpoint": "https://id.test/revoke",
    "jwks_uri": "https://id.test/jwks",
  ]
  for (name, value) in changes { document[name] = value }
  return try ServerMetadata(document, for: try Issuer(issuerText))
}

extension ClientAuthentication {
  /// The client `app` without a secret.
  static let open = ClientAuthentication(clientID: "app", method: .none, secret: nil)
  /// The client `app` with the secret `s`.
  static let basic = ClientAuthentication(clientID: "app", method: .basic, secret: "s")
}

extension AuthorizationRequest {
  /// A request of the client `app`.
  init(
    scope: String?, _ parameters: FormParameters = [:],
    at endpoint: String = "https://id.test/authorize"
  ) throws {
    try self.init(
      endpoint: try HTTPURL(endpoint), clientID: "app",
      redirectURI: "http://127.0.0.1:61000/callback", scope: scope, parameters: parameters)
  }
}

extension TokenEndpoint {
  /// The token endpoint of the issuer.
  init(_ transport: FakeTransport, as client: ClientAuthentication = .open) throws {
    self.init(
      try HTTPURL("https://id.test/token"), client: client, over: ServerClient(transport: transport)
    )
  }
}

extension FakeTransport.Response {
  /// A token.
  static let token = json(#"{"access_token":"at","token_type":"bearer"}"#)

  /// A document of keys.
  static func keys(_ keys: [JSON]) -> Self {
    json(JSON.object(["keys": .array(keys)]).serialized())
  }
}

extension ServerMetadata {
  /// The keys that the server publishes, for checks that ask for them.
  func keys(over transport: FakeTransport) throws(OAuthError) -> KeySet {
    KeySet(url: try required(.keys), serverClient: ServerClient(transport: transport))
  }
}

/// Expects a refusal of that kind, with that message if one is given, and answers it.
@discardableResult
func expect<Value>(
  _ code: OAuthError.Code, _ message: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async -> OAuthError? {
  let error = await #expect(throws: OAuthError.self, sourceLocation: sourceLocation) {
    try await body()
  }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  if let message { #expect(error?.message == message, sourceLocation: sourceLocation) }
  return error
}

/// What servers have told, in memory.
final class MemoryCache<Value: Sendable>: ServerCache {
  private let values: Mutex<[String: Value]>

  init(_ values: [String: Value] = [:]) { self.values = Mutex(values) }

  var all: [String: Value] { values.withLock { $0 } }

  func value(of name: String) -> Value? { all[name] }

  func store(_ value: Value, of name: String) { values.withLock { $0[name] = value } }
}
