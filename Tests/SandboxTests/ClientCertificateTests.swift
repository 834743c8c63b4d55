import TestSupport

@testable import Sandbox

@Suite("A client's certificate says who it is")
struct ClientCertificateTests {
  static let now = 1_800_000_000

  @Test(
    "a name is matched by its member and no other",
    arguments: [
      ("tls_client_auth_subject_dn", "CN=robot,O=sdkctl sandbox", true),
      ("tls_client_auth_subject_dn", "cn=robot,  o=sdkctl sandbox ", true),
      ("tls_client_auth_subject_dn", "CN=robot", false),
      ("tls_client_auth_subject_dn", "CN=Robot,O=sdkctl sandbox", false),
      ("tls_client_auth_san_dns", "ROBOT", true), ("tls_client_auth_san_dns", "lamp", false),
      ("tls_client_auth_san_uri", "urn:sandbox:client:robot", true),
      ("tls_client_auth_san_uri", "robot", false),
      ("tls_client_auth_san_ip", "127.0.0.1", true), ("tls_client_auth_san_ip", "::1", false),
      ("tls_client_auth_san_ip", "localhost", false),
      ("tls_client_auth_san_email", "robot@example.com", true),
      ("tls_client_auth_san_email", "robot", false), ("client_name", "robot", false),
    ])
  func names(member: String, name: String, isIts: Bool) throws {
    let identity = try ClientIdentity(
      name: "robot", authority: nil, isExpired: false, now: Self.now)
    #expect(CertificateNames(certificate: identity.leaf).match(member, name) == isIts)
  }

  @Test("escaped commas stay within their part")
  func distinguishedNames() {
    #expect(CertificateNames.normal(#"cn=a\, b , o=c"#) == [#"CN=a\, b"#, "O=c"])
    #expect(CertificateNames.normal(#"cn=a\\,emailAddress=c"#) == [#"CN=a\\"#, "E=c"])
    #expect(CertificateNames.normal("a,") == ["a", ""])
  }

  @Test("the registered key is the certificate's")
  func keys() throws {
    let identity = try ClientIdentity(name: "a", authority: nil, isExpired: false, now: Self.now)
    let jwk = identity.publicJWK()
    guard case .p256(let x, let y) = identity.key.publicKey.numbers else {
      throw Unmet("the key is not on P-256")
    }
    #expect(jwk["x"]?.string == Base64URL.encode(x))
    #expect(jwk["y"]?.string == Base64URL.encode(y))
    let der = try #require(jwk["x5c"]?.strings?.first.flatMap(Base64.decode))
    #expect(try Certificate(der: der) == identity.leaf)
  }

  @Test("it is valid in its time only", arguments: [false, true])
  func validity(isExpired: Bool) throws {
    let identity = try ClientIdentity(
      name: "a", authority: nil, isExpired: isExpired, now: Self.now)
    let shown = ShownCertificate(identity.leaf)
    #expect(shown.isValid(at: 1_800_000_000) == !isExpired)
    #expect(!shown.isValid(at: 1_800_000_000 + 91 * 86_400))
    #expect(!shown.isValid(at: 1_800_000_000 - 30 * 86_400))
  }

  @Test("a chain leads to its own root only")
  func chains() throws {
    let authority = try Authority(name: "One", now: Sandbox.now)
    let other = try Authority(name: "Two", now: Sandbox.now)
    let leaf = try ClientIdentity(
      name: "a", authority: authority, isExpired: false, now: Sandbox.now
    ).leaf
    let shown = ShownCertificate(leaf)
    #expect(shown.leads(to: [authority.root], over: [authority.intermediate]))
    #expect(!shown.leads(to: [authority.root], over: []))
    #expect(!shown.leads(to: [other.root], over: [authority.intermediate]))
    #expect(shown.leads(to: [authority.intermediate], over: []))
  }

  @Test("names are those of hosts", arguments: ["", "a b", "ä", "a/b", "CN=a"])
  func badNames(name: String) {
    #expect(!ClientIdentity.isName(name))
    #expect(ClientIdentity.isName("Robot-1.example"))
  }
}
