import CoreTestSupport

@testable import SDKCore

@Suite("Tokens of another program")
struct TakeOverTests {
  private static let userInfoURL = "https://id.test/userinfo"

  private static func world() async throws -> (World, IDTokenIssuer) {
    let world = try await World.registered()
    let issuer = try IDTokenIssuer()
    issuer.publish(in: world)
    return (world, issuer)
  }

  private static func tokens(_ text: String) throws(SDKError) -> ExistingTokens {
    try ExistingTokens(reading: Array(text.utf8))
  }

  private static func response(_ members: [String: String]) -> String {
    JSON.object(JSONObject(members.map { ($0.key, .string($0.value)) })).serialized()
  }

  @Test("a refresh token is refreshed once, and kept if the server sends no other one")
  func refreshToken() async throws {
    for (sent, kept) in [("r2", "r2"), (nil, "r1")] as [(String?, String)] {
      let (world, _) = try await Self.world()
      try await world.store("implicit", in: .implicit)
      world.transport.respond(World.tokenURL, .token("a2", refreshToken: sent))
      let options = LoginOptions(parameters: ["resource": "https://r.test"])
      let result = try await world.session().login.logIn(
        by: .existing(try Self.tokens(" r1\n")), options)
      let form = try #require(FormParameters(encoded: world.transport.sent.last?.body ?? ""))
      #expect(form["grant_type"] == "refresh_token")
      #expect(form["refresh_token"] == "r1")
      #expect(form["scope"] == nil)
      #expect(form.values(of: "resource") == ["https://r.test"])
      #expect(result.tokens.accessToken == "a2")
      #expect(result.tokens.refreshToken == kept)
      #expect(result.tokens.expires == World.now + 60)
      #expect(result.tokens.resources == ["https://r.test"])
      #expect(result.tokens.endpoints != nil)
      #expect(try await world.stored() == result.tokens)
      #expect(try await world.stored(.implicit) == nil)
    }
  }

