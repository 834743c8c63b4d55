import TestSupport

@testable import OpenSSL

@Suite(.enabled(if: Program.isExpected("openssl"), "needs the openssl program"))
struct KeyMaterialTests {
  /// A directory with one file of each kind in which people keep a key.
  private static let made = Result {
    let tool = try ForeignTool()
    try tool.run(
      """
      openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out key.pem
      openssl req -x509 -key key.pem -subj /CN=c -days 1 -out cert.pem
      openssl x509 -in cert.pem -outform der -out cert.der
      openssl req -new -key key.pem -subj /CN=r -out csr.pem
      openssl req -in csr.pem -outform der -out csr.der
      openssl req -in csr.pem -newhdr -out newcsr.pem
      openssl pkey -in key.pem -pubout -out pub.pem
      openssl pkey -in key.pem -pubout -outform der -out pub.der
      openssl rsa -in key.pem -RSAPublicKey_out -out oldpub.pem
      openssl rsa -in key.pem -RSAPublicKey_out -outform der -out oldpub.der
      openssl pkey -in key.pem -outform der -out key.der
      openssl pkcs8 -topk8 -nocrypt -in key.pem -outform der -out pkcs8.der
      openssl rsa -in key.pem -traditional -out old.pem
      openssl rsa -in key.pem -traditional -outform der -out old.der
      openssl rsa -in key.pem -traditional -aes128 -passout pass:secret -out oldenc.pem
      openssl pkcs8 -topk8 -in key.pem -passout pass:secret -out enc.pem
      openssl pkcs8 -topk8 -in key.pem -passout pass:secret -outform der -out enc.der
      openssl x509 -in cert.pem -text > text.pem
      (echo 'some words'; cat cert.pem; echo; cat pub.pem) > several.pem
      cat cert.pem pub.pem | tr -d '\\n' > joined.pem
      cat cert.pem pub.pem | tr '\\n' ' ' > spaced.pem
      cat cert.pem pub.pem | awk '{printf "%s\\\\n", $0}' > variable.pem
      sed 's/^/  /' cert.pem > indented.pem
      (cat pub.pem; sed 's/^/  /' cert.pem) > mixed.pem
      (sed 's/^/# /' cert.pem; cat pub.pem) > comment.pem
      sed 's/$/\\r/' cert.pem | tr -d '\\n' > old-mac.pem
      openssl x509 -in cert.pem -trustout -addtrust clientAuth -out trusted.pem
      sed 's/$/\\r/' cert.pem > crlf.pem
      openssl pkey -in key.pem -pubout -outform der > spki
      """)
    return tool
  }

  @Test("the public key is found in every form of file")
  func forms() throws {
    let tool = try Self.made.get()
    let spki = try tool.read("spki")
    let table: [(file: String, labels: [String])] = [
      ("cert.pem", ["CN=c"]), ("cert.der", ["CN=c"]), ("text.pem", ["CN=c"]),
      ("crlf.pem", ["CN=c"]), ("csr.pem", ["CN=r"]), ("csr.der", ["CN=r"]),
      ("newcsr.pem", ["CN=r"]), ("pub.pem", ["public key"]), ("pub.der", ["public key"]),
      ("oldpub.pem", ["public key"]), ("oldpub.der", ["public key"]),
      ("key.pem", ["private key"]), ("key.der", ["private key"]), ("pkcs8.der", ["private key"]),
      ("old.pem", ["private key"]), ("old.der", ["private key"]),
      ("several.pem", ["CN=c", "public key"]), ("joined.pem", ["CN=c", "public key"]),
      ("spaced.pem", ["CN=c", "public key"]), ("variable.pem", ["CN=c", "public key"]),
      ("mixed.pem", ["public key", "CN=c"]), ("comment.pem", ["public key"]),
      ("indented.pem", ["CN=c"]), ("old-mac.pem", ["CN=c"]), ("trusted.pem", ["CN=c"]),
    ]
    for row in table {
      let found = try KeyMaterial.items(in: tool.read(row.file))
      #expect(found.map(\.label) == row.labels, "\(row.file)")
      #expect(found.allSatisfy { $0.spki == spki }, "\(row.file)")
    }
  }

