import TestSupport

@testable import OpenSSL

@Suite(.enabled(if: Program.isExpected("openssl"), "needs the openssl program"))
struct ForeignSignatureTests {
  private static let pss = "-pkeyopt rsa_padding_mode:pss -pkeyopt rsa_pss_saltlen"
  private static let table: [(KeyKind, SignatureAlgorithm, String)] = [
    (.rsa(bits: 2048), .rsaPKCS1(.sha256), "-rawin -digest sha256"),
    (.rsa(bits: 3072), .rsaPKCS1(.sha384), "-rawin -digest sha384"),
    (.rsa(bits: 2048), .rsaPSS(.sha256), "-rawin -digest sha256 \(pss):32"),
    (.rsa(bits: 2048), .rsaPSS(.sha512), "-rawin -digest sha512 \(pss):64"),
    (.ec(.p256), .ecdsa(.sha256), "-rawin -digest sha256"),
    (.ec(.p384), .ecdsa(.sha384), "-rawin -digest sha384"),
    (.ec(.p521), .ecdsa(.sha512), "-rawin -digest sha512"),
    (.ed25519, .eddsa, "-rawin"), (.ed448, .eddsa, "-rawin"),
  ]

  @Test("openssl verifies what is signed here, and the other way round", arguments: table)
  func exchange(kind: KeyKind, algorithm: SignatureAlgorithm, options: String) throws {
    let tool = try ForeignTool()
    let key = try PrivateKey.generate(kind)
    let message = Array("message of \(kind)".utf8)
    try tool.write("key", Array(key.pem.utf8))
    try tool.write("message", message)
    try tool.write("ours", key.sign(message, algorithm))
    try tool.run("openssl pkeyutl -verify -inkey key -in message -sigfile ours \(options)")
    try tool.run("openssl pkeyutl -sign -inkey key -in message -out theirs \(options)")
    #expect(try key.publicKey.verify(signature: tool.read("theirs"), message: message, algorithm))
  }

  @Test("a PSS salt of another length than the digest is refused", arguments: [0, 20, 31, 33, 64])
  func salt(byteCount: Int) throws {
    let tool = try ForeignTool()
    let key = try PrivateKey.generate(.rsa(bits: 2048))
    try tool.write("key", Array(key.pem.utf8))
    try tool.write("message", [1, 2, 3])
    try tool.run(
      "openssl pkeyutl -sign -inkey key -in message -out theirs -rawin -digest sha256 "
        + "\(Self.pss):\(byteCount)")
    let signature = try tool.read("theirs")
    #expect(try !key.publicKey.verify(signature: signature, message: [1, 2, 3], .rsaPSS(.sha256)))
  }

  @Test("openssl decrypts what is encrypted here, and the other way round", arguments: [1, 256])
  func encryption(bits: Int) throws {
    let tool = try ForeignTool()
    let digest = bits == 1 ? DigestAlgorithm.sha1 : .sha256
    let options =
      "-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha\(bits) "
      + "-pkeyopt rsa_mgf1_md:sha\(bits)"
    let key = try PrivateKey.generate(.rsa(bits: 2048))
    try tool.write("key", Array(key.pem.utf8))
    try tool.write("ours", key.publicKey.encryptOAEP(Array("secret".utf8), digest))
    #expect(try tool.run("openssl pkeyutl -decrypt -inkey key -in ours \(options)") == "secret")
    try tool.run("printf secret | openssl pkeyutl -encrypt -inkey key -out theirs \(options)")
    #expect(try key.decryptOAEP(tool.read("theirs"), digest) == Array("secret".utf8))
  }
}
