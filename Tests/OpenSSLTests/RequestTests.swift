import TestSupport

@testable import OpenSSL

@Suite("Certificate requests made here")
struct RequestTests {
  @Test(
    "have the subject, in the order of RFC 4514",
    arguments: [
      ("CN=alice,O=Example", "CN=alice,O=Example"), ("CN=alice", "CN=alice"), ("", ""),
      (#"CN=a\, b , O=x\+y"#, #"CN=a\, b,O=x\+y"#), ("CN=alice+UID=1,O=E", "CN=alice+UID=1,O=E"),
      (#"CN=\C3\A4"#, "CN=ä"), ("2.5.4.3=alice", "CN=alice"),
    ])
  func subject(text: String, subject: String) throws {
    let key = try PrivateKey.generate(.ec(.p256))
    let content = CertificateRequestContent(subject: try SubjectName(text))
    let request = try CertificateRequest(der: try CertificateRequest.make(content, signedBy: key))
    let parts = request.subject.split(separator: "+").count
    // The parts of one step are a set, which DER sorts.
    #expect(parts > 1 || request.subject == subject)
    #expect(Set(request.subject) == Set(subject))
    #expect(request.spki == (try key.publicKey.spki))
  }

  @Test(
    "refuse a subject that is not valid",
    arguments: [
      ("alice", false), ("CN=", false), ("=alice", false), ("CN=a,,O=b", false), ("CN=a\nb", false),
      ("1.2.x=a", true), ("NOPE=a", true),
    ])
  func badSubject(text: String, isRead: Bool) throws {
    let key = try PrivateKey.generate(.ec(.p256))
    #expect(((try? SubjectName(text)) != nil) == isRead)
    #expect(throws: CryptoError.self) {
      try CertificateRequest.make(
        CertificateRequestContent(subject: try SubjectName(text)), signedBy: key)
    }
  }

  @Test(
    "are valid for openssl, with names, usage and challenge password",
    .enabled(if: Program.isExpected("openssl"), "needs the openssl program"),
    arguments: [
      KeyKind.ec(.p256), .ec(.p384), .rsa(bits: 2048), .rsa(bits: 3072), .rsa(bits: 4096), .ed25519,
    ])
  func foreign(kind: KeyKind) throws {
    var content = CertificateRequestContent(subject: SubjectName(commonName: "alice, the 1st"))
    content.dnsNames = ["alice.example.com"]
    content.ipAddresses = ["192.0.2.1", "2001:db8::1"]
    content.emailAddresses = ["alice@example.com"]
    content.uris = ["urn:a,DNS:evil.example"]
    content.challengePassword = "challenge-1"
    let der = try CertificateRequest.make(content, signedBy: try PrivateKey.generate(kind))
    let tool = try ForeignTool()
    try tool.write("r", der)
    let text = try tool.run("openssl req -inform DER -in r -verify -noout -text -nameopt RFC2253")
    for part in [
      #"CN=alice\, the 1st"#, "DNS:alice.example.com", "IP Address:192.0.2.1",
      "IP Address:2001:DB8:0:0:0:0:0:1", "email:alice@example.com", "URI:urn:a,DNS:evil.example",
      "TLS Web Client Authentication", "challenge-1",
    ] { #expect(text.contains(part), "\(part)") }
    #expect(!text.contains("DNS:evil.example\n"))
  }

  @Test(
    "have no alternative name that is empty or not ASCII", arguments: ["", "a b", "ä.example"])
  func badName(name: String) throws {
    var content = CertificateRequestContent(subject: SubjectName(commonName: "alice"))
    content.dnsNames = [name]
    let key = try PrivateKey.generate(.ec(.p256))
    #expect(throws: CryptoError.self) { try CertificateRequest.make(content, signedBy: key) }
    content.dnsNames = []
    content.ipAddresses = [name]
    #expect(throws: CryptoError.self) { try CertificateRequest.make(content, signedBy: key) }
  }
}
