import TestSupport

@testable import OpenSSL

@Suite("A self-signed certificate")
struct SelfSignedTests {
  @Test(
    "is for its key, its name and its time",
    arguments: [KeyKind.ec(.p256), .ed25519, .rsa(bits: 2048)])
  func fields(kind: KeyKind) throws {
    let key = try PrivateKey.generate(kind)
    let certificate = try Certificate.selfSigned(
      by: key, commonName: "Gerät, 1", from: 1_700_000_000, to: 2_600_000_000)
    #expect(certificate.subject == "CN=Gerät\\, 1")
    #expect(certificate.issuer == certificate.subject)
    #expect(certificate.notBefore == 1_700_000_000)
    #expect(certificate.notAfter == 2_600_000_000)
    #expect(try certificate.publicKey == key.publicKey)
    #expect(certificate.isSelfSigned)
    let tool = try ForeignTool()
    try tool.write("certificate.pem", Array(certificate.pem.utf8))
    let purposes = try tool.run("openssl x509 -in certificate.pem -noout -purpose")
    #expect(purposes.contains("SSL client CA : No"))
    // 16 bytes that nobody can guess behind one that makes it positive.
    #expect(certificate.serial.count == 34)
    let other = try Certificate.selfSigned(by: key, commonName: "x", from: 0, to: 1)
    #expect(other.serial != certificate.serial)
  }

  @Test("names the uses of its key and the algorithm of its signature, as openssl does")
  func usages() throws {
    for (kind, algorithm, name) in [
      (KeyKind.ec(.p256), "ECDSA with SHA-256", "ecdsa-with-SHA256"),
      (.rsa(bits: 2048), "RSA with SHA-256", "sha256WithRSAEncryption"),
      (.ed25519, "Ed25519", "ED25519"),
    ] {
      let certificate = try Certificate.selfSigned(
        by: try PrivateKey.generate(kind), commonName: "a", from: 0, to: 1)
      #expect(certificate.usages == ["digitalSignature", "clientAuth"])
      #expect(certificate.signatureAlgorithm == algorithm)
      let tool = try ForeignTool()
      try tool.write("a.pem", Array(certificate.pem.utf8))
      #expect(
        try tool.run("openssl x509 -in a.pem -noout -text").contains("Signature Algorithm: \(name)")
      )
    }
  }

  @Test("has the names of a certificate's alternative names")
  func alternativeNames() throws {
    let process = try ChildProcess(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
        "/dev/null", "-subj", "/CN=a", "-addext",
        "subjectAltName=DNS:a.test,URI:https://a.test/b,email:a@b.test,IP:10.0.0.1",
      ])
    let pem = process.readToEnd()
    let certificate = try #require(try Certificate.list(pem: pem).first)
    #expect(certificate.dnsNames == ["a.test"])
    #expect(certificate.uris == ["https://a.test/b"])
    #expect(certificate.emailAddresses == ["a@b.test"])
    #expect(certificate.ipAddresses == ["10.0.0.1"])
  }
}
