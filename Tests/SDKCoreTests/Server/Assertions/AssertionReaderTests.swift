import CoreTestSupport

@testable import SDKCore

@Suite("Assertions of other issuers")
struct AssertionReaderTests {
  /// What a job of GitHub Actions gets: the URL has a query already.
  private static let requestURL =
    "https://run.actions.test/idtoken/1/2?api-version=2.0"
  private static let job = [
    "ACTIONS_ID_TOKEN_REQUEST_URL": requestURL, "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "job-secret",
  ]

  private static func token(
    audience: JSON = "api", lifetime: Int64 = 300
  ) throws -> String {
    let claims: JSON = [
      "iss": "https://ci.test", "sub": "repo:o/r", "aud": audience,
      "exp": .time(World.now + lifetime),
    ]
    return try SigningKey.generate(.es256).sign(
      header: [:], payload: Array(claims.serialized().utf8))
  }

  private static func read(
    _ source: AssertionSource, in world: World, _ variables: [String: String] = [:]
  ) async throws(SDKError) -> String {
    let environment: SessionEnvironment
    do { environment = try world.session().login.environment } catch {
      throw SDKError(.unavailable, "\(error)")
    }
    var variables = variables
    variables["PATH"] = "\(world.folder.file("bin")):/usr/bin:/bin"
    return try await AssertionReader(
      environment: environment, variables: Environment(variables)
    ).assertion(from: source)
  }

  /// A program that prints the text, and writes its arguments to the file `arguments`.
  private static func add(_ program: String, printing text: String, in world: World) throws {
    let arguments = world.folder.file("arguments")
    _ = try world.folder.write(
      "#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(arguments)'\necho '\(text)'\n", to: "bin/\(program)",
      mode: 0o755)
  }

  @Test("are read from a file at each use, which others may be able to read")
  func file() async throws {
    let world = try World()
    for _ in 1...2 {
      let token = try Self.token()
      let path = try world.folder.write(token + "\n", to: "token", mode: 0o644)
      #expect(try await Self.read(.file(path), in: world) == token)
    }
  }

  @Test("are printed by a command, which no shell reads")
  func command() async throws {
    let world = try World()
    let token = try Self.token()
    try Self.add("issue", printing: token, in: world)
    #expect(try await Self.read(.command("issue 'a b' ;x"), in: world) == token)
    #expect(try world.folder.text(of: "arguments") == "a b\n;x\n")
  }

