import POSIX
import TestSupport

@testable import Sandbox

/// What strict servers refuse, so that a wrong client is not right here.
@Suite("The sandbox refuses")
struct RefusalTests {
  /// A change of one request, and the error that it has.
  struct Row: Sendable, CustomTestStringConvertible {
    let changes: [String: String?]
    let error: String

    init(_ changes: [String: String?], _ error: String) {
      (self.changes, self.error) = (changes, error)
    }

    var testDescription: String {
      changes.map { "\($0)=\($1 ?? "nothing")" }.sorted().joined(separator: " ")
    }
  }

  private static let tlsClient: [String: JSON] = [
    "token_endpoint_auth_method": "tls_client_auth", "tls_client_auth_san_dns": "a",
  ]

  private static let privateKey: JSON = [
    "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0", "d": "AA",
  ]

  @Test(
    "a token request with a wrong client, grant or scope",
    arguments: [
      Row(["client_id": nil], "invalid_client"), Row(["client_id": "other"], "invalid_client"),
      Row(["client_secret": nil], "invalid_client"), Row(["client_secret": "x"], "invalid_client"),
      Row(["client_assertion": "x"], "invalid_client"),
      Row(["grant_type": nil], "invalid_request"),
      Row(["grant_type": "x"], "unsupported_grant_type"),
      Row(["grant_type": "client_credentials"], "unauthorized_client"),
      Row(["grant_type": "authorization_code"], "invalid_request"),
      Row(["grant_type": "authorization_code", "code": "x"], "invalid_grant"),
      Row(["grant_type": "refresh_token", "refresh_token": "x"], "invalid_grant"),
      Row(["username": nil], "invalid_request"), Row(["password": "x"], "invalid_grant"),
      Row(["scope": "admin"], "invalid_scope"),
    ])
  func tokenRequest(row: Row) async throws {
    let server = try await SandboxServer()
    #expect(await server.token().status == 200)
    #expect(await server.token(row.changes).error == row.error)
  }

  @Test("a client that authenticates in another way than it registered, or in two")
  func authentication() async throws {
    let server = try await SandboxServer()
    let basic = try await SandboxServer(["token_endpoint_auth_method": "client_secret_basic"])
    for (server, credential, changes, error) in [
      (server, server.basic, [:], "invalid_request"),
      (server, server.basic, ["client_secret": nil], "invalid_client"),
      (basic, basic.basic, ["client_secret": nil], nil), (basic, nil, [:], "invalid_client"),
      (basic, basic.basic, ["client_secret": nil, "client_id": "other"], "invalid_client"),
      (basic, "!", ["client_secret": nil], "invalid_client"),
      (basic, "YQ==", ["client_secret": nil], "invalid_client"),
    ] as [(SandboxServer, String?, [String: String?], String?)] {
      let headers: Fields = credential.map { [.authorization: "Basic \($0)"] } ?? [:]
      #expect(await server.token(changes, headers).error == error)
    }
  }

  @Test("a form that is none, that is too large, or that has a field twice")
  func forms() async throws {
    let server = try await SandboxServer()
    let form: Fields = [.contentType: "application/x-www-form-urlencoded"]
    for (headers, body, status) in [
      ([.contentType: "application/json"], "{}", 400), (form, "scope=a&scope=b", 400),
      (form, String(repeating: "a", count: Exchange.mostFormBytes + 1), 413),
    ] as [(Fields, String, Int)] {
      let answer = await server.send(.post, "/token", headers, body)
      #expect(answer.status == status)
      #expect(answer.error == "invalid_request")
    }
  }

  @Test("a refresh token that was used, and one that is bound to another key")
  func refresh() async throws {
    let server = try await SandboxServer(["token_endpoint_auth_method": "none"])
    let (own, other) = (try Proof(server), try Proof(server))
    let login = await server.token([:], try own.fields())
    let token = try #require(login.json?["refresh_token"]?.string)
    for (proof, scope, error) in [
      (other, nil, "invalid_dpop_proof"), (own, "write", "invalid_scope"), (own, nil, nil),
      (own, nil, "invalid_grant"),
    ] as [(Proof, String?, String?)] {
      let fields = try proof.fields()
      let answer = await server.token(
        ["grant_type": "refresh_token", "refresh_token": token, "scope": scope], fields)
      #expect(answer.error == error)
    }
  }

