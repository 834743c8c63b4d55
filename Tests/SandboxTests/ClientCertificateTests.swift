import TestSupport

@testable import Sandbox

@Suite("A client's certificate says who it is")
struct ClientCertificateTests {
  static let now = 1_800_000_000

  @Test("escaped commas stay within their part")
  func distinguishedNames() {
    #expect(CertificateNames.normal(#"cn=a\, b , o=c"#) == [#"CN=a\, b"#, "O=c"])
    #expect(CertificateNames.normal(#"cn=a\\,emailAddress=c"#) == [#"CN=a\\"#, "E=c"])
    #expect(CertificateNames.normal("a,") == ["a", ""])
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
