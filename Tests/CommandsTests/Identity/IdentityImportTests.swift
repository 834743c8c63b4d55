import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("identity import")
struct IdentityImportTests {
  @Test("stores a PEM file for the host of the profile, and says so")
  func pem() async throws {
    let program = try TestProgram([:])
    let fixture = try IdentityFixture()
    let file = try program.folder.write(fixture.pem, to: "alice.pem")
    let run = try await program.run("identity", "import", file)
    expect(
      run, .success,
      errors: """
        sdkctl: imported the identity 'api.test' (CN=alice) for api.test
        sdkctl: expires 2027-02-14T08:00:00Z, in 30 days

        """)
    let identity = try program.identity("api.test")
    #expect(identity.key == .pem(fixture.key.pem))
    #expect(identity.chain.leaf == fixture.certificate)
  }

  @Test("asks which key is meant if a file has several, and takes its alias or number")
  func keyAlias() async throws {
    let program = try TestProgram([:])
    let (alice, bob) = (try IdentityFixture("alice"), try IdentityFixture("bob"))
    let both = try program.folder.write(alice.pem + bob.pem, to: "both.pem")
    let run = try await program.run("identity", "import", both)
    expect(
      run, .usage,
      errors: """
        sdkctl: error: could not import the identity: there are 2 private keys: 1 (CN=alice), 2 (CN=bob)
        sdkctl: hint: choose one with --key-alias NAME

        """)
    for (alias, key) in [("1", alice.key), ("2", bob.key)] {
      let run = try await program.run(
        "identity", "import", both, "--key-alias", alias, "--name", "k\(alias)")
      #expect(run.status == .status(.success))
      #expect(try program.identity("k\(alias)").key == .pem(key.pem))
    }
    for alias in ["0", "3", "carol"] {
      let run = try await program.run("identity", "import", both, "--key-alias", alias)
      expect(
        run, .usage,
        errors: """
          sdkctl: error: could not import the identity: no private key has the alias '\(alias)'; \
          there are 1 (CN=alice), 2 (CN=bob)
          sdkctl: hint: choose one with --key-alias NAME

          """)
    }
    let keys = try program.folder.write(alice.key.pem + bob.key.pem, to: "keys.pem")
    let certificate = try program.folder.write(bob.certificate.pem, to: "bob.pem")
    let fitting = try await program.run(
      "-q", "identity", "import", certificate, "--key-file", keys, "--name", "fitting")
    expect(fitting, .success)
    #expect(try program.identity("fitting").key == .pem(bob.key.pem))
    let twice = try program.folder.write(alice.pem + alice.key.pem, to: "twice.pem")
    expect(try await program.run("-q", "identity", "import", twice, "--name", "twice"), .success)
  }

  @Test("encrypts the key under a passphrase, and never under the passcode")
  func passcodeVariable() async throws {
    let program = try TestProgram([:])
    let fixture = try IdentityFixture()
    let file = try program.folder.write(fixture.pem, to: "a.pem")
    let passphrase = try program.folder.write("secret\n", to: "passphrase")
    program.setVariable("SDKCTL_PASSCODE_FILE", passphrase)
    expect(try await program.run("-q", "identity", "import", file), .success)
    #expect(try !program.identity("api.test").key.isSealed)
    for words in [["import", file, "--replace"], ["csr", "b", "--dns", "b.test"]] {
      let run = try await program.run(["-q", "identity"] + words + ["--seal"])
      #expect(run.status == .status(.usage) && run.errors.contains("--passphrase-file"), "\(run)")
    }
  }

  @Test(
    "refuses a certificate for another key, and one that has expired; --allow-unusable accepts that one"
  )
  func unusable() async throws {
    let program = try TestProgram([:])
    let old = try IdentityFixture(lifetime: -60)
    let mixed = try program.folder.write(
      old.key.pem + IdentityFixture().certificate.pem, to: "mixed.pem")
    expect(
      try await program.run("identity", "import", mixed), .usage,
      errors: "sdkctl: error: could not import the identity: "
        + "no certificate is for the private key\n")
    let file = try program.folder.write(old.pem, to: "old.pem")
    expect(
      try await program.run("identity", "import", file), .usage,
      errors: "sdkctl: error: could not import the identity: "
        + "the certificate expired at 2027-01-15T07:59:00Z\n")
    let forced = try await program.run("identity", "import", file, "--allow-unusable")
    #expect(forced.status == .status(.success))
  }

  @Test("replaces an identity only with --replace")
  func replace() async throws {
    let program = try await TestProgram.withIdentities([("a", try IdentityFixture())])
    let other = try IdentityFixture("bob")
    let file = try program.folder.write(other.pem, to: "bob.pem")
    let words = ["identity", "import", file, "--name", "a"]
    expect(
      try await program.run(words), .usage,
      errors: "sdkctl: error: could not import the identity: "
        + "there is an identity of the name 'a'\n")
    #expect(try await program.run(words + ["--replace"]).status == .status(.success))
    #expect(try program.identity("a").chain.leaf == other.certificate)
  }

  @Test("seals the key under a passphrase that is typed twice or in a file")
  func seal() async throws {
    let program = try TestProgram([:])
    let file = try program.folder.write(try IdentityFixture().pem, to: "a.pem")
    program.terminal.connect(.input, .errors)
    program.terminal.type("one", "two")
    let run = try await program.run("identity", "import", file, "--seal")
    expect(
      run, .declined, errors: "sdkctl: error: could not set the passphrase: the two differ\n")
    let passphrase = try program.folder.write("secret\n", to: "passphrase")
    let sealed = try await program.run(
      "identity", "import", file, "--passphrase-file", passphrase)
    #expect(sealed.status == .status(.success))
    #expect(try program.identity("api.test").key.description == "sealed file")
  }

  @Test("warns if a token is bound to the certificate that it replaces")
  func boundToken() async throws {
    let program = try await TestProgram.withIdentities([("api.test", try IdentityFixture())])
    let thumbprint = try program.identity("api.test").chain.thumbprint
    let claims = #"{"cnf":{"x5t#S256":"\#(thumbprint)"}}"#
    func part(_ text: String) -> String { Base64.encode(Array(text.utf8), alphabet: .url) }
    try await program.store("\(part(#"{"alg":"ES256"}"#)).\(part(claims)).AAAA")
    let file = try program.folder.write(try IdentityFixture().pem, to: "b.pem")
    let run = try await program.run("-q", "identity", "import", file, "--replace")
    expect(
      run, .success,
      errors: """
        sdkctl: warning: the access token of the slot user is bound to the former certificate
        sdkctl: hint: sdkctl -p work login

        """)
  }
}
