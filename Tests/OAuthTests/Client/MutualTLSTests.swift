import JOSE
import TestSupport

@testable import OAuth

@Suite("Mutual TLS")
struct MutualTLSTests {
  private static let certificate = ClientCertificate(chain: [1], privateKey: [2])
  private static let methods: [ClientAuthentication.Method] = [
    .tlsClientAuth, .selfSignedTLSClientAuth,
  ]

  @Test(
    "names the client in the form, and shows the certificate in the handshake", arguments: methods)
  func authenticates(method: ClientAuthentication.Method) throws {
    let client = ClientAuthentication(
      clientID: "app", method: method, secret: "unused", certificate: Self.certificate)
    let request = try client.authenticate(try HTTPURL("https://id.test/token"), ["a": "b"])
    #expect(client.isConfidential)
    #expect(request.clientCertificate == Self.certificate)
    #expect(request.fields["Authorization"] == nil)
    guard case .bytes(let bytes) = request.body else { throw Unmet("the body is not bytes") }
    #expect(String(decoding: bytes, as: UTF8.self) == "a=b&client_id=app")
  }

  @Test("is not used without a certificate, and no other method sends the certificate")
  func othersShowNothing() throws {
    for method in ClientAuthentication.Method.allCases {
      let showsNone = Self.methods.contains(method)
      let client = ClientAuthentication(
        clientID: "app", method: method, secret: showsNone ? "s" : nil,
        key: try SigningKey.generate(.es256), certificate: showsNone ? nil : Self.certificate)
      let request = try client.authenticate(try HTTPURL("https://id.test/token"), [:])
      #expect(request.clientCertificate == nil)
      if showsNone { #expect(!client.isConfidential) }
    }
  }

  @Test(
    "registers a name that an authority vouches for",
    arguments: [
      (CertificateMetadata.Name.subject, "tls_client_auth_subject_dn"),
      (.dns, "tls_client_auth_san_dns"), (.uri, "tls_client_auth_san_uri"),
      (.ip, "tls_client_auth_san_ip"), (.email, "tls_client_auth_san_email"),
    ])
  func names(name: CertificateMetadata.Name, member: String) throws {
    var client = Self.client(.tlsClientAuth)
    client.key = try SigningKey.generate(.es256)
    client.certificate = CertificateMetadata(chain: [[1]], name: name, value: "v")
    let members = ClientMetadata.authentication(
      .tlsClientAuth, key: client.key, certificate: client.certificate)
    #expect(members == ["token_endpoint_auth_method": "tls_client_auth", member: "v"])
    #expect(client.json[member] == "v")
    #expect(client.json[CertificateMetadata.bindsTokens] == nil)
    client.bindsTokensToCertificate = true
    #expect(client.json["tls_client_certificate_bound_access_tokens"] == true)
  }

  @Test("registers the certificate itself if no authority issued it")
  func selfSigned() throws {
    let key = try SigningKey.generate(.es256)
    var client = Self.client(.selfSignedTLSClientAuth)
    client.key = key
    client.certificate = CertificateMetadata(chain: [[1, 2], [3]], name: .subject, value: "CN=a")
    let keys = try #require(client.json["jwks"]?["keys"]?.array)
    #expect(keys.count == 1)
    #expect(keys.first?["x5c"] == ["AQI=", "Aw=="])
    #expect(keys.first?["x"] == key.publicKey.json["x"])
    #expect(keys.first?["d"] == nil)
    #expect(client.json["token_endpoint_auth_method"] == "self_signed_tls_client_auth")
    #expect(client.json["tls_client_auth_subject_dn"] == nil)
  }

  @Test("uses the mutual TLS endpoint aliases for client authentication")
  func aliases() throws {
    let endpoints: [ServerMetadata.Endpoint] = [
      .token, .revocation, .introspection, .pushedAuthorization, .deviceAuthorization, .userinfo,
      .clientValidation,
    ]
    var aliases: JSONObject = [:]
    for endpoint in ServerMetadata.Endpoint.allCases {
      aliases[endpoint.rawValue] = .string("https://mtls.test/\(endpoint.name)")
    }
    let plain = try metadata(["mtls_endpoint_aliases": .object(aliases)])
    let mutual = try plain.forMutualTLS()
    for endpoint in ServerMetadata.Endpoint.allCases {
      let alias = "https://mtls.test/\(endpoint.name)"
      #expect(try plain.url(of: endpoint)?.description != alias)
      #expect((try mutual.url(of: endpoint)?.description == alias) == endpoints.contains(endpoint))
    }
    for missing in [JSON.null, ""] {
      let some = try metadata(["mtls_endpoint_aliases": ["token_endpoint": missing]])
      #expect(try some.forMutualTLS() == some)
    }
    #expect(try metadata().forMutualTLS() == metadata())
    let none = try metadata(["mtls_endpoint_aliases": .null])
    #expect(try none.forMutualTLS() == none)
  }

  @Test(
    "refuses an alias that is not a usable endpoint",
    arguments: [
      ("http://mtls.test/", .untrusted, "the metadata member 'token_endpoint' is an http URL"),
      (7, .malformed, "the metadata member 'token_endpoint' is a number"),
    ] as [(JSON, OAuthError.Code, String)])
  func badAliases(alias: JSON, code: OAuthError.Code, message: String) async throws {
    let server = try metadata(["mtls_endpoint_aliases": ["token_endpoint": alias]])
    await expect(code, message) { _ = try server.forMutualTLS().url(of: .token) }
    let list = try metadata(["mtls_endpoint_aliases": []])
    await expect(.malformed, "the metadata member 'mtls_endpoint_aliases' is not an object") {
      _ = try list.forMutualTLS()
    }
  }

  @Test("knows whether the server binds tokens")
  func binding() throws {
    #expect(try !metadata().bindsTokensToCertificates)
    let member = "tls_client_certificate_bound_access_tokens"
    #expect(try metadata([member: true]).bindsTokensToCertificates)
  }

  @Test(
    "takes nginx's page for a refused certificate as an error of the transport, and no other page",
    arguments: [
      ("The SSL certificate error", "the server refused the client certificate"),
      ("Bad Request", nil),
    ] as [(String, String?)])
  func pages(text: String, message: String?) async throws {
    let address = "https://id.test/token"
    let transport = FakeTransport([address: [.other(400, "text/html", "<title>\(text)</title>")]])
    let request = HTTPRequest(.get, try HTTPURL(address))
    let error = await expect(
      message == nil ? .refused : .transport, message ?? "id.test returned 400"
    ) { _ = try await ServerClient(transport: transport).object(request) }
    #expect((error?.transport?.code == .clientCertificateRequired) == (message != nil))
    #expect(error?.transport?.host == (message == nil ? nil : "id.test"))
  }

  private static func client(_ method: ClientAuthentication.Method) -> ClientMetadata {
    ClientMetadata(
      clientName: nil, redirectURIs: ["http://127.0.0.1/"], grantTypes: ["authorization_code"],
      scope: nil, authenticationMethod: method)
  }
}