  @Test("nothing is stored if the server refuses them")
  func refused() async throws {
    let (world, _) = try await Self.world()
    try await world.store("mine")
    world.transport.respond(World.tokenURL, .json(#"{"error":"invalid_grant"}"#, status: 400))
    await expect(.refused, "could not log in: invalid_grant") {
      _ = try await world.session().login.logIn(by: .existing(try Self.tokens("r1")))
    }
    world.transport.respond(Self.userInfoURL, .status(401))
    await expect(.refused) {
      _ = try await world.session().login.logIn(
        by: .existing(try Self.tokens(#"{"access_token":"a1","token_type":"bearer"}"#)))
    }
    #expect(try await world.stored()?.accessToken == "mine")
  }

  @Test("an ID token that has expired is kept, with its subject and the granted scope")
  func expiredIDToken() async throws {
    let (world, issuer) = try await Self.world()
    let idToken = try issuer.token(["iat": .time(World.now - 9000), "exp": .time(World.now - 5400)])
    world.grant("a2", ["refresh_token": "r2"])
    let given = Self.response([
      "access_token": "a1", "token_type": "Bearer", "refresh_token": "r1", "id_token": idToken,
      "scope": "openid a",
    ])
    let result = try await world.session().login.logIn(by: .existing(try Self.tokens(given)))
    #expect(result.subject == "alice")
    #expect(result.tokens.idToken == idToken)
    #expect(result.tokens.scope == "openid a")
    #expect(result.tokens.refreshToken == "r2")
  }

  @Test(
    "an ID token of another issuer, client, key or access token is refused before anything is sent",
    arguments: [
      ["iss": "https://evil.test"], ["aud": "other"], ["azp": "other"],
      ["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"],
    ] as [[String: JSON]])
  func wrongIDToken(changes: [String: JSON]) async throws {
    let (world, issuer) = try await Self.world()
    let idToken = try issuer.token(changes.mapValues { $0 })
    let given = Self.response([
      "access_token": "a1", "token_type": "Bearer", "refresh_token": "r1", "id_token": idToken,
    ])
    await expect(.untrusted) {
      _ = try await world.session().login.logIn(by: .existing(try Self.tokens(given)))
    }
    #expect(!world.transport.sent.contains { $0.url == World.tokenURL })
    #expect(try await world.stored() == nil)
  }

  @Test("the refresh must be of the same user, and its ID token valid")
  func otherUser() async throws {
    for changes in [["sub": "bob"], ["exp": .time(World.now - 120)]] as [[String: JSON]] {
      let (world, issuer) = try await Self.world()
      let fresh = try issuer.token(changes.mapValues { $0 })
      world.grant("a2", ["id_token": .string(fresh)])
      let given = Self.response(["refresh_token": "r1", "id_token": try issuer.token()])
      await expect(.untrusted) {
        _ = try await world.session().login.logIn(by: .existing(try Self.tokens(given)))
      }
      #expect(try await world.stored() == nil)
    }
  }

  @Test("an access token alone is used at the userinfo endpoint, which names the user")
  func accessToken() async throws {
    let (world, issuer) = try await Self.world()
    world.transport.respond(Self.userInfoURL, .json(#"{"sub":"alice"}"#))
    let given = #"{"access_token":"a1","token_type":"bearer","expires_in":"60"}"#
    let result = try await world.session().login.logIn(by: .existing(try Self.tokens(given)))
    #expect(world.transport.sent.last?.fields["Authorization"] == "Bearer a1")
    #expect(result.subject == "alice")
    #expect(result.tokens.expires == World.now + 60)
    #expect(try await world.stored() == result.tokens)
    let other = Self.response([
      "access_token": "a3", "id_token": try issuer.token(["sub": "bob"]),
    ])
    await expect(.untrusted) {
      _ = try await world.session().login.logIn(by: .existing(try Self.tokens(other)))
    }
    #expect(try await world.stored()?.accessToken == "a1")
  }

  @Test("the claims of an access token say when it expires, and for which client it is")
  func claims() async throws {
    let (world, issuer) = try await Self.world()
    world.transport.respond(Self.userInfoURL, .json(#"{"sub":"alice"}"#))
    for (client, isOwn) in [("app", true), ("other", false)] {
      for claim in ["client_id", "azp"] {
        let text = try issuer.token([claim: .string(client), "exp": .time(World.now + 5)])
        let given = try Self.tokens(
          JSON.object(["access_token": .string(text), "expires_in": 600]).serialized())
        do {
          let result = try await world.session().login.logIn(by: .existing(given))
          #expect(isOwn)
          #expect(result.tokens.expires == World.now + 5)
        } catch {
          #expect(!isOwn)
          #expect((error as? SDKError)?.code == .untrusted)
        }
      }
    }
  }

  @Test(
    "what is no token response and no refresh token is refused",
    arguments: [
      ("", "could not use the refresh token: it is empty or not one line of text"),
      ("a b", "could not use the tokens: it is neither a token response nor a refresh token"),
      ("{", "could not use the tokens: the token response is not JSON: "),
      (
        "{}",
        "could not use the tokens: the token response has neither a refresh token nor an access token"
      ),
      (
        #"{"access_token":5}"#,
        "could not use the tokens: 'access_token' of the token response is not a token"
      ),
      (
        #"{"refresh_token":"a\nb"}"#,
        "could not use the tokens: 'refresh_token' of the token response is not a token"
      ),
      (
        #"{"access_token":"a","token_type":"DPoP"}"#,
        "could not use the tokens: a token of the type 'DPoP' is bound to a key of the other program"
      ),
    ])
  func malformed(text: String, message: String) async throws {
    let error = await expect(.invalidRequest) { try Self.tokens(text) }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }

  @Test("are absent where the response has null or nothing", arguments: ["null", #""""#])
  func absent(value: String) throws {
    let tokens = try Self.tokens(
      #"{"access_token":\#(value),"refresh_token":"r1","id_token":\#(value)}"#)
    #expect(tokens.accessToken == nil && tokens.refreshToken == "r1" && tokens.idToken == nil)
  }

  @Test("do not show themselves")
  func redacted() throws {
    let given = try Self.tokens("secret-token")
    var dumped = ""
    dump(given, to: &dumped)
    #expect(!"\(given)\(dumped)".contains("secret-token"))
  }
}
