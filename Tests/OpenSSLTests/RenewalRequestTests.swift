import TestSupport

@testable import OpenSSL

@Suite("Requests for a renewal", .enabled(if: Program.isExpected("openssl"), "needs openssl"))
struct RenewalRequestTests {
  /// A certificate with names that nothing here could write.
  private static func certificate(_ tool: ForeignTool, subject: String) throws -> Certificate {
    try tool.run(
      """
      cat > conf <<'END'
      [req]
      distinguished_name = name
      string_mask = nombstr
      x509_extensions = ext
      [name]
      [ext]
      subjectAltName = critical,otherName:1.3.6.1.4.1.311.20.2.3;UTF8:bob@corp,email:bob@a.test
      END
      openssl req -x509 -config conf -newkey ed25519 -nodes -keyout k -out c -days 9 -subj '\(subject)'
      openssl x509 -in c -outform der -out der
      """)
    return try Certificate(der: tool.read("der"))
  }

  @Test(
    "have subject and alternative names byte for byte",
    arguments: ["/C=DE/O=Example/OU=a+serialNumber=7/CN=bob", "/"])
  func bytes(subject: String) throws {
    let tool = try ForeignTool()
    let certificate = try Self.certificate(tool, subject: subject)
    let key = try PrivateKey.generate(.ec(.p256))
    let der = try CertificateRequest.make(
      CertificateRequestContent(renewing: certificate), signedBy: key)
    let issued = try #require(DERValue(certificate.der)?.children?.first?.children)
    let asked = try #require(DERValue(der)?.children?.first?.children)
    #expect(asked[1].content == issued[5].content)
    // The last element of a certificate has its extensions.
    let extensions = try #require(issued.last?.children?.first?.children)
    let names = try #require(
      extensions.first { $0.children?.first?.content == [0x55, 0x1D, 0x11] })
    #expect(der.contains(names.content))
    #expect(names.children?.count == 3, "it is critical")
    try tool.write("r", der)
    let text = try tool.run("openssl req -inform DER -in r -verify -noout -text -nameopt RFC2253")
    #expect(text.contains("email:bob@a.test"))
    #expect(text.contains("TLS Web Client Authentication"))
  }

  @Test("compare subjects as names, whatever their types of strings")
  func same() throws {
    let tool = try ForeignTool()
    let printable = try Self.certificate(tool, subject: "/CN=bob")
    let key = try PrivateKey.generate(.ec(.p256))
    func made(_ name: String) throws -> Certificate {
      try Certificate.selfSigned(by: key, commonName: name, from: 1_700_000_000, to: 4_000_000_000)
    }
    #expect(try made("bob").namesTheSame(as: printable))
    #expect(try !made("alice").namesTheSame(as: printable))
    let nameless = try Self.certificate(tool, subject: "/")
    #expect(nameless.isNamed)
    #expect(nameless.namesTheSame(as: try Self.certificate(tool, subject: "/")))
    #expect(try !made("bob").namesTheSame(as: nameless))
  }
}
