import CoreTestSupport

@testable import SDKCore

@Suite("The login at a Secure Login Server")
struct SecureLoginTests {
  /// The cookies of each request that was sent, in order, after these of the first response.
  private func sent(afterSetting cookies: [String]) async throws -> [String?] {
    let world = try World([
      "identity.obtain": "sls", "identity.url": "https://sls.test", "identity.label": "id",
      "identity.user": "alice",
    ])
    let base = "https://sls.test/SecureLoginServer/"
    world.transport.respond(
      base + "slc3/doLogin?profile=id",
      FakeTransport.Response(
        fields: HTTPFields(cookies.map { HTTPField(known: "Set-Cookie", $0) }),
        body: #"{"inputFields":[{"fieldName":"user","type":"plain"}]}"#),
      .json("{}"))
    world.transport.respond(base + "slc2/getCertificate?profile=id", .status(500))
    let service = try world.session().identities
    _ = await #expect(throws: SDKError.self) {
      try await service.obtain(try IdentityRequest(for: "api.test"))
    }
    return world.transport.sent.map { $0.fields["Cookie"] }
  }

  private static let base = "https://sls.test/SecureLoginServer/"

  /// The refusal of a server that answers each login like this, and how many requests it got.
  private static func refusal(
    of login: FakeTransport.Response
  ) async throws -> (error: SDKError?, count: Int) {
    let world = try World([
      "identity.obtain": "sls", "identity.url": "https://sls.test", "identity.label": "id",
      "identity.user": "alice",
    ])
    world.transport.respond(base + "slc3/doLogin?profile=id", login)
    world.transport.respond(base + "slc2/getCertificate?profile=id", .status(500))
    let service = try world.session().identities
    let error = await #expect(throws: SDKError.self) {
      try await service.obtain(try IdentityRequest(for: "api.test"))
    }
    return (error, world.transport.sent.count)
  }

  @Test("names the settings that would have answered the first round, and nothing later")
  func settings() async throws {
    for (settings, cause) in [
      ([:], "'user', and nobody can be asked; not set: identity.user, identity.passwordFile"),
      (["identity.user": "a"], "'code', and nobody can be asked; not set: identity.passwordFile"),
    ] as [(JSONObject, String)] {
      var all: JSONObject = [
        "identity.obtain": "sls", "identity.url": "https://sls.test", "identity.label": "id",
      ]
      for (key, value) in settings { all[key] = value }
      let world = try World(all)
      world.transport.respond(
        Self.base + "slc3/doLogin?profile=id",
        .json(
          #"{"inputFields":[{"fieldName":"user","type":"plain"},{"fieldName":"code","type":"x"}]}"#
        ))
      let service = try world.session().identities
      let error = await #expect(throws: SDKError.self) {
        try await service.obtain(try IdentityRequest(for: "api.test"))
      }
      #expect(error?.message.hasSuffix("the server asks for \(cause)") == true, "\(error as Any)")
    }
    let world = try World([
      "identity.obtain": "sls", "identity.url": "https://sls.test", "identity.label": "id",
      "identity.user": "alice",
    ])
    world.transport.respond(
      Self.base + "slc3/doLogin?profile=id",
      .json(#"{"inputFields":[{"fieldName":"user","type":"plain"}]}"#),
      .json(#"{"inputFields":[{"fieldName":"code","type":"x"}]}"#))
    let service = try world.session().identities
    let error = await #expect(throws: SDKError.self) {
      try await service.obtain(try IdentityRequest(for: "api.test"))
    }
    #expect(error?.message.hasSuffix("asks for 'code', and nobody can be asked") == true)
  }

  @Test("is given up if a response is not an object", arguments: ["[]", "x", "7"])
  func notAnObject(text: String) async throws {
    let refusal = try await Self.refusal(of: .json(text))
    #expect(refusal.error?.code == .malformedResponse && refusal.count == 1)
    #expect(refusal.error?.message.hasSuffix("the response of sls.test is not JSON") == true)
  }

  @Test("asks a person before a lock is taken, and uses each login once, also to renew")
  func person() async throws {
    let world = try World([
      "identity.obtain": "sls", "identity.url": "https://sls.test", "identity.label": "id",
    ])
    try await world.identities().save(
      try TestIdentity.make("a", hosts: ["a.test"], origin: .obtained(by: "sls")))
    world.transport.setDefaultCheck { sent in
      if !sent.url.contains("doLogin") { return .status(500) }
      return .json(
        sent.body.contains("code=7")
          ? "{}" : #"{"inputFields":[{"fieldName":"code","type":"x"}]}"#)
    }
    let held = Mutex<[Int]>([])
    let service = try #require(
      EnrolmentService(
        try world.session().environment,
        EnrolmentQuestions(input: { (_) throws(SDKError) in
          held.withLock { $0.append(LockOrder.held.count) }
          return ["code": "7"]
        }), trace: nil))
    let identities = try world.session(enrolment: service).identities
    for count in 1...2 {
      await #expect(throws: SDKError.self) {
        try await identities.obtain(try IdentityRequest(for: "api.test"))
      }
      #expect(held.withLock { $0 } == [Int](repeating: 0, count: count))
    }
    await #expect(throws: SDKError.self) { try await identities.renew(try IdentityName("a")) }
    #expect(held.withLock { $0 } == [0, 0, 0])
    let lines = world.transport.lines.map { $0.contains("doLogin") ? "login" : "certificate" }
    #expect(lines == (0..<3).flatMap { _ in ["login", "login", "certificate"] })
    #expect(world.transport.sent[6].body.contains("subjectName="))
  }

  @Test("has at most ten rounds")
  func rounds() async throws {
    let refusal = try await Self.refusal(
      of: .json(#"{"inputFields":[{"fieldName":"user","type":"plain","preset":"a"}]}"#))
    #expect(refusal.error?.message.hasSuffix("sls.test asked for input 10 times") == true)
    #expect(refusal.error?.code == .refused && refusal.count == 10)
  }

  @Test("gives what the profile knows once: who asks again asks the person")
  func knownOnce() async throws {
    let refusal = try await Self.refusal(
      of: .json(#"{"inputFields":[{"fieldName":"user","type":"plain"}]}"#))
    #expect(refusal.error?.code == .denied)
    #expect(
      refusal.error?.message.hasSuffix("the server asks for 'user', and nobody can be asked")
        == true)
    #expect(refusal.count == 2)
  }

  @Test(
    "is given up if the server requires a key that is too small or too large",
    arguments: [(1024, false), (2047, false), (2048, true), (8193, false)])
  func keySize(bits: Int, isAccepted: Bool) async throws {
    let refusal = try await Self.refusal(of: .json(#"{"clientConfig":{"keySize":\#(bits)}}"#))
    let message = "sls.test requires a key of \(bits) bits"
    #expect(refusal.error?.message.hasSuffix(message) == !isAccepted)
    #expect(refusal.count == (isAccepted ? 2 : 1))
  }

  @Test(
    "is continued with the cookies of the server, by the rules of a browser",
    arguments: [
      // Without a path a cookie is for slc3 only; the longer path comes first.
      (["a=1; Path=/SecureLoginServer; Secure", "b=2"], [nil, "b=2; a=1", "a=1"]),
      (["a=1; Path=/; Domain=other.test", "b=2; Path=/; Max-Age=0"], [nil, nil, nil]),
      (["a=1; Path=/", "a=2; Path=/"], [nil, "a=2", "a=2"]),
    ] as [([String], [String?])])
  func cookies(set: [String], sent: [String?]) async throws {
    #expect(try await self.sent(afterSetting: set) == sent)
  }
}
