import HTTP
import JSON
import TestSupport
import Testing

@testable import Commands
@testable import SDKCore

@Suite("register")
struct RegisterTests {
  private static let registerURL = "https://id.test/register"

  /// The command lines, in one place.
  enum Line {
    static let register = ["register"]
    static let replace = ["register", "--replace"]
    static func given(_ id: String) -> [String] { ["register", "--client-id", id] }
  }

  private static func program(
    _ answer: FakeTransport.Response? = nil, _ settings: [String: JSON] = [:]
  ) throws -> TestProgram {
    let program = try TestProgram(settings)
    program.transport.respond(
      registerURL,
      answer
        ?? .json(
          #"{"client_id":"app","client_secret":"secret-1","client_secret_expires_at":0,"#
            + #""registration_client_uri":"https://id.test/register/app","#
            + #""registration_access_token":"rat-1","client_name":"here"}"#, status: 201))
    return program
  }

  private static func sent(_ program: TestProgram) throws -> JSON {
    try JSON(parsing: try #require(program.transport.sent.last).body)
  }

  @Test("prints the client id, keeps the credentials, and shows none")
  func registers() async throws {
    let program = try Self.program()
    let run = try await program.run(Line.register)
    expect(run, .success, output: "app\n", errors: "sdkctl: registered 'work'\n")
    #expect(program.transport.lines.last == "POST \(Self.registerURL)")
    expect(try await program.run("token", "-q"), .authenticationRequired, errors: Self.noLogin)
  }

  private static let noLogin = """
    sdkctl: error: could not use the user's token: nobody is logged in to 'work'
    sdkctl: hint: sdkctl -p work login

    """

  @Test("with --json prints what is known of the client, without a credential")
  func json() async throws {
    let run = try await Self.program().run(
      Line.register + ["--json", "--callback-port", "8976"])
    #expect(run.status == .status(.success))
    #expect(run.errors == "")
    #expect(
      run.json == [
        "profile": "work", "clientID": "app", "source": "dynamic",
        "redirectURIs": ["http://127.0.0.1:8976/callback"],
        "confidential": true, "authMethod": "client_secret_basic", "managed": true,
        "secretExpires": .null, "certificate": .null, "assertion": .null,
        "refusedGrants": [], "formerSteps": [], "metadata": .null,
      ])
    #expect(!run.output.contains("secret-1") && !run.output.contains("rat-1"))
  }

  @Test("does not replace a registration without --replace")
  func existing() async throws {
    let program = try Self.program()
    try await program.register()
    expect(
      try await program.run(Line.register), .configuration,
      errors: """
        sdkctl: error: could not register 'work': it is registered as app
        sdkctl: hint: sdkctl -p work register --replace

        """)
    #expect(program.transport.sent.isEmpty)
    expect(
      try await program.run(Line.replace), .success, output: "app\n",
      errors: """
        sdkctl: the former client: delete the registration: failed, could not delete the \
        registration: the server gave no access to the registration
        sdkctl: the former client: erase the stored registration: skipped, the server may still \
        hold it
        sdkctl: registered 'work'

        """)
  }

  @Test("takes a client that exists, with its secret from standard input or its key from a file")
  func given() async throws {
    let program = try Self.program()
    let run = try await program.run(
      Line.given("mine") + ["--client-secret-file", "-", "--json"], input: "s3cret\n")
    #expect(run.status == .status(.success))
    #expect(run.json?["clientID"] == "mine")
    #expect(run.json?["source"] == "given")
    #expect(run.json?["confidential"] == true)
    #expect(run.json?["managed"] == false)
    #expect(!run.output.contains("s3cret"))
    #expect(!program.transport.lines.contains("POST \(Self.registerURL)"))
    let bare = try await Self.program().run(Line.given("public") + ["--json"])
    #expect(bare.json?["authMethod"] == "none")
    #expect(bare.json?["confidential"] == false)
  }

  @Test("takes a private key that nobody else may read")
  func key() async throws {
    let program = try Self.program()
    let pem = """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgevZzL1gdAFr88hb2
      OF/2NxApJCzGCEDdfSp6VQO30hyhRANCAAQRWz+jn65BtOMvdyHKcvjBeBSDZH2r
      1RTwjmYSi9R/zpBnuQ4EiMnCqfMPWiZqB4QdbAd0E7oH50VpuZ1P087G
      -----END PRIVATE KEY-----

      """
    let key = try program.folder.write(pem, to: "key.pem")
    let run = try await program.run(
      Line.given("mine") + ["--client-key-file", key, "--json", "-q"])
    #expect(run.status == .status(.success))
    #expect(run.json?["authMethod"] == "private_key_jwt")
    let open = try program.folder.write(pem, to: "open.pem", mode: 0o644)
    let refused = try await program.run(
      Line.given("mine") + ["--replace", "--client-key-file", open])
    #expect(refused.status == .status(.configuration))
    #expect(refused.errors.hasPrefix("sdkctl: error: could not read the client key: \(open): "))
    let other = try program.folder.write("no key", to: "other.pem")
    let broken = try await program.run(
      Line.given("mine") + ["--replace", "--client-key-file", other])
    #expect(broken.status == .status(.usage))
    #expect(broken.errors.hasPrefix("sdkctl: error: could not use the client key: "))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let answer: FakeTransport.Response
    let exit: ExitCode
    var testDescription: String { "\(exit)" }
  }

  @Test(
    "has an exit status for each kind of error, and stores nothing",
    arguments: [
      Row(
        answer: .json(#"{"error":"invalid_client_metadata"}"#, status: 400), exit: .refused),
      Row(answer: .status(401), exit: .refused), Row(answer: .status(503), exit: .network),
      Row(answer: .failure(.timeout, "timed out"), exit: .network),
      Row(answer: .json("{}", status: 201), exit: .failure),
      Row(answer: .failure(.notPinned, "no pins"), exit: .pin),
    ])
  func trouble(row: Row) async throws {
    let program = try Self.program(row.answer)
    let run = try await program.run(Line.register)
    #expect(run.status == .status(row.exit))
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("sdkctl: error: could not register "))
    #expect(try await program.run("logout", "--local").status == .status(.success))
    let state = try await program.run("profile", "show", "--json")
    #expect(state.json?["state"]?["registered"] == false)
  }

  @Test(
    "of a client that exists accepts the redirect URIs of the vendors' apps, with a note",
    arguments: [
      ("authapp://Default/Authcallback", true), ("oneginiexample://loginsuccess", true),
      ("https://app.test/cb", false), ("com.example.app:/cb", false),
    ])
  func vendors(uri: String, isOpen: Bool) async throws {
    let program = try Self.program()
    let run = try await program.run("register", "--client-id", "app", "--redirect-uri", uri)
    #expect(run.status == .status(.success), "\(run)")
    #expect(run.errors.contains("sdkctl: allow this redirect URI at the provider: \(uri)\n"))
    #expect(run.errors.contains("any program can claim the scheme") == isOpen)
    #expect(
      try await RegistrationStore(
        ProfileSecrets(location: program.store.location, profile: program.name)
      ).load()?.redirectURIs == [uri])
  }

  @Test("replaces a client that only the settings name")
  func settings() async throws {
    let program = try Self.program(nil, ["clientID": "named"])
    let run = try await program.run(Line.register)
    expect(run, .success, output: "app\n", errors: "sdkctl: registered 'work'\n")
  }
}
