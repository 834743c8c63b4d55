import CoreTestSupport

@testable import SDKCore

@Suite("A login by hand")
struct ManualLoginTests {
  @Test("needs no listener, and takes the registered redirect URI as it stands")
  func whole() async throws {
    let world = try await Self.world(redirectURI: "https://app.test/cb")
    let person = Person(["https://app.test/cb?code=c&state=STATE"])
    let result = try await world.session().login.logIn(by: person.way)
    #expect(person.asked["redirect_uri"] == "https://app.test/cb")
    #expect(person.complaints == [nil])
    #expect(result.tokens.accessToken == "a1")
    #expect(!result.isShared)
    #expect(try await world.stored() == result.tokens)
    let body = try #require(FormParameters(encoded: world.transport.sent.last?.body ?? ""))
    #expect(body["code"] == "c")
    #expect(body["redirect_uri"] == "https://app.test/cb")
  }

  @Test(
    "sends the browser to an address of this machine when none is registered",
    arguments: [(nil, "61000"), (8976, "8976")] as [(Int64?, String)])
  func unregistered(port: Int64?, expected: String) async throws {
    let world = try await Self.world(redirectURI: nil)
    if let port { try world.set("redirectPort", to: .int(port)) }
    let person = Person(["code=c&state=STATE"])
    _ = try await world.session().login.logIn(by: person.way)
    #expect(person.asked["redirect_uri"] == "http://127.0.0.1:\(expected)/callback")
  }

  @Test("says that the login was accepted if only the token endpoint fails")
  func failingTokenEndpoint() async throws {
    let world = try await Self.world()
    world.transport.respond("https://id.test/token", .status(500))
    let person = Person(["x?code=c&state=STATE"])
    let error = await expect(
      .network,
      "could not log in: the login was accepted and gave a code, but the token endpoint failed: "
        + "id.test returned 500"
    ) { _ = try await world.session().login.logIn(by: person.way) }
    #expect(error?.isRetryable == true)
  }

