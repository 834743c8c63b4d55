import TestSupport

@testable import OpenSSL

@Suite("Encrypted private keys")
struct EncryptedKeyTests {
  @Test("are decrypted only with their passphrase")
  func roundTrip() throws {
    let key = try PrivateKey.generate(.ec(.p384))
    let pem = Array(try key.encryptedPEM(passphrase: "right").utf8)
    #expect(try PrivateKey(pem: pem, passphrase: "right").pkcs8 == key.pkcs8)
    for (passphrase, kind) in [
      ("wrong", CryptoError.Kind.wrongPassword), (nil, .encryptedKey), ("", .wrongPassword),
    ] as [(String?, CryptoError.Kind)] {
      expect(kind) { try PrivateKey(pem: pem, passphrase: passphrase) }
    }
  }

  @Test("that are not encrypted need no passphrase, and ignore one")
  func plain() throws {
    let key = try PrivateKey.generate(.ed25519)
    for passphrase in [nil, "x"] {
      let read = try PrivateKey(pem: Array(key.pem.utf8), passphrase: passphrase)
      #expect(read.pkcs8 == key.pkcs8)
    }
  }

  @Test(
    "of openssl are read in both formats, and openssl reads ours",
    .enabled(if: Program.isExpected("openssl"), "needs the openssl program"),
    arguments: [
      "genrsa -aes128 -traditional", "genpkey -algorithm EC -pkeyopt group:P-256 -aes256",
    ])
  func foreign(command: String) throws {
    let tool = try ForeignTool()
    let password = command.hasPrefix("genpkey") ? "-pass" : "-passout"
    try tool.run("openssl \(command) \(password) pass:secret -out k")
    let pem = try tool.read("k")
    let key = try PrivateKey(pem: pem, passphrase: "secret")
    try tool.write("ours", Array(key.encryptedPEM(passphrase: "new").utf8))
    try tool.run("openssl pkey -in ours -passin pass:new -noout -check")
    try tool.run("openssl pkey -in ours -passin pass:new -pubout -out public")
    try tool.run("openssl pkey -in k -passin pass:secret -pubout -out expected")
    #expect(try tool.read("public") == tool.read("expected"))
  }
}
