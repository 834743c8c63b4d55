import CoreTestSupport

@testable import SDKCore

@Suite("Identities that are not taken")
struct RefusedIdentityTests {
  private static let token = IdentityKey.securityToken(uri: "pkcs11:object=none;type=private")

  @Test("are those of a file that has another kind of key, or none of that name")
  func files() async throws {
    let key = try PrivateKey.generate(.ec(.p256))
    var wanted = IdentityCertificateRequest()
    wanted.subject = "CN=a"
    let request = try CertificateRequest.make(try wanted.content(), signedBy: key)
    await expect(.invalidRequest, "there is no certificate and no private key") {
      _ = try IdentityMaterial(reading: request)
    }
    var material = IdentityMaterial(key: nil, certificates: [])
    material.keyAlias = "x"
    await expect(
      .invalidRequest, "no private key has the alias 'x'; there are no keys"
    ) { _ = try material.key }
    let certificate = try Certificate.selfSigned(
      by: key, commonName: "a", from: World.now - 1, to: World.now + 1)
    let file = try PKCS12(key: key, certificate: certificate, others: [])
      .encoded(password: "p", name: "own")
    var named = try IdentityMaterial(reading: file, password: "p")
    named.keyAlias = "own"
    #expect(try named.key?.pkcs8 == key.pkcs8)
    named.keyAlias = "other"
    await expect(
      .invalidRequest, "no private key has the alias 'other'; there are own (CN=a)"
    ) { _ = try named.key }
  }

  @Test("are those whose key is in a security token that has no such key")
  func securityToken() async throws {
    let world = try World()
    let service = FakeEnrolment { identity in
      var changed = identity
      changed.key = Self.token
      return changed
    }
    await expect(
      .malformedResponse,
      "could not obtain an identity for 'api.test': the certificate is not for the key of the "
        + "security token"
    ) {
      _ = try await world.session(enrolment: service).identities.obtain(
        try IdentityRequest(for: "api.test"))
    }
    #expect(try world.identities().names() == [])
  }

  @Test("do not take the place of a key in a security token")
  func ofSecurityToken() async throws {
    let world = try World()
    var identity = try TestIdentity.make(
      "api.test", hosts: ["api.test"], origin: .obtained(by: "fake"))
    identity.key = Self.token
    try await world.identities().save(identity)
    let service = FakeEnrolment()
    await expect(
      .invalidRequest,
      "could not obtain an identity for 'api.test': the key of the identity 'api.test' is in a "
        + "security token: renew it"
    ) {
      _ = try await world.session(enrolment: service).identities.obtain(
        try IdentityRequest(for: "api.test"))
    }
    #expect(service.asked.isEmpty)
    #expect(try world.identities().identity(named: identity.name).key == Self.token)
  }

  @Test("do not take the place of one that a person imported meanwhile")
  func imported() async throws {
    let world = try World()
    let store = world.identities()
    let own = try TestIdentity.make("api.test", hosts: ["api.test"])
    try await store.save(own)
    let new = try TestIdentity.make(
      "api.test", hosts: ["api.test"], origin: .obtained(by: "fake"))
    await expect(
      .identity, "could not store the identity 'api.test': one of that name was imported"
    ) { try await store.store(new, for: "api.test") }
    #expect(try store.identity(named: own.name) == own)
    try await store.store(own, for: "api.test")
    try await store.remove(own.name)
    try await store.store(new, for: "api.test")
    let newer = try TestIdentity.make(
      "api.test", hosts: ["api.test"], origin: .obtained(by: "fake"))
    try await store.store(newer, for: "api.test")
    #expect(try store.identity(named: own.name) == newer)
  }

  @Test(
    "are those whose certificate is not for clients",
    .enabled(if: Program.isExpected("openssl"), "needs the openssl program"))
  func usage() throws {
    let tool = try ForeignTool()
    try tool.run(
      """
      openssl req -x509 -newkey ed25519 -nodes -keyout key -out pem -subj /CN=a -days 9 \
        -addext extendedKeyUsage=serverAuth
      """)
    let chain = try ClientCertificateChain(pem: try tool.read("pem"))
    #expect(chain.condition(at: chain.notBefore, .standard) == .wrongUsage)
    #expect(
      chain.objection(at: chain.notBefore)
        == "the certificate is not for TLS clients (extended key usage)")
  }
}