  @Test("a text in UTF-16 is refused as such")
  func wide() throws {
    let tool = try Self.made.get()
    for form in ["UTF-16", "UTF-16LE", "UTF-16BE"] {
      try tool.run("iconv -f ASCII -t \(form) cert.pem > wide.pem")
      let error = #expect(throws: CryptoError.self, "\(form)") {
        try KeyMaterial.items(in: try tool.read("wide.pem"))
      }
      #expect(
        error?.description == "could not read the PEM text: it is in UTF-16; save it as UTF-8")
    }
  }

  @Test("a password opens encrypted keys and PKCS #12; without it, the error says so")
  func passwords() throws {
    let tool = try Self.made.get()
    try tool.run(
      """
      openssl pkcs12 -export -inkey key.pem -in cert.pem -passout pass:secret -out a.p12
      openssl pkcs12 -export -inkey key.pem -in cert.pem -passout pass: -out open.p12
      openssl pkcs12 -export -nokeys -in cert.pem -passout pass:secret -out trust.p12
      openssl pkcs12 -export -nocerts -inkey key.pem -passout pass:secret -out key.p12
      base64 a.p12 > base64.p12
      (echo -----BEGIN PKCS12-----; base64 -w64 a.p12; echo -----END PKCS12-----) > armour.p12
      """)
    let spki = try tool.read("spki")
    for file in [
      "enc.pem", "enc.der", "oldenc.pem", "a.p12", "base64.p12", "armour.p12", "trust.p12",
      "key.p12",
    ] {
      let bytes = try tool.read(file)
      let found = try KeyMaterial.items(in: bytes, password: "secret")
      #expect(found.map(\.spki) == [spki], "\(file)")
      expect(.wrongPassword) { try KeyMaterial.items(in: bytes, password: "other") }
      let isKey = file.contains("enc")
      let error = expect(isKey ? .encryptedKey : .wrongPassword) {
        try KeyMaterial.items(in: bytes)
      }
      #expect(error?.reasons == [isKey ? "the key is encrypted" : "it needs a password"], "\(file)")
    }
    #expect(try KeyMaterial.items(in: tool.read("open.p12")).map(\.label) == ["CN=c"])
  }

  @Test("all old algorithms of PKCS #12 and PKCS #8 are read if that is allowed, and only then")
  func legacy() throws {
    let tool = try Self.made.get()
    var files: [String] = []
    for name in ["RC4-128", "RC4-40", "RC2-128", "RC2-40"] {
      for part in ["certpbe", "keypbe"] {
        try tool.run(
          """
          openssl pkcs12 -export -legacy -\(part) PBE-SHA1-\(name) -inkey key.pem -in cert.pem \
            -passout pass:secret -out \(part)-\(name)
          """)
        files.append("\(part)-\(name)")
      }
    }
    for form in ["pem", "der"] {
      try tool.run(
        """
        openssl pkcs8 -topk8 -v1 PBE-MD5-DES -in key.pem -passout pass:secret -outform \(form) \
          -provider legacy -provider default -out md5.\(form)
        """)
      files.append("md5.\(form)")
    }
    let spki = try tool.read("spki")
    for file in files {
      let bytes = try tool.read(file)
      let error = #expect(throws: CryptoError.self, "\(file)") {
        try KeyMaterial.items(in: bytes, password: "secret")
      }
      #expect(error?.kind == .legacyAlgorithm, "\(file)")
      let wrong = #expect(throws: CryptoError.self, "\(file)") {
        try KeyMaterial.items(in: bytes, password: "other", allowsLegacy: true)
      }
      #expect(wrong?.kind == .wrongPassword, "\(file)")
      let found = try KeyMaterial.items(in: bytes, password: "secret", allowsLegacy: true)
      #expect(found.map(\.spki) == [spki], "\(file)")
      #expect(found.first?.privateKey != nil, "\(file)")
    }
  }

  @Test(
    "the keys of a PKCS #12 file of keytool have their aliases; its own key stores are named",
    .enabled(if: Program.isExpected("keytool"), "needs keytool"))
  func keyStores() throws {
    let tool = try ForeignTool()
    for store in ["PKCS12", "JKS", "JCEKS"] {
      for alias in ["alice", "bøb"] {
        try tool.run(
          """
          LC_ALL=C.UTF-8 keytool -genkeypair -alias \(alias) -keyalg EC -groupname secp256r1 -dname CN=\(alias) \
            -keystore \(store) -storetype \(store) -storepass secret -keypass secret 2>/dev/null
          """)
      }
    }
    let found = try KeyMaterial.items(in: tool.read("PKCS12"), password: "secret")
    #expect(found.map(\.name) == ["alice", "bøb"])
    for item in found {
      #expect(try item.privateKey?.publicKey.spki == item.spki)
      #expect(item.certificate?.spki == item.spki)
    }
    for store in ["JKS", "JCEKS"] {
      let bytes = try tool.read(store)
      let error = expect(.javaKeyStore) { try KeyMaterial.items(in: bytes, password: "secret") }
      #expect(error?.reasons == ["it is a Java key store (\(store))"])
    }
  }

  @Test("a PKCS #7 message gives the keys of all its certificates")
  func messages() throws {
    let tool = try Self.made.get()
    try tool.run(
      """
      openssl req -x509 -newkey ed25519 -nodes -keyout other.key -subj /CN=other -days 1 -out other.pem
      openssl crl2pkcs7 -nocrl -certfile cert.pem -certfile other.pem -out both.p7b
      openssl pkcs7 -in both.p7b -outform der -out both.p7c
      """)
    for file in ["both.p7b", "both.p7c"] {
      let found = try KeyMaterial.items(in: tool.read(file))
      #expect(found.map(\.label) == ["CN=c", "CN=other"], "\(file)")
      #expect(found.map(\.kind) == [.certificate, .certificate])
      #expect(found.first?.spki == (try tool.read("spki")))
    }
  }

  @Test(
    "a file without a key is refused",
    arguments: [
      "", "not a key", "\u{30}\u{03}", "-----BEGIN NOTHING-----\nAAAA\n-----END NOTHING-----\n",
      "-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----\n",
      "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
      "-----BEGIN PUBLIC KEY-----\n", "-----BEGIN ", " -----BEGIN A----- AA -----END A-----",
    ])
  func none(text: String) {
    #expect(throws: CryptoError.self) { try KeyMaterial.items(in: Array(text.utf8)) }
  }

  @Test("a curve of any name can be pinned from the file that openssl ecparam writes")
  func curves() throws {
    let tool = try ForeignTool()
    for curve in ["prime256v1", "secp384r1", "secp521r1", "secp256k1"] {
      try tool.run("openssl ecparam -name \(curve) -genkey -out k; openssl pkey -in k -pubout > p")
      let found = try KeyMaterial.items(in: tool.read("k"))
      #expect(found.map(\.label) == ["private key"])
      #expect(found.map(\.spki) == [try PEM.blocks(tool.read("p"))[0].bytes])
    }
  }
}
