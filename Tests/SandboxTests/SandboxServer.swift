import POSIX
import TestSupport

@testable import Sandbox

/// A sandbox without sockets, and a client that it knows.
struct SandboxServer {
  static let now = 1_800_000_000
  let sandbox: Sandbox
  private let router: Router
  private(set) var id = ""
  private(set) var secret: String?

  init(settings: Settings = Settings(), _ changes: [String: JSON] = [:]) async throws {
    sandbox = try Sandbox(settings: settings, clock: { Self.now })
    sandbox.listen(on: 9443)
    router = Routes.all(
      of: sandbox, log: AccessLog(file: try LogFile("/dev/null")), isMutual: false)
    let token = "Bearer \(ClientRegistry.initialAccessToken)"
    let client = await register(changes, [.authorization: token]).json
    id = try #require(client?["client_id"]?.string)
    secret = client?["client_secret"]?.string
  }

  struct Answer {
    let status: Int
    let json: JSON?
    var error: String? { json?["error"]?.string }
  }

  func send(
    _ method: HTTPMethod, _ target: String, _ headers: Fields = [:], _ body: String = ""
  ) async -> Answer {
    let request = Request(
      method: method, target: target, authority: "localhost:9443", headers: headers,
      body: Array(body.utf8))
    let answer = await router.respond(to: request, nil)
    guard case .bytes(let bytes) = answer.body else {
      return Answer(status: answer.status.code, json: nil)
    }
    return Answer(status: answer.status.code, json: try? JSON(parsing: bytes))
  }

  /// Sends a request to a resource by way of the payload encryption, and returns the status.
  func resource(_ target: String, _ headers: Fields, _ body: String) async -> Int {
    let responder = PayloadResponder(base: router, sandbox: sandbox)
    let request = Request(
      method: .post, target: target, authority: "localhost:9443", headers: headers,
      body: Array(body.utf8))
    return await responder.respond(to: request, nil).status.code
  }

  /// Registers the usual client with changed members, of which `null` removes one.
  func register(_ changes: [String: JSON], _ headers: Fields = [:]) async -> Answer {
    var metadata: JSONObject = [
      "redirect_uris": ["https://app.test/cb"], "token_endpoint_auth_method": "client_secret_post",
      "grant_types": ["authorization_code", "password", "refresh_token"],
    ]
    for (name, value) in changes { metadata[name] = value == .null ? nil : value }
    return await send(.post, "/register", headers, JSON.object(metadata).serialized())
  }

  /// Sends a form of the client; a field that is `nil` is left out.
  func send(
    form: [String: String?], to target: String, _ headers: Fields = [:]
  ) async -> Answer {
    let client: [String: String?] = ["client_id": id, "client_secret": secret]
    var fields = Form()
    for (name, value) in client.merging(form, uniquingKeysWith: { $1 }) {
      fields.append(name, value)
    }
    var headers = headers
    headers[.contentType] = "application/x-www-form-urlencoded"
    return await send(.post, target, headers, fields.encoded)
  }

  /// Logs alice in by her password, with changed fields.
  func token(_ changes: [String: String?] = [:], _ headers: Fields = [:]) async -> Answer {
    let login: [String: String?] = [
      "grant_type": "password", "username": "alice", "password": "wonderland", "scope": "read",
    ]
    return await send(form: login.merging(changes) { $1 }, to: "/token", headers)
  }

  /// The credential of HTTP Basic.
  var basic: String { Base64.encode(Array("\(id):\(secret ?? "")".utf8)) }
}

/// Proofs of possession by one key (RFC 9449).
struct Proof {
  let server: SandboxServer
  let key: SigningKey

  init(_ server: SandboxServer) throws {
    (self.server, key) = (server, try SigningKey(.es256))
  }

  /// A fresh proof for the token endpoint, with changed members, of which `nil` removes one.
  func fields(_ changes: [String: String?] = [:]) throws -> Fields {
    let nonce = server.sandbox.change { $0.proofs.currentNonce(now: SandboxServer.now) }
    var claims: [String: String?] = [
      "typ": "dpop+jwt", "htm": "POST", "htu": "https://localhost:9443/token",
      "iat": "\(SandboxServer.now)", "nonce": nonce, "jti": Secret.make(),
    ]
    claims.merge(changes) { $1 }
    let header: JSON = [
      "alg": "ES256", "typ": .string(claims["typ"].flatMap(\.self) ?? ""), "jwk": key.publicJWK,
    ]
    var payload: JSONObject = [:]
    for case (let name, let value?) in claims where name != "typ" {
      payload[name] = name == "iat" ? Int(value).map { .int($0) } : .string(value)
    }
    let head =
      Base64URL.encode(header.serializedBytes()) + "."
      + Base64URL.encode(JSON.object(payload).serializedBytes())
    return [.dpop: head + "." + Base64URL.encode(try key.sign(Array(head.utf8)))]
  }
}