@Suite("What an enrolment service sends")
struct EnrolmentResponseTests {
  private static func response(_ body: [UInt8]) throws -> HTTPResponse {
    var response = HTTPResponse(status: 200, url: try HTTPURL("https://ca.test/"))
    response.body = body
    return response
  }

  @Test("is base64, or DER as it is")
  func encoding() async throws {
    #expect(try EnrolmentClient.der(Self.response([0x30, 0x00, 0xFF])) == [0x30, 0x00, 0xFF])
    #expect(try EnrolmentClient.der(Self.response(Array("MA\r\nA=\n".utf8))) == [0x30, 0x00])
    for text in ["", "\r\n ", "M", "MA=A"] {
      await expect(.malformedResponse, "the response of ca.test is not base64") {
        _ = try EnrolmentClient.der(try Self.response(Array(text.utf8)))
      }
    }
  }

  @Test("may have an attribute without values, which means nothing")
  func attributes() throws {
    let identifier: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    let values: [UInt8] = [0x31, 0x07, 0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
    func read(_ attribute: [UInt8]) throws -> ESTAttributes {
      let sequence = [0x30, UInt8(attribute.count)] + attribute
      return try ESTAttributes(der: [0x30, UInt8(sequence.count)] + sequence)
    }
    #expect(try read(identifier + values).keyKind == .ec(.p384))
    for attribute in [[], identifier, identifier + values + values, values] as [[UInt8]] {
      #expect(try read(attribute) == ESTAttributes())
    }
  }

  @Test("asks for fields that have a name")
  func fields() throws {
    let document = try JSON(
      parsing: #"{"inputFields":[{"fieldName":""},{"prompt":"x"},{"fieldName":"a"}]}"#)
    #expect(SecureLoginInput(document).fields.map(\.name) == ["a"])
  }

  @Test("has a subject for the certificate", arguments: ["{}", #"{"subject":""}"#, "x"])
  func subject(text: String) async throws {
    let world = try World([
      "identity.obtain": "sap", "identity.attributesURL": "https://ca.test/a",
      "identity.requestURL": "https://ca.test/r",
    ])
    try await world.store("u1")
    world.transport.respond("https://ca.test/a", .json(text))
    let error = await expect(.malformedResponse) {
      try await world.session().identities.obtain(try IdentityRequest(for: "api.test"))
    }
    #expect(
      error?.message.hasSuffix("the certificate attributes of ca.test have no subject") == true)
    #expect(world.transport.sent.map(\.url) == ["https://ca.test/a"])
    #expect(world.transport.sent.first?.fields["Authorization"] == "Bearer u1")
  }

  @Test("may refuse the certificate that was shown, or miss one")
  func refusal() async throws {
    for (status, cause) in [
      (495, "the server refused the client certificate"),
      (496, "the server requires a client certificate"),
    ] {
      let world = try World(["identity.obtain": "est", "identity.url": "https://ca.test"])
      world.transport.respond("https://ca.test/.well-known/est/cacerts", .status(status))
      let error = await expect(.identity) {
        try await world.session().identities.obtain(try IdentityRequest(for: "api.test"))
      }
      #expect(error?.message.hasSuffix("ca.test: \(cause)") == true)
    }
  }

  @Test("is sent the token of the slot that the profile names, and not the password")
  func credential() async throws {
    let world = try World([
      "identity.obtain": "est", "identity.url": "https://ca.test", "identity.token": "user",
      "identity.user": "alice",
    ])
    try await world.store("u1")
    let obtainer = try world.session().identities.obtainer
    let context = try #require(obtainer as? EnrolmentService).context
    #expect(try await context.credential()["Authorization"] == "Bearer u1")
  }
}
