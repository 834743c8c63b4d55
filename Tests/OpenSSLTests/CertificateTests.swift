import Foundation
import TestSupport

@testable import OpenSSL

@Suite(.enabled(if: Program.isExpected("openssl"), "needs the openssl program"))
struct CertificateTests {
  /// A directory with a root and a leaf made by openssl.
  private static let chain = Result {
    let tool = try ForeignTool()
    try tool.write(
      "leaf.ext",
      Array(
        """
        subjectAltName = DNS:a.example.com, DNS:*.b.example.com, IP:127.0.0.1, IP:2001:db8::7, \
        email:x@example.com
        basicConstraints = critical, CA:FALSE

        """.utf8))
    try tool.run(
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout root.key \
        -out root.pem -days 30 -utf8 -subj '/C=CH/O=Ünïcode, "Inc" \\+ <Söhne>/CN=Test Root' \
        -addext 'basicConstraints=critical,CA:TRUE'
      openssl req -new -newkey rsa:2048 -nodes -keyout leaf.key -out leaf.csr -utf8 \
        -subj '/O=First/CN=outer/CN=leaf 鍵'
      openssl x509 -req -in leaf.csr -CA root.pem -CAkey root.key -days 7 \
        -set_serial 0x00F1E2D3C4B5A69788 -extfile leaf.ext -out leaf.pem
      """)
    return tool
  }

  @Test("a certificate has the fields that openssl prints")
  func fields() throws {
    let tool = try Self.chain.get()
    for name in ["root", "leaf"] {
      let certificate = try #require(try Certificate.list(pem: tool.read("\(name).pem")).first)
      func ask(_ options: String) throws -> String {
        let answer = try tool.run("openssl x509 -in \(name).pem -noout \(options)")
        return String(answer[(answer.firstIndex(of: "=") ?? answer.startIndex)...].dropFirst())
      }
      #expect(try certificate.subject == ask("-subject -nameopt RFC2253,-esc_msb,utf8"))
      #expect(try certificate.issuer == ask("-issuer -nameopt RFC2253,-esc_msb,utf8"))
      #expect(try certificate.serial == ask("-serial"))
      #expect(
        try Hex.encode(certificate.sha256, uppercase: true)
          == ask("-fingerprint -sha256").replacing(":", with: ""))
      #expect(try time(ask("-startdate -dateopt iso_8601")) == certificate.notBefore)
      #expect(try time(ask("-enddate -dateopt iso_8601")) == certificate.notAfter)
      #expect(try certificate.pem == tool.run("openssl x509 -in \(name).pem") + "\n")
      let pin = try tool.run(
        """
        openssl x509 -in \(name).pem -noout -pubkey | openssl pkey -pubin -outform der \
          | openssl dgst -sha256 -binary | openssl base64
        """)
      #expect(try Base64.encode(Digest.sha256(certificate.spki)) == pin)
      #expect(try certificate.publicKey.spki == certificate.spki)
    }
  }

  @Test("a leaf and a root are distinguished")
  func kinds() throws {
    let tool = try Self.chain.get()
    let both = try Certificate.list(pem: tool.read("leaf.pem") + tool.read("root.pem"))
    try #require(both.count == 2)
    #expect(both.map(\.isSelfSigned) == [false, true])
    #expect(both.map(\.commonName) == ["leaf 鍵", "Test Root"])
    #expect(both.map(\.dnsNames) == [["a.example.com", "*.b.example.com"], []])
    #expect(both.map(\.ipAddresses) == [["127.0.0.1", "2001:db8::7"], []])
    // An address is looked for among the addresses only.
    #expect(both[0].isFor(host: "127.0.0.1") && both[0].isFor(host: "2001:db8::7"))
    #expect(try both.map { try $0.publicKey.kind } == [.rsa(bits: 2048), .ec(.p256)])
    #expect(both[0] != both[1])
    #expect(try both[0] == Certificate(der: both[0].der))
    #expect(try both[0] == Certificate(retaining: both[0].raw))
    #expect(try KeyMaterial.items(in: tool.read("leaf.csr"))[0].spki == both[0].spki)
    #expect(try KeyMaterial.items(in: tool.read("leaf.csr"))[0].label == both[0].subject)
  }

  @Test("a name cannot act on a terminal")
  func controlCharacters() throws {
    let tool = try ForeignTool()
    try tool.run(
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k -out c.pem \
        -days 1 -utf8 -subj $'/CN=a\\x1b[2Jb\\xe2\\x80\\xaec\\xc2\\x9bd'
      """)
    let certificate = try #require(try Certificate.list(pem: tool.read("c.pem")).first)
    #expect(certificate.subject == "CN=a\\1B[2Jb\\E2\\80\\AEc\\C2\\9Bd")
  }

