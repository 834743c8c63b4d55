import CoreTestSupport

@testable import SDKCore

@Suite("Registering a user", .timeLimit(.minutes(10)))
struct BrowserChallengeTests {
  @Test("issues a challenge, and replaces the stored tokens by those of its response")
  func whole() async throws {
    let world = try await World.withScheme()
    try await world.store("old", refreshToken: "old")
    try await world.store("old-implicit", in: .implicit)
    let app = App(["com.example.app:/cb?code=c&state=STATE"])
    let client = UserClient(try world.session())
    let former = Mutex<String?>(nil)
    let result = try await client.registerUser(identityProvider: "house", scope: "a b") {
      (client, challenge) in
      let token = try? await client.token().accessToken
      former.withLock { $0 = token }
      await app.handle(challenge)
    }
    // The handler gets the client whose challenge it is.
    #expect(former.withLock { $0 } == "old")
    let seen = try #require(app.seen.first)
    #expect(app.seen.count == 1)
    #expect(seen.identityProvider == "house")
    #expect(seen.userID == .standard)
    #expect(try client.userID == .standard)
    #expect(seen.redirectURI == "com.example.app:/cb")
    #expect(seen.error == nil)
    #expect(app.asked["idp"] == "house")
    #expect(app.asked["scope"] == "a b")
    #expect(app.asked["redirect_uri"] == "com.example.app:/cb")
    #expect(app.asked["code_challenge_method"] == "S256")
    #expect(result.tokens.accessToken == "a1")
    #expect(try await world.stored() == result.tokens)
    #expect(try await world.stored(.implicit) == nil)
  }

