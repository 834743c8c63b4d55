import CoreTestSupport

@testable import SDKCore

@Suite("Client certificates")
struct CertificateTests {
  private static let file = "state/profiles/work/registration.json"
  private static let url = "https://id.test/register"
  private static let token = World.mutualToken
  private static let threeYears: Int64 = 3 * 365 * 86_400

  @Test("are made, registered and kept, and shown at the address for such clients")
  func made() async throws {
    let world = try World.mutualTLS(bindsTokens: true)
    let registration = try await world.session().registration.register(.certificate())
    let certificate = try #require(registration.certificate)
    #expect(certificate.subject == "CN=tests")
    #expect(certificate.notAfter == World.now + Self.threeYears)
    let sent = try JSON(parsing: try #require(world.transport.sent.last).body)
    #expect(sent["token_endpoint_auth_method"] == "self_signed_tls_client_auth")
    #expect(sent["tls_client_certificate_bound_access_tokens"] == true)
    let der = try #require(try Certificate.list(pem: Array(certificate.pem.utf8)).first).der
    #expect(sent["jwks"]?["keys"]?.array?.first?["x5c"] == [.string(Base64.encode(der))])
    #expect(world.transport.sent.allSatisfy { $0.certificate == nil })
    #expect(try await world.session().registration.current() == registration)
    #expect(try world.folder.mode(of: Self.file) == 0o600)
    world.transport.respond(Self.token, .token("a"))
    _ = try await world.session().tokens.valid(for: .anonymous)
    let request = try #require(world.transport.sent.last)
    #expect(request.line == "POST \(Self.token)")
    #expect(request.body == "grant_type=client_credentials&client_id=app")
    let shown = try #require(request.certificate)
    #expect(shown.chain == Array(certificate.pem.utf8))
    #expect(shown.privateKey == Array(try #require(registration.key).pem.utf8))
  }

  @Test("leave the other clients at their addresses, and ask for no bound tokens unannounced")
  func others() async throws {
    let world = try World.mutualTLS(bindsTokens: false)
    let registration = try await world.session().registration.register(.certificate())
    #expect(registration.client["tls_client_certificate_bound_access_tokens"] == nil)
    try await world.register()
    world.transport.respond(World.tokenURL, .token("a"))
    _ = try await world.session().tokens.valid(for: .anonymous)
    #expect(world.transport.lines.last == "POST https://id.test/token")
    #expect(world.transport.sent.last?.certificate == nil)
  }

  @Test("are sent to the endpoint of the profile if it has one")
  func overridden() async throws {
    let world = try World.mutualTLS(["endpoints.token": "https://own.test/token"])
    _ = try await world.session().registration.register(.certificate())
    world.transport.respond("https://own.test/token", .token("a"))
    _ = try await world.session().tokens.valid(for: .anonymous)
    #expect(world.transport.lines.last == "POST https://own.test/token")
  }

  @Test(
    "that have expired, or are not yet valid, are not shown, and make no connection",
    arguments: [
      (
        "made here", .dynamic, "self_signed_tls_client_auth", true,
        .init(.updating, authenticationMethod: "self_signed_tls_client_auth")
      ),
      (
        "made here, not managed", .dynamic, "self_signed_tls_client_auth", false,
        .init(.replacing, authenticationMethod: "self_signed_tls_client_auth")
      ),
      (
        "of an authority", .dynamic, "tls_client_auth", true,
        .init(.updating, authenticationMethod: "tls_client_auth", needsCertificate: true)
      ),
      (
        "of a client that was given", .given, "self_signed_tls_client_auth", false,
        .init(
          .replacing, client: .existing("app"), authenticationMethod: "self_signed_tls_client_auth",
          needsCertificate: true)
      ),
    ] as [(String, Registration.Source, String, Bool, Remedy.Registering)])
  func expired(
    name: String, source: Registration.Source, method: String, isManaged: Bool,
    remedy: Remedy.Registering
  ) async throws {
    let world = try World.mutualTLS(bindsTokens: true)
    let key = try SigningKey.generate(.es256)
    let certificate = try ClientCertificateChain.selfSigned(key, commonName: nil, at: World.now)
    var client: JSONObject = [
      "client_id": "app", "token_endpoint_auth_method": .string(method),
      "tls_client_certificate_bound_access_tokens": true,
    ]
    if isManaged {
      client["registration_access_token"] = "t"
      client["registration_client_uri"] = "https://id.test/register/app"
    }
    try await world.save(client, source: source, key: key, certificate: certificate)
    try await world.store("opaque", lifetime: 3600 * 24 * 365 * 10)
    let end = World.now + Self.threeYears
    let times: [(Timestamp, String)] = [
      (end + 1, "it expired at \(end)"),
      (World.now - 301, "it is not valid before \(World.now - 300)"),
    ]
    for (now, cause) in times {
      world.now = now
      let asked = await expect(
        .identity, "could not use 'work': the client certificate cannot be used: \(cause)"
      ) { _ = try await world.session().tokens.valid(for: .anonymous) }
      #expect(asked?.remedy == .register(remedy))
      await expect(
        .identity,
        "could not use the token of 'work': the client certificate cannot be used: \(cause)"
      ) { _ = try await UserClient(world.session()).send(ResourceRequest("GET", "/x")) }
    }
    #expect(world.transport.sent.isEmpty)
    world.now = end
    world.transport.respond(Self.token, .token("a"))
    _ = try await world.session().tokens.valid(for: .anonymous)
  }

  @Test("replace a secret, and are replaced by one, in an update")
  func update() async throws {
    let world = try World.mutualTLS(bindsTokens: true)
    let client: JSONObject = [
      "client_id": "app", "client_secret": "s", "registration_access_token": "t",
      "registration_client_uri": "https://id.test/register/app",
    ]
    try await world.save(client)
    world.transport.respond("https://id.test/register/app", .json(#"{"client_id":"app"}"#))
    var options = RegistrationOptions.certificate()
    let first = try await world.session().registration.update(options)
    let certificate = try #require(first.certificate)
    #expect(first.client["client_secret"] == nil)
    #expect(first.client["tls_client_certificate_bound_access_tokens"] == true)
    #expect(first.client["jwks"] != nil)
    let second = try await world.session().registration.update(options)
    #expect(second.certificate != certificate)
    #expect(second.key != first.key)
    options.method = .privateKeyJWT
    let third = try await world.session().registration.update(options)
    #expect(third.certificate == nil)
    #expect(third.client["tls_client_certificate_bound_access_tokens"] == nil)
    let put = try JSON(parsing: try #require(world.transport.sent.last).body)
    #expect(put["tls_client_certificate_bound_access_tokens"] == nil)
    #expect(put["jwks"]?["keys"]?.array?.first?["x5c"] == nil)
    #expect(try await world.session().registration.current() == third)
  }

  @Test("can be replaced once they have expired, and must be there where an authority issues them")
  func renewal() async throws {
    let world = try World.mutualTLS(bindsTokens: true)
    world.transport.respond(
      Self.url,
      .json(
        #"{"client_id":"app","registration_access_token":"t","registration_client_uri":""#
          + #"https://id.test/register/app"}"#, status: 201))
    let first = try await world.session().registration.register(.certificate())
    world.now = World.now + Self.threeYears + 1
    world.transport.respond("https://id.test/register/app", .json(#"{"client_id":"app"}"#))
    let second = try await world.session().registration.update(.certificate())
    #expect(second.certificate != first.certificate)
    world.transport.respond(Self.token, .token("a"))
    _ = try await world.session().tokens.valid(for: .anonymous)
    await expect(
      .invalidRequest,
      "could not register at https://id.test: an authority must have issued a certificate"
    ) { _ = try await world.session().registration.register(.certificate(.tlsClientAuth)) }
  }

  @Test("of an authority are registered by a name, and kept with a client that exists too")
  func authority() async throws {
    let world = try World.mutualTLS(bindsTokens: false)
    let key = try SigningKey.generate(.es256)
    let chain = try ClientCertificateChain.selfSigned(key, commonName: nil, at: World.now)
    var options = RegistrationOptions.certificate(.tlsClientAuth)
    options.credential = ClientCredential(key: key, certificate: chain)
    let registration = try await world.session().registration.register(options)
    let sent = try JSON(parsing: try #require(world.transport.sent.last).body)
    #expect(sent["tls_client_auth_subject_dn"] == "CN=client")
    #expect(sent["jwks"] == nil)
    #expect(registration.certificate == chain)
    #expect(registration.key == key)
    let given = try await world.session().registration.use(
      existing:
        ExistingClient(
          clientID: "mine", secret: nil, method: .tlsClientAuth, redirectURI: nil,
          credential: ClientCredential(key: key, certificate: chain)))
    #expect(given.isConfidential)
    #expect(
      try await world.session().registration.current()?.clientCertificate?.chain
        == Array(chain.pem.utf8))
    #expect(given.client["tls_client_auth_subject_dn"] == "CN=client")
  }

  @Test("are refused without a key that fits, or outside their time")
  func unusable() async throws {
    let key = try SigningKey.generate(.es256)
    let chain = try ClientCertificateChain.selfSigned(key, commonName: nil, at: World.now)
    try chain.requireUsable(with: key, at: World.now)
    #expect(chain.metadata(.dns) == nil)
    let action = "could not use the client certificate: "
    await expect(.invalidRequest, action + "it is not for the client key") {
      try chain.requireUsable(with: try SigningKey.generate(.es256), at: World.now)
    }
    await expect(.invalidRequest, action + "it expired at \(chain.notAfter)") {
      try chain.requireUsable(with: key, at: chain.notAfter + 1)
    }
    await expect(.invalidRequest, action + "the file contains no certificate") {
      _ = try ClientCertificateChain(pem: Array(key.pem.utf8))
    }
    await expect(.invalidRequest, action + "it is not a certificate in PEM") {
      let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
      _ = try ClientCertificateChain(pem: Array(broken.utf8))
    }
  }

  @Test("that cannot be read make each use of the registration fail")
  func broken() async throws {
    let world = try World.mutualTLS(bindsTokens: false)
    _ = try await world.session().registration.register(.certificate())
    let path = world.location.stateFile("profiles/work/registration.json")
    var document = try #require(try StoreDocument.read(path, .secret))
    document.members["certificate"] = 1
    try document.write()
    await expect(
      .invalidConfiguration,
      "could not read '\(path)': 'certificate' is a number and should be certificates in PEM"
    ) { _ = try await world.session().registration.current() }
  }
}