  @Test(
    "a proof of possession that is not for this request",
    arguments: [
      Row(["typ": "JWT"], "invalid_dpop_proof"), Row(["htm": "GET"], "invalid_dpop_proof"),
      Row(["htu": "https://localhost:9443/par"], "invalid_dpop_proof"),
      Row(["htu": "http://localhost:9443/token"], "invalid_dpop_proof"),
      Row(["htu": nil], "invalid_dpop_proof"), Row(["iat": "1799999699"], "invalid_dpop_proof"),
      Row(["iat": "1800000301"], "invalid_dpop_proof"), Row(["jti": nil], "invalid_dpop_proof"),
      Row(["jti": String(repeating: "a", count: 257)], "invalid_dpop_proof"),
      Row(["nonce": nil], "use_dpop_nonce"), Row(["nonce": "x"], "use_dpop_nonce"),
    ])
  func proof(row: Row) async throws {
    let server = try await SandboxServer(["dpop_bound_access_tokens": true])
    let proof = try Proof(server)
    let wrong = try proof.fields(row.changes)
    #expect(await server.token([:], wrong).error == row.error)
    let good = try proof.fields()
    #expect(await server.token([:], good).json?["token_type"] == "DPoP")
    #expect(await server.token([:], good).error == "invalid_dpop_proof")
    let parts = try [good, Proof(server).fields()].map {
      try #require($0[.dpop]).split(separator: ".")
    }
    let mixed = parts[0][..<2] + parts[1][2...]
    #expect(
      await server.token([:], [.dpop: mixed.joined(separator: ".")]).error == "invalid_dpop_proof")
    #expect(await server.token().error == "invalid_dpop_proof")
  }

  @Test(
    "an exchange of what is no access token of this client",
    arguments: [
      Row(["subject_token": nil], "invalid_request"),
      Row(["subject_token": "x"], "invalid_request"),
      Row(["subject_token_type": nil], "invalid_request"),
      Row(["subject_token_type": "x"], "invalid_request"),
      Row(["requested_token_type": "x"], "invalid_request"),
      Row(["actor_token": "x"], "invalid_request"), Row(["scope": "write"], "invalid_scope"),
    ])
  func exchange(row: Row) async throws {
    let grant = "urn:ietf:params:oauth:grant-type:token-exchange"
    let server = try await SandboxServer(["grant_types": ["password", .string(grant)]])
    let proof = try Proof(server)
    let token = try #require(await server.token().json?["access_token"]?.string)
    let bound = try #require(
      await server.token([:], try proof.fields()).json?["access_token"]?.string)
    let form: [String: String?] = [
      "grant_type": grant, "subject_token": token, "scope": "read",
      "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
    ]
    #expect(await server.send(form: form, to: "/token").status == 200)
    let changed = form.merging(row.changes) { $1 }
    #expect(await server.send(form: changed, to: "/token").error == row.error)
    let stolen = form.merging(["subject_token": bound]) { $1 }
    #expect(await server.send(form: stolen, to: "/token").error == "invalid_dpop_proof")
  }

  @Test("an encrypted request that is old, was sent before, or is for another place")
  func payload() async throws {
    var settings = Settings()
    settings.payloadEncryption = true
    let server = try await SandboxServer(settings: settings)
    let peer = try #require(PayloadPeer(server.sandbox.payloadKey.jwk))
    let good: JSONObject = [
      "id": .string(Base64URL.encode(Array(repeating: 1, count: 16))), "iat": 1_800_000_300,
      "host": "localhost:9443", "path": "/resources/unauthenticated?a=b", "method": "GET",
    ]
    for (changes, status) in [
      (["id": "AAAA"], 400), (["iat": 1_800_000_301], 400), (["iat": 1_799_999_699], 400),
      (["host": "other.test"], 400), (["path": "/resources/devices"], 400),
      (["method": nil], 400), (["headers": [["a"]]], 400), ([:], 200), ([:], 400),
    ] as [([String: JSON?], Int)] {
      var content = good
      for (name, value) in changes { content[name] = value }
      // What is refused for its fields counts as sent.
      if changes["headers"] != nil { content["id"] = "AAAAAAAAAAAAAAAAAAAAAA" }
      let body = try PayloadMessage.seal(.object(content), to: peer)
      let answer = await server.resource(
        "/resources/unauthenticated", [.contentType: PayloadRequest.mediaType], body)
      #expect(answer == status, "\(changes)")
    }
    for (type, body) in [
      ("application/jose", "x"), ("application/jose", "a.b.c.d.e"), ("text/plain", "x"),
    ] {
      #expect(
        await server.resource("/resources/unauthenticated", [.contentType: type], body) == 400)
    }
  }

  @Test(
    "an authorization request without PKCE, or with what the client did not register",
    arguments: [
      Row(["redirect_uri": "https://app.test/x"], "invalid_request"),
      Row(["response_type": nil], "invalid_request"),
      Row(["response_type": "token"], "unsupported_response_type"),
      Row(["response_mode": "fragment"], "invalid_request"),
      Row(["code_challenge": nil], "invalid_request"),
      Row(["code_challenge": "a"], "invalid_request"),
      Row(["code_challenge_method": nil], "invalid_request"),
      Row(["code_challenge_method": "plain"], "invalid_request"),
      Row(["request": "x"], "request_not_supported"), Row(["request_uri": "x"], "invalid_request"),
      Row(["scope": nil], "invalid_scope"), Row(["scope": "admin"], "invalid_scope"),
      Row(["prompt": "none login"], "invalid_request"), Row(["prompt": "x"], "invalid_request"),
      Row(["max_age": "-1"], "invalid_request"), Row(["id_token_hint": "x"], "invalid_request"),
    ])
  func authorizationRequest(row: Row) async throws {
    let server = try await SandboxServer()
    let request: [String: String?] = [
      "response_type": "code", "redirect_uri": "https://app.test/cb", "scope": "read",
      "code_challenge": GrantLedgerTests.challenge, "code_challenge_method": "S256",
    ]
    #expect(await server.send(form: request, to: "/par").status == 201)
    let changed = request.merging(row.changes) { $1 }
    #expect(await server.send(form: changed, to: "/par").error == row.error)
    let codeless = try await SandboxServer(["grant_types": ["password"]])
    #expect(await codeless.send(form: request, to: "/par").error == "unauthorized_client")
    let proof = try Proof(server).fields(["htu": "https://localhost:9443/par"])
    let bound = request.merging(["dpop_jkt": "x"]) { $1 }
    #expect(await server.send(form: bound, to: "/par", proof).error == "invalid_dpop_proof")
  }

  @Test(
    "metadata of a client that it does not support",
    arguments: [
      (["token_endpoint_auth_method": "x"], nil), (["grant_types": ["x"]], nil),
      (["grant_types": "password"], nil), (["response_types": ["token"]], nil),
      (["redirect_uris": .null], "invalid_redirect_uri"),
      (["redirect_uris": ["http://app.test/"]], "invalid_redirect_uri"),
      (["redirect_uris": ["javascript:x"]], "invalid_redirect_uri"),
      (["redirect_uris": ["https://app.test/#here"]], "invalid_redirect_uri"),
      (["redirect_uris": "https://app.test/"], nil),
      (["redirect_uris": .strings(Array(repeating: "https://app.test/cb", count: 51))], nil),
      (["post_logout_redirect_uris": ["http://app.test/"]], "invalid_redirect_uri"),
      (["scope": "read admin"], nil), (["jwks_uri": "https://app.test/keys"], nil),
      (["jwks": ["keys": []]], nil), (["jwks": ["keys": [privateKey]]], nil),
      (["token_endpoint_auth_method": "private_key_jwt"], nil),
      (["token_endpoint_auth_method": "tls_client_auth"], nil),
      (["token_endpoint_auth_method": "self_signed_tls_client_auth"], nil),
      (tlsClient.merging(["tls_client_auth_subject_dn": "CN=a"]) { $1 }, nil),
      (tlsClient.merging(["tls_client_auth_san_dns": 1]) { $1 }, nil),
      (["tls_client_certificate_bound_access_tokens": "yes"], nil),
      (["id_token_signed_response_alg": "none"], nil), (["access_token_format": "x"], nil),
      (["access_token_lifetime": 0], nil), (["access_token_lifetime": 86_401], nil),
      (["software_statement": "x"], "invalid_software_statement"),
    ] as [([String: JSON], String?)])
  func metadata(changes: [String: JSON], error: String?) async throws {
    let server = try await SandboxServer()
    #expect(await server.register(changes).error == error ?? "invalid_client_metadata")
  }

  @Test("a registration without the token that it wants, and the management of another's")
  func registration() async throws {
    var settings = Settings()
    settings.closedRegistration = true
    let server = try await SandboxServer(settings: settings)
    #expect(await server.register([:], [:]).error == "invalid_token")
    #expect(await server.register([:], [.authorization: "Bearer x"]).error == "invalid_token")
    for headers in [[:], [.authorization: "Bearer x"]] as [Fields] {
      #expect(await server.send(.get, "/register/\(server.id)", headers).status == 401)
      #expect(await server.send(.delete, "/register/\(server.id)", headers).status == 401)
    }
  }

  @Test("a resource to who has no token for it")
  func resources() async throws {
    let server = try await SandboxServer()
    let token = try #require(await server.token().json?["access_token"]?.string)
    let narrow = try #require(
      await server.token(["scope": "write"]).json?["access_token"]?.string)
    let proof = try Proof(server).fields()
    let bound = try #require(await server.token([:], proof).json?["access_token"]?.string)
    for (value, status) in [
      ("Bearer \(token)", 200), (nil, 401), ("Bearer  ", 401), ("Bearer x", 401),
      ("bearer \(token)", 401), ("Basic \(token)", 401), ("Bearer \(narrow)", 403),
      ("Bearer \(bound)", 401), ("DPoP \(token)", 401), ("DPoP \(bound)", 401),
    ] as [(String?, Int)] {
      let headers: Fields = value.map { [.authorization: $0] } ?? [:]
      #expect(
        await server.send(.get, "/resources/devices", headers).status == status, "\(value ?? "")")
    }
    for (target, range, status) in [
      ("bytes/9", "bytes=5-6", 206), ("bytes/9", "bytes=5-4", 416), ("bytes/9", "bytes=9-", 416),
      ("bytes/9", "5-6", 416), ("bytes/9", "bytes=1-2-3", 416), ("bytes/-1", nil, 400),
      ("status/199", nil, 400), ("status/600", nil, 400), ("redirect", nil, 400),
    ] as [(String, String?, Int)] {
      let headers: Fields = range.map { [.range: $0] } ?? [:]
      #expect(
        await server.send(.get, "/resources/\(target)", headers).status == status, "\(target)")
    }
  }
}
