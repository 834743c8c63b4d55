import CoreTestSupport

@testable import Enrolment
@testable import SDKCore

@Suite("The login at a Secure Login Server")
struct SecureLoginTests {
  private static let login = "https://sls.test/SecureLoginServer/slc3/doLogin?profile=id"

  /// A profile whose server answers logins like this, and has no certificate.
  private static func world(
    user: String? = "alice", asking questions: EnrolmentQuestions = EnrolmentQuestions(),
    _ logins: FakeTransport.Response...
  ) throws -> World {
    let settings: JSONObject = [
      "identity.obtain": "sls", "identity.url": "https://sls.test", "identity.label": "id",
      "identity.user": user.map { .string($0) } ?? .null,
    ]
    let world = try World(settings, asking: questions)
    world.transport.respond(login, logins)
    world.transport.respond(
      "https://sls.test/SecureLoginServer/slc2/getCertificate?profile=id", .status(500))
    return world
  }

  private static func refusal(_ world: World) async -> SDKError? {
    await #expect(throws: SDKError.self) {
      try await world.session().identities.obtain(try IdentityRequest(for: "api.test"))
    }
  }

  private static func fields(_ names: String...) -> FakeTransport.Response {
    let fields = names.map { #"{"fieldName":"\#($0)","type":"\#($0 == "user" ? "plain" : "x")"}"# }
    return .json(#"{"inputFields":[\#(fields.joined(separator: ","))]}"#)
  }

  @Test("names the settings that would have answered the first round, and nothing later")
  func settings() async throws {
    for (user, answers, cause) in [
      (
        nil, [Self.fields("user", "code")],
        "'user', and nobody can be asked; not set: identity.user, identity.passwordFile"
      ),
      (
        "a", [Self.fields("user", "code")],
        "'code', and nobody can be asked; not set: identity.passwordFile"
      ),
      ("a", [Self.fields("user"), Self.fields("code")], "'code', and nobody can be asked"),
    ] as [(String?, [FakeTransport.Response], String)] {
      let world = try Self.world(user: user)
      world.transport.respond(Self.login, answers)
      let error = await Self.refusal(world)
      #expect(error?.message.hasSuffix("the server asks for \(cause)") == true, "\(error as Any)")
    }
  }

  @Test("is given up if a response is not an object", arguments: ["[]", "x", "7"])
  func notAnObject(text: String) async throws {
    let world = try Self.world(.json(text))
    let error = await Self.refusal(world)
    #expect(error?.code == .malformedResponse && world.transport.sent.count == 1)
    #expect(error?.message.hasSuffix("the response of sls.test is not JSON") == true)
  }

  @Test("is given up if a response is larger than 1 MiB")
  func large() async throws {
    let world = try Self.world(.json(String(repeating: " ", count: 1 << 20) + "{}"))
    let error = await Self.refusal(world)
    #expect(error?.message.contains("larger than 1048576 bytes") == true, "\(error as Any)")
  }

  @Test("asks a person before a lock is taken, and uses each login once, also to renew")
  func person() async throws {
    let held = Mutex<[Int]>([])
    let questions = EnrolmentQuestions(input: { (_) throws(SDKError) in
      held.withLock { $0.append(LockOrder.held.count) }
      return ["code": "7"]
    })
    let world = try Self.world(user: nil, asking: questions)
    try await world.identities().save(
      try TestIdentity.make("a", hosts: ["a.test"], origin: .obtained(by: "sls")))
    world.transport.setDefaultCheck { sent in
      if !sent.url.contains("doLogin") { return .status(500) }
      return .json(
        sent.body.contains("code=7")
          ? "{}" : #"{"inputFields":[{"fieldName":"code","type":"x"}]}"#)
    }
    let identities = try world.session().identities
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

  @Test("logs in under the lock if nobody can be asked: others wait, and log in no more")
  func unattended() async throws {
    let held = Mutex<[Int]>([])
    let world = try Self.world()
    world.transport.setDefaultCheck { _ in
      held.withLock { $0.append(LockOrder.held.count) }
      return .json("{}")
    }
    _ = await Self.refusal(world)
    #expect(held.withLock { $0 } == [1, 1])
  }

  @Test("has at most ten rounds")
  func rounds() async throws {
    let world = try Self.world(
      .json(#"{"inputFields":[{"fieldName":"user","type":"plain","preset":"a"}]}"#))
    let error = await Self.refusal(world)
    #expect(error?.message.hasSuffix("sls.test asked for input 10 times") == true)
    #expect(error?.code == .refused && world.transport.sent.count == 10)
  }

  @Test("gives what the profile knows once: who asks again asks the person")
  func knownOnce() async throws {
    let world = try Self.world(Self.fields("user"))
    let error = await Self.refusal(world)
    #expect(error?.code == .denied && world.transport.sent.count == 2)
    #expect(
      error?.message.hasSuffix("the server asks for 'user', and nobody can be asked") == true)
  }

  @Test(
    "is given up if the server requires a key that is too small or too large",
    arguments: [(1024, false), (2047, false), (2048, true), (8193, false)])
  func keySize(bits: Int, isAccepted: Bool) async throws {
    let world = try Self.world(.json(#"{"clientConfig":{"keySize":\#(bits)}}"#))
    let message = "sls.test requires a key of \(bits) bits"
    #expect(await Self.refusal(world)?.message.hasSuffix(message) == !isAccepted)
    #expect(world.transport.sent.count == (isAccepted ? 2 : 1))
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
    let world = try Self.world(
      FakeTransport.Response(
        fields: HTTPFields(set.map { HTTPField(known: "Set-Cookie", $0) }),
        body: #"{"inputFields":[{"fieldName":"user","type":"plain"}]}"#), .json("{}"))
    _ = await Self.refusal(world)
    #expect(world.transport.sent.map { $0.fields["Cookie"] } == sent)
  }
}