  @Test(
    "are refused if they cannot be one",
    arguments: [
      ("", false), ("a\nb", false), ("secret", true), ("a.b.c", true),
    ])
  func unusable(text: String, isLine: Bool) async throws {
    let world = try World()
    let path = try world.folder.write(text, to: "token")
    let error = await #expect(throws: SDKError.self) {
      _ = try await Self.read(.file(path), in: world)
    }
    #expect(
      error?.message
        == (isLine
          ? "could not get the assertion of the file '\(path)': it is not a JWT"
          : "could not use the assertion: it is empty or not one line of text"))
  }

  @Test("that have expired are not sent")
  func expired() async throws {
    let world = try World()
    let path = try world.folder.write(try Self.token(lifetime: 0), to: "token")
    await expect(
      .localData, "could not get the assertion of the file '\(path)': it expired at \(World.now)"
    ) { _ = try await Self.read(.file(path), in: world) }
  }

  @Test("of commands that fail are not there")
  func failingCommand() async throws {
    let world = try World()
    await expect(.refused, "could not get the assertion of the command: 'false' exited with 1") {
      _ = try await Self.read(.command("false"), in: world)
    }
    await expect(
      .invalidConfiguration, "could not get the assertion of the command: 'none' is not a program"
    ) { _ = try await Self.read(.command("none"), in: world) }
    await #expect(throws: SDKError.self) { _ = try await Self.read(.command("'x"), in: world) }
  }

  @Test("of GitHub Actions are requested with the token of the job")
  func github() async throws {
    let world = try World()
    let token = try Self.token()
    for (audience, url) in [
      (nil, Self.requestURL), ("api://x y", Self.requestURL + "&audience=api%3A%2F%2Fx%20y"),
    ] as [(String?, String)] {
      world.transport.forget()
      world.transport.respond(url, .json(#"{"count":1,"value":"\#(token)"}"#))
      let read = try await Self.read(.job(.github, audience: audience), in: world, Self.job)
      #expect(read == token)
      #expect(world.transport.lines == ["GET \(url)"])
      #expect(world.transport.sent[0].fields["Authorization"] == "Bearer job-secret")
    }
  }

  @Test(
    "of GitHub Actions fail without the permission, over http, and for other responses",
    arguments: [
      (
        [:],
        "ACTIONS_ID_TOKEN_REQUEST_URL is not set: the job needs the permission "
          + "'id-token: write'"
      ),
      (
        [
          "ACTIONS_ID_TOKEN_REQUEST_URL": "http://run.test/", "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "s",
        ],
        "ACTIONS_ID_TOKEN_REQUEST_URL is not an https URL"
      ), (Self.job, "run.actions.test returned no 'value'"),
    ] as [([String: String], String)])
  func githubFailures(variables: [String: String], cause: String) async throws {
    let world = try World()
    for body in ["{}", #"{"value":""}"#, #"{"value":1}"#] {
      world.transport.respond(Self.requestURL, .json(body))
      let error = await #expect(throws: SDKError.self) {
        _ = try await Self.read(.job(.github, audience: nil), in: world, variables)
      }
      #expect(error?.message == "could not get the assertion of the job (github): \(cause)")
      #expect(error?.message.contains("job-secret") == false)
    }
  }

  @Test("of GitLab are in a variable, for the audience of the job")
  func gitlab() async throws {
    let world = try World()
    let token = try Self.token(audience: ["api", "other"])
    let variables = ["SDKCTL_ID_TOKEN": token]
    for audience in [nil, "api", "other"] as [String?] {
      #expect(try await Self.read(.job(.gitlab, audience: audience), in: world, variables) == token)
    }
    await expect(
      .localData,
      "could not get the assertion of the job (gitlab): it is not for 'x'; 'aud' of the job says "
        + "for whom it is"
    ) { _ = try await Self.read(.job(.gitlab, audience: "x"), in: world, variables) }
    for variables in [[:], ["SDKCTL_ID_TOKEN": ""]] {
      await expect(.invalidConfiguration) {
        _ = try await Self.read(.job(.gitlab, audience: nil), in: world, variables)
      }
    }
  }

  @Test("of CircleCI are in variables, or made by its program for an audience")
  func circleci() async throws {
    let world = try World()
    let (one, two, own) = (try Self.token(), try Self.token(), try Self.token())
    let source = AssertionSource.job(.circleci, audience: nil)
    #expect(try await Self.read(source, in: world, ["CIRCLE_OIDC_TOKEN": one]) == one)
    let both = ["CIRCLE_OIDC_TOKEN": one, "CIRCLE_OIDC_TOKEN_V2": two]
    #expect(try await Self.read(source, in: world, both) == two)
    try Self.add("circleci", printing: own, in: world)
    #expect(try await Self.read(.job(.circleci, audience: "a\"b"), in: world, both) == own)
    #expect(
      try world.folder.text(of: "arguments") == "run\noidc\nget\n--claims\n{\"aud\":\"a\\\"b\"}\n")
  }

  @Test("of Buildkite are made by its agent")
  func buildkite() async throws {
    let world = try World()
    let token = try Self.token()
    try Self.add("buildkite-agent", printing: token, in: world)
    #expect(try await Self.read(.job(.buildkite, audience: nil), in: world) == token)
    #expect(try world.folder.text(of: "arguments") == "oidc\nrequest-token\n")
    _ = try await Self.read(.job(.buildkite, audience: "api"), in: world)
    #expect(try world.folder.text(of: "arguments") == "oidc\nrequest-token\n--audience\napi\n")
  }

  @Test(
    "have sources that are stored",
    arguments: [
      AssertionSource.file("/a"), .command("a b"), .job(.github, audience: nil),
      .job(.buildkite, audience: "x"),
    ])
  func stored(source: AssertionSource) {
    #expect(AssertionSource(stored: source.stored) == source)
    #expect(AssertionSource(stored: ["from": "other"]) == nil)
  }

  @Test("authenticate a client, read again for each request")
  func client() async throws {
    let world = try World(["anonymousScope": "a"])
    let path = try world.folder.write(try Self.token(), to: "token")
    var client = ExistingClient(clientID: "app", method: .foreignAssertion)
    client.assertionSource = .file(path)
    let registration = try await world.session().registration.use(existing: client)
    #expect(registration.isConfidential)
    #expect(registration.authenticationMethod == .foreignAssertion)
    world.grant("a1", ["expires_in": 60])
    for count in 1...2 {
      let token = try Self.token()
      _ = try world.folder.write(token, to: "token")
      _ = try await world.session().tokens.valid(for: .anonymous, TokenDemand(forceNew: true))
      let sent = world.transport.sent.filter { $0.url == "https://id.test/token" }
      #expect(sent.count == count)
      let form = FormParameters(encoded: sent.last?.body ?? "")
      #expect(form?["client_assertion"] == token)
      #expect(
        form?["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
      #expect(form?["client_id"] == "app")
      #expect(form?["client_secret"] == nil)
      #expect(sent.last?.fields["Authorization"] == nil)
    }
    _ = try world.folder.write("", to: "token")
    await #expect(throws: SDKError.self) {
      _ = try await world.session().tokens.valid(for: .anonymous, TokenDemand(forceNew: true))
    }
    #expect(world.transport.sent.count { $0.url == "https://id.test/token" } == 2)
  }
}
