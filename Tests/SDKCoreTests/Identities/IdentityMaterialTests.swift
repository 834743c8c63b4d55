import CoreTestSupport

@testable import SDKCore

@Suite("Files with identities")
struct IdentityMaterialTests {
  private static func pair() throws -> (key: PrivateKey, certificate: Certificate) {
    let key = try PrivateKey.generate(.ec(.p256))
    return (
      key,
      try Certificate.selfSigned(
        by: key, commonName: "alice", from: TestIdentity.now - 60,
        to: TestIdentity.now + 60)
    )
  }

  @Test("are read in every form")
  func forms() throws {
    let (key, certificate) = try Self.pair()
    let pkcs12 = try PKCS12.encode(key, certificate, password: "p", name: "a")
    let encrypted = try key.encryptedPEM(passphrase: "p")
    for (bytes, hasKey, count) in [
      (Array((certificate.pem + key.pem).utf8), true, 1),
      (Array(("text\n" + key.pem + certificate.pem).utf8), true, 1), (certificate.der, false, 1),
      (key.pkcs8, true, 0), (Array(certificate.pem.utf8), false, 1), (pkcs12, true, 1),
      (Array((encrypted + certificate.pem).utf8), true, 1),
    ] as [([UInt8], Bool, Int)] {
      let material = try IdentityMaterial(reading: bytes, password: "p")
      #expect(material.hasKey == hasKey)
      #expect(material.certificates.count == count)
    }
  }

  @Test("say what is missing or wrong")
  func refused() throws {
    let (key, certificate) = try Self.pair()
    let pkcs12 = try PKCS12.encode(key, certificate, password: "p", name: "a")
    let encrypted = Array(try key.encryptedPEM(passphrase: "p").utf8)
    for (bytes, password, code) in [
      (pkcs12, nil, .wrongPassword), (pkcs12, "x", .wrongPassword),
      (encrypted, nil, .wrongPassword),
      (encrypted, "x", .wrongPassword), ([], nil, .invalidRequest),
      ([0x30, 0x80], nil, .invalidRequest),
      (Array("-----BEGIN PKCS7-----\nMAMCAQE=\n-----END PKCS7-----\n".utf8), nil, .invalidRequest),
      (
        Array("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8), nil,
        .invalidRequest
      ),
      (
        Array("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n".utf8), nil,
        .invalidRequest
      ),
      (Array(String(repeating: certificate.pem, count: 257).utf8), nil, .invalidRequest),
    ] as [([UInt8], String?, SDKError.Code)] {
      let error = try #require(throws: SDKError.self) {
        try IdentityMaterial(reading: bytes, password: password)
      }
      #expect(error.code == code)
    }
  }

  @Test("with a certificate for another key, or two keys, are refused")
  func mismatch() throws {
    let (key, certificate) = try Self.pair()
    let (other, _) = try Self.pair()
    let material = IdentityMaterial(key: other, certificates: [certificate])
    let error = try #require(throws: SDKError.self) {
      try material.chain(for: try other.publicKey)
    }
    #expect(error.code == .invalidRequest)
    #expect(error.message == "no certificate is for the private key")
    let keyFile = IdentityMaterial(key: key, certificates: [])
    #expect(throws: SDKError.self) { try material.joined(with: keyFile) }
    #expect(throws: SDKError.self) { try keyFile.chain(for: try key.publicKey) }
  }

  @Test(
    "with a chain that is too long for servers are refused",
    .enabled(if: Program.isExpected("openssl"), "needs the openssl program"))
  func longChain() throws {
    let tool = try ForeignTool()
    try tool.run(
      """
      openssl genpkey -algorithm ED25519 -out key; openssl genpkey -algorithm ED25519 -out ca
      echo basicConstraints=critical,CA:TRUE > ext
      openssl req -x509 -key ca -out 0.pem -subj /CN=0 -days 9
      for n in $(seq 12); do
        openssl req -new -key ca -subj /CN=$n -out csr
        openssl x509 -req -in csr -CA $((n-1)).pem -CAkey ca -extfile ext -set_serial $n -days 9 \
          -out $n.pem
      done
      openssl req -new -key key -subj /CN=client -out csr
      openssl x509 -req -in csr -CA 12.pem -CAkey ca -set_serial 99 -days 9 -out long.pem
      openssl x509 -req -in csr -CA 8.pem -CAkey ca -set_serial 99 -days 9 -out short.pem
      cat key long.pem ?.pem 1?.pem > long; cat key ?.pem short.pem > short
      """)
    let short = try IdentityMaterial(reading: try tool.read("short"))
    let opened = try short.key
    let key = try #require(opened).publicKey
    #expect(try short.chain(for: key).certificates.count == 10)
    let long = try IdentityMaterial(reading: try tool.read("long"))
    let error = try #require(throws: SDKError.self) { try long.chain(for: key) }
    #expect(error.message == "the chain has more than 10 certificates")
  }
}