  @Test("bytes that are not a certificate are refused with a cause")
  func broken() throws {
    let tool = try Self.chain.get()
    let der = try #require(try Certificate.list(pem: tool.read("leaf.pem")).first).der
    let time = try #require(der.firstRange(of: [0x30, 0x1E, 0x17, 0x0D])).upperBound
    let dateless = der[..<time] + Array("not a UTCTime".utf8) + der[(time + 13)...]
    for bytes in [[], [0x30], Array(der.dropLast()), der + [0], Array(dateless)] {
      let error = #expect(throws: CryptoError.self) { try Certificate(der: bytes) }
      #expect(error?.operation == "read the certificate")
      #expect(error?.reasons.isEmpty == false)
    }
    #expect(try Certificate.list(pem: []).isEmpty)
    #expect(try Certificate.list(pem: tool.read("leaf.key")).isEmpty)
    #expect(throws: CryptoError.self) {
      try Certificate.list(pem: Array(tool.read("leaf.pem").dropLast(200)))
    }
  }

  @Test("the first damaged certificate of several is named by its line and number")
  func damaged() throws {
    let tool = try Self.chain.get()
    let (leaf, root) = (try tool.read("leaf.pem"), try tool.read("root.pem"))
    let lines = leaf.split(separator: UInt8(ascii: "\n"))
    let place = "line \(root.split(separator: UInt8(ascii: "\n")).count + 2), number 2"
    let note = Array("the next one\n".utf8)
    func cut(_ line: Int) -> [UInt8] {
      var lines = lines
      lines.remove(at: line)
      return Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
    }
    let text = Array(String(decoding: leaf, as: UTF8.self).replacing("\nMII", with: "\nM*I").utf8)
    for (damaged, cause) in [
      (text, "its block at \(place), is damaged: "),
      (cut(1), "its certificate at \(place), is damaged"),
    ] {
      let error = #expect(throws: CryptoError.self) {
        try Certificate.list(pem: root + note + damaged + root)
      }
      #expect(error?.reasons.first?.hasPrefix(cause) == true, "\(error?.reasons ?? [])")
    }
    let unfinished = #expect(throws: CryptoError.self) {
      try Certificate.list(pem: root + note + cut(lines.count - 1))
    }
    #expect(unfinished?.reasons.first?.hasPrefix("its block at \(place), is damaged: ") == true)
  }

  @Test("the address of the issuer's certificate is the one of caIssuers")
  func issuerAddress() throws {
    let tool = try ForeignTool()
    try tool.run(
      """
      for access in caIssuers OCSP; do
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k -out $access.pem \
          -days 1 -subj /CN=a -addext "authorityInfoAccess=$access;URI:http://ca.test/i.cer"
      done
      """)
    for (name, address) in [("caIssuers", "http://ca.test/i.cer"), ("OCSP", nil)] {
      let certificate = try #require(try Certificate.list(pem: tool.read("\(name).pem")).first)
      #expect(certificate.issuerAddress == address)
    }
  }

  @Test("a mutated certificate is read or refused, and never ends the process")
  func fuzz() throws {
    let tool = try Self.chain.get()
    let pem = try tool.read("leaf.pem")
    let der = try #require(try Certificate.list(pem: pem).first).der
    var dice = Dice(state: 20_261_121)
    for _ in 0..<3000 {
      guard let certificate = try? Certificate(der: dice.mutated(der)) else { continue }
      let texts = [certificate.subject, certificate.issuer, certificate.serial]
      for text in texts + certificate.dnsNames + certificate.ipAddresses {
        #expect(VisibleText.of(text) == text)
      }
      #expect(!certificate.spki.isEmpty)
      _ = (certificate.isSelfSigned, certificate.pem, try? certificate.publicKey)
    }
    for _ in 0..<500 {
      _ = try? Certificate.list(pem: dice.mutated(pem))
      _ = try? KeyMaterial.items(in: dice.mutated(pem))
      _ = try? KeyMaterial.items(in: dice.mutated(der))
    }
  }
}

private func time(_ text: String) throws -> Timestamp {
  let format = Date.ISO8601FormatStyle(dateTimeSeparator: .space)
  return Timestamp(Int64(try Date(text, strategy: format).timeIntervalSince1970))
}