  /// Answers that are none, what is wrong with them, and the vendors' number.
  @Test(
    "issues the challenge again with the error of a wrong response",
    arguments: [
      (
        "com.example.app:/cb?code=c&state=forged", 10002,
        "it belongs to another login (its state differs)"
      ),
      (
        "com.example.app:/cb?code=c", 10002,
        "it has no state, so it cannot be matched with this login"
      ),
      ("com.example.app:/cb?error=access_denied&state=x", 10002, nil),
      ("com.example.app:/cb?code=c&state=STATE&state=STATE", 10002, nil),
      (
        "com.example.app:/cbx?code=c&state=STATE", nil,
        "it leads elsewhere than the redirect URI, com.example.app:/cb"
      ),
      ("code=c&state=STATE", nil, nil),
      ("com.example.app:/cb?%zz=STATE", nil, "it is badly encoded"),
      ("", nil, nil),
    ] as [(String, Int?, String?)])
  func again(address: String, number: Int?, flaw: String?) async throws {
    let world = try await World.withScheme()
    let app = App([address, "com.example.app:/cb?code=c&state=STATE"])
    let result = try await UserClient(try world.session()).registerUser(handler: {
      await app.handle($1)
    })
    #expect(result.tokens.accessToken == "a1")
    #expect(app.seen.count == 2)
    #expect(app.seen.map(\.url) == [app.seen[0].url, app.seen[0].url])
    // Who asks first loses no attempt.
    let state = app.asked["state"] ?? ""
    #expect(!app.seen[0].isResponse(address.split(separator: "STATE").joined(separator: state)))
    #expect(app.seen[0].isResponse("com.example.app:/cb?code=c&state=\(state)"))
    #expect(app.seen[0].isResponse("com.example.app:/cb?error=access_denied&state=\(state)"))
    let error = try #require(app.seen[1].error)
    #expect(error.code == .untrusted)
    #expect(error.resource.number == number ?? 10_000)
    #expect(error.resource == (number == nil ? .unknown : .invalidState))
    if let flaw {
      #expect(
        error.message
          == "could not register the user: the address is not the response to this request: \(flaw)"
      )
    }
    #expect(world.transport.lines.filter { $0.hasSuffix("/token") }.count == 1)
  }

  @Test("ends after five wrong responses, with the number of a wrong state")
  func bounded() async throws {
    let world = try await World.withScheme()
    let app = App(Array(repeating: "com.example.app:/cb?code=c&state=x", count: 9))
    let client = UserClient(try world.session())
    let error = await expect(
      .untrusted,
      "could not register the user: the address is not the response to this request: it belongs to another login "
        + "(its state differs); the whole address is needed, beginning with com.example.app:/cb"
    ) { _ = try await client.registerUser(handler: { await app.handle($1) }) }
    #expect(error?.resource == ResourceError(.registration, "InvalidState", 10002))
    #expect(app.seen.count == 5)
    #expect(try await world.stored() == nil)
  }

  @Test("is cancelled by the handler, by the vendors' number 9006")
  func cancelled() async throws {
    let world = try await World.withScheme()
    let client = UserClient(try world.session())
    let error = await expect(.cancelled, "could not register the user: cancelled") {
      _ = try await client.registerUser { _, challenge in
        challenge.cancel()
        #expect(!challenge.respond(with: "com.example.app:/cb?code=c"))
      }
    }
    #expect(error?.resource == ResourceError(.generic, "ActionCancelled", 9006))
    #expect(try await world.stored() == nil)
  }

  @Test("is cancelled with its task, whatever the handler does")
  func cancelledTask() async throws {
    let world = try await World.withScheme()
    let session = try world.session()
    let (seen, waiting) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await UserClient(session).registerUser { _, _ in waiting.yield() }
    }
    for await _ in seen { break }
    task.cancel()
    await expect(.cancelled, "could not register the user: cancelled") { _ = try await task.value }
  }

  @Test("ends with its response, and cancels a handler that goes on")
  func handlerGoesOn() async throws {
    let world = try await World.withScheme()
    let app = App(["com.example.app:/cb?code=c&state=STATE"])
    let (ended, end) = AsyncStream.makeStream(of: Bool.self)
    let result = try await UserClient(try world.session()).registerUser { _, challenge in
      await app.handle(challenge)
      try? await Task.sleep(for: .seconds(600))
      end.yield(Task.isCancelled)
    }
    #expect(result.tokens.accessToken == "a1")
    for await isCancelled in ended {
      #expect(isCancelled)
      break
    }
  }

  @Test("ends when its time is over, whatever the handler does")
  func deafHandler() async throws {
    let world = try await World.withScheme()
    let options = LoginOptions(timeout: .milliseconds(10))
    let login = try world.session().login
    await expect(.network) {
      _ = try await login.logIn(
        by: .browser(at: .scheme) { _ in
          // A handler that does not notice that it is cancelled.
          await withUnsafeContinuation { (never: UnsafeContinuation<Void, Never>) in _ = never }
        }, options)
    }
  }

  @Test("is refused while another one is under way, by the vendors' number 9007")
  func second() async throws {
    let world = try await World.withScheme()
    let session = try world.session()
    let error = Mutex<SDKError?>(nil)
    _ = try? await UserClient(session).registerUser { _, challenge in
      do throws(SDKError) {
        _ = try await UserClient(session).registerUser { _, _ in }
      } catch let failure {
        error.withLock { $0 = failure }
      }
      challenge.cancel()
    }
    let failure = try #require(error.withLock { $0 })
    #expect(failure.code == .busy)
    #expect(failure.resource == ResourceError(.generic, "ActionAlreadyInProgress", 9007))
    #expect(
      failure.message
        == "could not register the user: a login or a registration is under way already")
  }

  @Test("knows the identity providers that the profile names, by the vendors' number 10020")
  func provider() async throws {
    let world = try await World.withScheme()
    try world.set("identityProviders", to: "house corporate")
    let client = UserClient(try world.session())
    let error = await expect(
      .invalidRequest, "could not register the user: 'work' has no identity provider 'hous'"
    ) { _ = try await client.registerUser(identityProvider: "hous") { _, _ in } }
    #expect(error?.resource == ResourceError(.registration, "InvalidIdentityProvider", 10020))
    #expect(world.transport.sent.isEmpty)
    let app = App(["com.example.app:/cb?code=c&state=STATE"])
    _ = try await client.registerUser(
      identityProvider: "corporate", handler: { await app.handle($1) })
    #expect(app.asked["idp"] == "corporate")
  }
}

/// A program that answers challenges by a script, in which STATE is the state of the challenge.
final class App: Sendable {
  private let state: Mutex<(script: [String], seen: [BrowserChallenge])>

  init(_ script: [String]) { state = Mutex((script, [])) }

  var seen: [BrowserChallenge] { state.withLock { $0.seen } }

  /// The parameters of the first challenge.
  var asked: FormParameters { FormParameters(encoded: seen.first?.url.query ?? "") ?? [:] }

  var handle: ChallengeHandler {
    { challenge in
      let text = self.state.withLock { state in
        state.seen.append(challenge)
        return state.script.isEmpty ? "" : state.script.removeFirst()
      }
      let parts = text.split(separator: "STATE", omittingEmptySubsequences: false)
      challenge.respond(with: parts.joined(separator: self.asked["state"] ?? ""))
    }
  }
}
