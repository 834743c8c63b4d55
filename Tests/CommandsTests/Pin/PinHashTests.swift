import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("pin hash")
struct PinHashTests {
  private static let pin = TestChain.pin("a")
  /// A key whose pin openssl has computed.
  private static let key = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt
    6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==
    -----END PUBLIC KEY-----

    """

  @Test(
    "prints every notation of a pin as sha256/BASE64, without a profile",
    arguments: [
      pin.description, "sha256//\(pin.base64)", "pin-sha256=\"\(pin.base64)\"", pin.base64,
      Hex.encode(pin.sha256),
    ])
  func notations(text: String) async throws {
    expect(
      try await TestProgram().run("pin", "hash", text), .success,
      output: "\(Self.pin)\tpin\t-\t-\t\(text)\n")
  }

  @Test("prints the keys of files and of standard input")
  func files() async throws {
    let program = try TestProgram()
    let file = try program.folder.write(Self.key, to: "key.pem")
    let run = try await program.run("pin", "hash", file, "-", input: Self.key)
    #expect(run.status == .status(.success))
    let lines = run.output.split(separator: "\n").map { $0.split(separator: "\t") }
    #expect(lines.map { $0[1] } == ["public-key", "public-key"])
    #expect(lines[0][0] == lines[1][0])
    #expect(lines.map { $0[4] } == [file[...], "-"])
  }

  @Test("prints the validated path of a server, or the roles that are asked for")
  func server() async throws {
    let program = try TestProgram()
    program.trust("api.test")
    expect(
      try await program.run("pin", "hash", "https://api.test/x"), .success,
      output: """
        \(TestChain.pin("api.test leaf"))\tcertificate\tleaf\tCN=api.test leaf\thttps://api.test/x
        \(TestChain.pin("issuing"))\tcertificate\tintermediate\tCN=issuing\thttps://api.test/x
        \(TestChain.pin("root"))\tcertificate\troot\tCN=root\thttps://api.test/x

        """)
    expect(
      try await program.run("pin", "hash", "api.test", "--role", "root"), .success,
      output: "\(TestChain.pin("root"))\tcertificate\troot\tCN=root\tapi.test\n")
  }

  @Test("--json has the shape that the manual promises")
  func json() async throws {
    let program = try TestProgram()
    program.trust("api.test")
    let run = try await program.run(
      "pin", "hash", "api.test", "\(Self.pin)", "--role", "leaf", "--json")
    let leaf = TestChain.pin("api.test leaf")
    #expect(
      run.json == [
        [
          "source": "api.test", "kind": "certificate", "role": "leaf",
          "pin": .string("\(leaf)"), "hex": .string(Hex.encode(leaf.sha256)),
          "subject": "CN=api.test leaf", "keyType": .null, "notBefore": "2027-01-14T08:00:00Z",
          "expires": "2027-01-16T08:00:00Z", "certificateSHA256": .null,
        ],
        [
          "source": .string("\(Self.pin)"), "kind": "pin", "role": .null,
          "pin": .string("\(Self.pin)"), "hex": .string(Hex.encode(Self.pin.sha256)),
          "subject": .null, "keyType": .null, "notBefore": .null, "expires": .null,
          "certificateSHA256": .null,
        ],
      ])
  }

  @Test("a chain that is not trusted is an error with what was served")
  func untrusted() async throws {
    let program = try TestProgram()
    program.show(.success(.untrusted("api.test")), at: "api.test:443")
    expect(
      try await program.run("pin", "hash", "api.test"), .tls,
      errors: """
        sdkctl: error: could not take the pins of api.test: its chain is not trusted: \
        self-signed certificate
          served by api.test:
          \(TestChain.pin("api.test leaf"))  CN=api.test leaf, until 2027-01-16

        """)
  }

  @Test("a hash of the certificate is refused, and explained")
  func mistakes() async throws {
    let program = try TestProgram()
    program.show(.success(TestChain.hashed), at: "api.test:443")
    let hash = TestChain.pin("fingerprint")
    for words in [["hash", "\(hash)"], ["add", "\(hash)", "--host", "api.test", "--yes", "-q"]] {
      let other = try TestProgram([:])
      other.show(.success(TestChain.hashed), at: "api.test:443")
      expect(
        try await other.run(["pin"] + words + ["api.test"]), .usage,
        errors: """
          sdkctl: error: could not use a pin: \(hash) is not a pin: it is the SHA-256 of the whole \
          certificate CN=hashed; the pin is \(TestChain.pin("hashed"))

          """)
      #expect(try other.pinSets().isEmpty)
    }
    #expect(
      try await program.run("pin", "hash", "\(TestChain.pin("hashed"))", "api.test").status
        == .status(.success))
  }

  @Test("asks for the password of a PKCS #12 file")
  func password() async throws {
    let program = try TestProgram()
    let file = try program.folder.write(try IdentityFixture().pkcs12("secret"), to: "a.p12")
    let missing = try await program.run("pin", "hash", file)
    #expect(missing.status == .status(.usage))
    #expect(missing.errors.contains("--password-file"))
    program.terminal.connect(.input, .errors)
    program.terminal.type("secret")
    let run = try await program.run("pin", "hash", file)
    #expect(run.status == .status(.success))
    #expect(run.output.contains("\tcertificate\t-\tCN=alice\t\(file)\n"))
    #expect(program.terminal.prompts == ["Password of \(file): "])
    let count = program.terminal.prompts.count
    program.terminal.connect(.input, .errors)
    let wrong = try await program.run("pin", "hash", file, "--password-file", "-", input: "wrong\n")
    #expect(wrong.errors.contains("the password is wrong"), "\(wrong)")
    #expect(program.terminal.prompts.count == count)
    let given = try await program.run(
      "pin", "hash", file, "--password-file", "-", input: "secret\n")
    #expect(given.output == run.output)
  }
}