  @Test("says only why the token endpoint refuses the code")
  func refusedCode() async throws {
    let world = try await Self.world()
    world.transport.respond(World.tokenURL, .json(#"{"error":"invalid_grant"}"#, status: 400))
    let person = Person(["x?code=c&state=STATE"])
    await expect(.refused, "could not log in: invalid_grant") {
      _ = try await world.session().login.logIn(by: person.way)
    }
  }

  @Test("asks again with the reason, three times at most")
  func again() async throws {
    let world = try await Self.world()
    let person = Person(["c", "x?code=c&state=y", "%", "x?code=c&state=STATE"])
    let options = LoginOptions(attempts: 3)
    let message =
      "could not log in: the address is not the response to this request: it is badly encoded; the whole "
      + "address is needed, beginning with http://127.0.0.1:61000/cb"
    await expect(.untrusted, message) {
      _ = try await world.session().login.logIn(by: person.way, options)
    }
    #expect(
      person.complaints == [
        nil, "it has no state, so it cannot be matched with this login",
        "it belongs to another login (its state differs)",
      ])
    #expect(world.transport.lines == ["GET \(World.metadataURL)"])
    #expect(try await world.stored() == nil)
  }

  @Test(
    "accepts an address without its scheme, and refuses one of another host or path",
    arguments: [
      ("127.0.0.1:61000/cb?code=c&state=STATE", nil),
      ("  http://127.0.0.1:61000/cb?code=c&\nstate=STATE\n", nil),
      (
        "127.0.0.1:61000/cb?state=STATE",
        "it has neither code nor error; it seems to be cut off"
      ),
      (
        "https://evil.test/cb?code=c&state=STATE",
        "it leads elsewhere than the redirect URI, http://127.0.0.1:61000/cb"
      ),
    ] as [(String, String?)])
  func places(text: String, complaint: String?) async throws {
    let world = try await Self.world()
    let options = LoginOptions(attempts: 2)
    let person = Person([text, "code=c&state=STATE"])
    _ = try await world.session().login.logIn(by: person.way, options)
    #expect(person.complaints == (complaint == nil ? [nil] : [nil, complaint]))
  }

  @Test("ends when the time is over, and does not ask again")
  func late() async throws {
    let world = try await Self.world()
    let over = Mutex(false)
    let session = try world.session(limits: SessionLimits(.milliseconds(20)))
    await expect(.network, "could not log in: nothing was pasted in time") {
      _ = try await session.login.logIn(
        by: .pasted(present: { _ in }) { (_) throws(SDKError) in
          try? await Task.sleep(for: .seconds(60))
          over.withLock { $0 = Task.isCancelled }
          throw SDKError(.cancelled, "cancelled")
        })
    }
    #expect(over.withLock { $0 })
    #expect(try await world.stored() == nil)
  }

  @Test("ends at once with the server's refusal")
  func refused() async throws {
    let world = try await Self.world()
    let person = Person(["x?error=access_denied&state=STATE"])
    await expect(.denied, "could not log in: access_denied") {
      _ = try await world.session().login.logIn(by: person.way, LoginOptions(attempts: 3))
    }
    #expect(person.complaints == [nil])
    #expect(try await world.stored() == nil)
  }

  /// Who asks for a push, and whether there is one.
  @Test(
    "pushes its request when profile or server ask for it",
    arguments: [
      (nil, false, false), (true, false, true), (nil, true, true), (false, true, true),
    ] as [(Bool?, Bool, Bool)])
  func pushed(profile: Bool?, server: Bool, isPushed: Bool) async throws {
    let world = try await Self.world()
    if let profile { try world.set("par", to: .bool(profile)) }
    world.announce(#""require_pushed_authorization_requests":\#(server)"#)
    world.transport.respond(
      "https://id.test/par", .json(#"{"request_uri":"urn:1","expires_in":60}"#, status: 201))
    let person = Person(["x"])
    let session = try world.session()
    await #expect(throws: SDKError.self) { _ = try await session.login.logIn(by: person.way) }
    #expect(world.transport.lines.contains("POST https://id.test/par") == isPushed)
    if isPushed {
      #expect(
        person.url?.description == "https://id.test/authorize?client_id=app&request_uri=urn%3A1")
      #expect(world.transport.sent.last?.body.contains("response_type=code") == true)
    } else {
      #expect(person.asked["response_type"] == "code")
      #expect(person.asked["request_uri"] == nil)
    }
  }

  private static func world(
    redirectURI: String? = "http://127.0.0.1:61000/cb"
  ) async throws -> World {
    let world = try await World.registered(redirectURI: redirectURI)
    world.grant("a1", ["expires_in": 60])
    return world
  }
}

/// Sees a URL and pastes, in turn, what stands in a script; STATE is the state of the URL.
final class Person: Sendable {
  private struct State {
    var script: [String]
    var url: HTTPURL?
    var complaints: [String?] = []
  }

  private let state: Mutex<State>

  init(_ script: [String]) { state = Mutex(State(script: script)) }

  /// The parameters of the URL that was seen.
  var asked: FormParameters {
    FormParameters(encoded: state.withLock { $0.url }?.query ?? "") ?? [:]
  }

  var url: HTTPURL? { state.withLock { $0.url } }
  var complaints: [String?] { state.withLock { $0.complaints } }

  var way: LoginWay { .pasted(present: see, paste: paste) }

  var see: ChallengeHandler {
    { challenge in self.state.withLock { $0.url = challenge.url } }
  }

  var paste: LoginPaste {
    { (complaint) throws(SDKError) in
      let text = self.state.withLock { state in
        state.complaints.append(complaint)
        return state.script.isEmpty ? "" : state.script.removeFirst()
      }
      return text.split(separator: "STATE", omittingEmptySubsequences: false)
        .joined(separator: self.asked["state"] ?? "")
    }
  }
}
