import CoreTestSupport

@testable import SDKCore

@Suite("Registering a client")
struct RegisterTests {
  private static let file = "state/profiles/work/registration.json"
  private static let url = "https://id.test/register"

  @Test("with a key keeps it private and on disk, and registers its public half")
  func key() async throws {
    let world = try World()
    world.transport.respond(Self.url, .json(#"{"client_id":"new"}"#, status: 201))
    let options = RegistrationOptions(method: .privateKeyJWT)
    let registration = try await world.session().registration.register(options)
    let key = try #require(registration.key)
    #expect(key.algorithm == .es256)
    #expect(try await world.session().registration.current() == registration)
    #expect(
      try await world.session().registration.current()?.authentication.method == .privateKeyJWT)
    #expect(try world.folder.mode(of: Self.file) == 0o600)
    let body = try #require(world.transport.sent.last).body
    #expect(try JSON(parsing: body)["jwks"] == ["keys": [key.publicKey.json]])
    #expect(!body.contains("PRIVATE"))
    try world.folder.write(
      try world.folder.text(of: Self.file).replacing("BEGIN", with: "BEGUN"), to: Self.file)
    await expect(
      .invalidConfiguration,
      "could not read '\(world.folder.path)/\(Self.file)': 'key.pem' is not a key for ES256"
    ) { _ = try await world.session().registration.current() }
  }

  @Test("sends the name of the client, else that of the program, else none")
  func clientName() async throws {
    for (chosen, program, sent) in [
      ("mine", "tests", "mine"), (nil, "tests", "tests"), (nil, nil, nil),
    ] as [(String?, String?, String?)] {
      let world = try World()
      world.transport.respond(Self.url, .json(#"{"client_id":"a"}"#, status: 201))
      let options = RegistrationOptions(clientName: chosen)
      _ = try await world.session(programName: program).registration.register(options)
      let body = try JSON(parsing: try #require(world.transport.sent.last).body)
      #expect(body["client_name"]?.string == sent)
    }
  }

  @Test("asks for a loopback redirect URI with the profile's port, or one of the high ports")
  func redirectURI() async throws {
    for port in [8123, nil] as [Int64?] {
      let world = try World(["redirectPort": port.map { .int($0) } ?? .null])
      world.transport.respond(Self.url, .json(#"{"client_id":"a"}"#, status: 201))
      let registration = try await world.session().registration.register(RegistrationOptions())
      let uri = try #require(registration.redirectURIs.first)
      let text = try #require(uri.split(separator: ":").last?.split(separator: "/").first)
      let used = try #require(Int64(text))
      #expect(uri == "http://127.0.0.1:\(used)/callback")
      #expect(port == nil ? (61_000...65_535).contains(used) : used == port)
    }
  }

  @Test("at a server that asks to wait can be tried again", arguments: [408, 429, 503])
  func later(status: Int) async throws {
    let world = try World()
    world.transport.respond(Self.url, .status(status))
    let error = await expect(
      .network, "could not register at https://id.test: id.test returned \(status)"
    ) { _ = try await world.session().registration.register(RegistrationOptions()) }
    #expect(error?.isRetryable == true)
  }

  @Test("that fails leaves the former client, whose tokens are revoked and erased before")
  func failure() async throws {
    let world = try await World.registered()
    try await world.store("token")
    let before = try world.folder.files().filter { $0.key.hasPrefix("state/") }
    world.transport.respond(Self.url, .json(#"{"error":"invalid_token"}"#, status: 401))
    let error = await expect(
      .refused, "could not register at https://id.test: invalid_token"
    ) { _ = try await world.session().registration.register(RegistrationOptions()) }
    #expect(error?.serverError == "invalid_token")
    #expect(error?.resource == .deviceRegistrationFailure)
    let after = try world.folder.files().filter { $0.key.hasPrefix("state/") }
    let kept = before.filter {
      !$0.key.hasSuffix("/credentials/user.json") && !$0.key.hasSuffix(".lock")
    }
    #expect(after.filter { !$0.key.hasSuffix(".lock") } == kept)
  }
}
