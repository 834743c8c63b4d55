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

/// Expects a refusal of that kind with that message, and answers it.
@discardableResult
func expect(
  _ code: OAuthError.Code, _ message: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async -> OAuthError? {
  let error = await #expect(throws: OAuthError.self, sourceLocation: sourceLocation) {
    try await body()
  }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  #expect(error?.message == message, sourceLocation: sourceLocation)
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
