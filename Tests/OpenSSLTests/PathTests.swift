import TestSupport

@testable import OpenSSL

@Suite(
  "Chains of client certificates",
  .enabled(if: Program.isExpected("openssl"), "needs the openssl program"))
struct PathTests {
  /// A root, an intermediate authority, a client and a server; and another root, with the key of the
  /// intermediate authority.
  static let script = """
    req() { openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $1.key \
      -out $1.csr -subj /CN=$1; }
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout root.key \
      -out root.pem -subj /CN=root -days 99
    req middle; req client; req server
    openssl req -x509 -new -key middle.key -out other.pem -subj /CN=other -days 99
    echo basicConstraints=critical,CA:TRUE > ca.ext
    echo extendedKeyUsage=clientAuth > client.ext
    echo extendedKeyUsage=serverAuth > server.ext
    openssl x509 -req -in middle.csr -CA root.pem -CAkey root.key -extfile ca.ext -days 99 \
      -out middle.pem -CAcreateserial
    for n in client server; do openssl x509 -req -in $n.csr -CA middle.pem -CAkey middle.key \
      -extfile $n.ext -days 9 -out $n.pem -CAcreateserial; done
    """

  @Test("are sorted from any order, without unrelated certificates")
  func order() throws {
    let tool = try ForeignTool()
    try tool.run(Self.script)
    func certificates(_ names: String...) throws -> [Certificate] {
      try names.flatMap { try Certificate.list(pem: try tool.read("\($0).pem")) }
    }
    let key = try PrivateKey(pem: try tool.read("client.key")).publicKey
    let chain = try certificates("client", "middle", "root")
    for mixed in [
      try certificates("root", "other", "middle", "client"),
      try certificates("middle", "client", "root", "client"), chain,
    ] { #expect(CertificatePath.ordered(from: mixed, for: key) == chain) }
    #expect(
      CertificatePath.ordered(from: try certificates("client", "root"), for: key)
        == (try certificates("client")))
    #expect(CertificatePath.ordered(from: try certificates("root", "middle"), for: key) == nil)
    #expect(chain[0].isForClients)
    #expect(try certificates("server")[0].isForClients == false)
    #expect(chain[0].isIssued(byAnyOf: [CertificateName.subject(ofDER: chain[1].der)]))
    #expect(!chain[0].isIssued(byAnyOf: [CertificateName.subject(ofDER: chain[2].der)]))
  }

  @Test("are read from PKCS #7, and from nothing else that is DER")
  func messages() throws {
    let tool = try ForeignTool()
    try tool.run(Self.script)
    try tool.run(
      "openssl crl2pkcs7 -nocrl -certfile client.pem -certfile middle.pem -outform DER -out p7")
    let der = try tool.read("p7")
    let names = try Certificate.list(pkcs7: der).map(\.commonName)
    #expect(names == ["client", "middle"])
    try tool.run("openssl crl2pkcs7 -nocrl -outform DER -out empty")
    try tool.run(
      "openssl smime -encrypt -in ca.ext -aes128 -outform DER -out sealed client.pem || cp empty sealed"
    )
    for bytes in [
      [], Array(der.dropLast()), der + [0], [0x30, 0x03, 0x02, 0x01, 0x01],
      try tool.read("empty"), try tool.read("sealed"),
    ] { #expect(throws: CryptoError.self) { try Certificate.list(pkcs7: bytes) } }
  }
}
