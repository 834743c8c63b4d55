import CoreTestSupport

@testable import SDKCore

@Suite("The scope of a login")
struct LoginScopeTests {
  /// What is chosen and configured at a server that speaks OpenID Connect or not, and what is sent.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var chosen: String?
    var configured: String?
    var speaksOpenID = true
    var parameters: FormParameters = [:]
    let sent: String?
  }

  static let rows: [Row] = [
    Row(testDescription: "nothing is said", sent: "openid"),
    Row(testDescription: "nothing, and no OpenID Connect", speaksOpenID: false, sent: nil),
    Row(testDescription: "the profile's", configured: "a b", sent: "a b"),
    Row(
      testDescription: "the option before the profile's", chosen: "c", configured: "a", sent: "c"),
    Row(testDescription: "none by choice", chosen: "", configured: "a", sent: nil),
    Row(
      testDescription: "an acr implies openid", chosen: "a", parameters: ["acr_values": "gold"],
      sent: "openid a"),
    Row(
      testDescription: "an age implies openid", configured: "a", speaksOpenID: false,
      parameters: ["max_age": "0"], sent: "openid a"),
    Row(
      testDescription: "an acr with openid", chosen: "a openid", parameters: ["acr_values": "gold"],
      sent: "a openid"),
    Row(
      testDescription: "an acr without any scope", chosen: "", parameters: ["acr_values": "gold"],
      sent: "openid"),
  ]

  @Test(
    "is the option's, the profile's, or openid; what needs an ID token adds it", arguments: rows)
  func codeFlow(row: Row) async throws {
    let world = try await Self.world(row)
    let options = LoginOptions(scope: row.chosen, parameters: row.parameters)
    let flow = try await CodeFlow(
      world.session().login, options, redirectURI: "http://127.0.0.1:61000/callback")
    #expect(flow.request.query["scope"] == row.sent)
    #expect(flow.request.query["nonce"]?.isEmpty == false)
  }

  @Test("is the same on another device and for a grant", arguments: rows.prefix(5))
  func others(row: Row) async throws {
    let world = try await Self.world(row)
    let chosen = LoginOptions(scope: row.chosen)
    let session = try world.session()
    _ = try? await session.login.logIn(by: .device { _ in }, chosen)
    _ = try? await session.login.logIn(by: .grant(.assertion("x")), chosen)
    let bodies = world.transport.sent.filter { $0.method == "POST" }.map {
      FormParameters(encoded: $0.body)
    }
    #expect(bodies.count == 2)
    #expect(bodies.map { $0?["scope"] } == [row.sent, row.sent])
  }

  @Test(
    "is openid where the metadata tells in one of three ways that the server knows it",
    arguments: [
      (#""scopes_supported":["a","openid"]"#, true), (#""scopes_supported":["a"]"#, false),
      (#""subject_types_supported":["public"]"#, true),
      (#""id_token_signing_alg_values_supported":["RS256"]"#, true), (#""x":1"#, false),
    ])
  func openID(member: String, speaks: Bool) async throws {
    let world = try await World.registered()
    world.announce(member)
    let server = try await world.session().server.metadata()
    #expect(server.speaksOpenIDConnect == speaks)
  }

  @Test("with offline_access brings the consent that it needs, and leaves other prompts alone")
  func offlineAccess() async throws {
    let rows: [(scope: String, prompt: String?, sent: String?)] = [
      ("openid offline_access", nil, "consent"), ("openid", nil, nil),
      ("openid offline_access", "login", "login consent"),
      ("openid offline_access", "consent", "consent"), ("openid offline_access", "none", "none"),
      ("openid offline_access", "create", "create"),
    ]
    for row in rows {
      let world = try await Self.world(Self.rows[0])
      var options = LoginOptions()
      options.scope = row.scope
      options.parameters["prompt"] = row.prompt
      let flow = try await CodeFlow(
        world.session().login, options, redirectURI: "http://127.0.0.1:61000/callback")
      #expect(flow.request.query.values(of: "prompt") == [row.sent].compactMap { $0 })
    }
  }

  @Test("and the redirect URI are named if there is no response in time")
  func silence() async throws {
    for (scope, sent, signs) in [("", nil, false), ("a b", "a b", true)]
      as [(String, String?, Bool)]
    {
      let world = try await Self.world(Self.rows[1])
      try world.set("jar", to: .bool(signs))
      // What signs with HS256.
      try await world.register(
        ["client_secret": .string(String(repeating: "s", count: 32))], isConfidential: false)
      let chosen = LoginOptions(scope: scope, timeout: .zero)
      let error = await expect(
        .network, "could not log in: no response came from the browser in time"
      ) { _ = try await world.session().login.logIn(by: .browser { _ in }, chosen) }
      guard case .allowRequest(let redirectURI, let asked, let isSigned) = error?.remedy else {
        Issue.record("\(String(describing: error?.remedy))")
        continue
      }
      #expect(redirectURI.hasPrefix("http://127.0.0.1:") && redirectURI.hasSuffix("/callback"))
      #expect(asked == sent && isSigned == signs)
    }
  }

  private static func world(_ row: Row) async throws -> World {
    let world = try World(row.configured.map { ["scope": .string($0)] } ?? [:])
    try await world.register()
    if row.speaksOpenID {
      world.announce(#""scopes_supported":["openid","offline_access"]"#)
    }
    return world
  }
}
