import HTTP
import JOSE
import JSON
import Primitives
import TestSupport
import Testing
import UAF

@testable import SDKCore

@Suite("Out-of-band operations")
struct OutOfBandTests {
  typealias Person = FIDOServiceTests.Person

  static func text(
    _ operation: String, token: String = "t1", at origin: String = FakeFIDOServer.origin
  ) -> String {
    let document: JSON = [
      "nma_data": [
        "token": .string(token), "redeem_url": .string("\(origin)/token/redeem/\(operation)"),
      ], "nma_data_content_type": "application/json", "nma_data_version": "1",
    ]
    return document.serialized()
  }

  static func payload(_ operation: String, token: String = "t1") throws -> OutOfBandPayload {
    try OutOfBandPayload(text(operation, token: token))
  }

  @Test("register a key, log in and delete the key, without a session")
  func operations() async throws {
    let (world, server) = try FIDOServiceTests.world(["fido.user": .null])
    server.rules.tokens = ["t1": "bob", "t2": "bob", "t3": "bob"]
    let fido = try world.session().fido
    let key = try await fido.register(
      try Self.payload("registration"), asking: Person("271828").delegates)
    #expect(key.username == "bob" && server.keys.map(\.keyID) == [key.keyID])
    #expect(
      server.paths == ["/token/redeem/registration", "/facets", "/uaf/1.1/registration/"])
    let sent = server.requests[0]
    #expect(sent.body == #"{"token":"t1"}"#)
    #expect(sent.fields["Content-Type"] == "application/json;charset=UTF-8")
    #expect(sent.fields["Accept"] == "application/fido+uaf")
    #expect(!sent.fields.contains("Authorization") && !sent.fields.contains("Cookie"))

    let provider = try await fido.logIn(
      try Self.payload("authentication", token: "t2"), asking: Person("271828").delegates)
    #expect(provider.name == "cookies")
    #expect(try await world.session().tokens.provider(in: .user) == provider)

    let deleted = try await fido.deregister(try Self.payload("deregistration", token: "t3"))
    #expect(deleted.map(\.keyID) == [key.keyID])
    #expect(try fido.keys().isEmpty)
  }

  @Test("redeem the token once, also after a wrong PIN")
  func wrongPIN() async throws {
    let (world, server) = try await FIDOServiceTests.registered()
    server.rules.tokens = ["t1": "alice"]
    let person = Person("000001", "271828")
    _ = try await world.session().fido.logIn(
      try Self.payload("authentication"), asking: person.delegates)
    #expect(person.questions == ["pin alice", "pin alice"])
    #expect(server.paths.filter { $0 == "/token/redeem/authentication" }.count == 1)
  }

  @Test("do not redeem a token for a login without a key, or whose PIN nobody enters")
  func unusable() async throws {
    let (bare, bareServer) = try FIDOServiceTests.world()
    let error = await #expect(throws: SDKError.self) {
      try await bare.session().fido.logIn(
        try Self.payload("authentication"), asking: Person("271828").delegates)
    }
    #expect(error?.code == .notRegistered && bareServer.requests.isEmpty)
    let (world, server) = try await FIDOServiceTests.registered()
    let before = server.requests.count
    await #expect(throws: SDKError.self) {
      try await world.session().fido.logIn(
        try Self.payload("authentication"), asking: Person().delegates)
    }
    #expect(server.requests.count == before)
  }

  @Test("keep the key if the server does not know it, because the request cannot be repeated")
  func unknownKey() async throws {
    let (world, server) = try await FIDOServiceTests.registered()
    server.rules.tokens = ["t1": "alice"]
    server.rules.verdicts = [1481]
    let error = await #expect(throws: SDKError.self) {
      try await world.session().fido.logIn(
        try Self.payload("authentication"), asking: Person("271828").delegates)
    }
    #expect(error?.code == .notRegistered)
    #expect(try world.session().fido.keys().count == 1)
  }

  @Test(
    "send the token to the server of the profile only",
    arguments: [
      "https://evil.test", "http://fido.test", "https://fido.test:8443",
      "https://fido.test.evil.test",
    ])
  func foreign(origin: String) async throws {
    let (world, server) = try FIDOServiceTests.world()
    let payload = try OutOfBandPayload(Self.text("registration", at: origin))
    let error = await #expect(throws: SDKError.self) {
      try await world.session().fido.register(payload, asking: Person("271828").delegates)
    }
    #expect(error?.code == .policy)
    #expect(error?.message.hasSuffix("\(origin), which is not that of fido.url") == true)
    #expect(server.requests.isEmpty && world.transport.sent.isEmpty)
  }

  @Test("are refused for another operation, before the token is spent if the URL names it")
  func otherOperation() async throws {
    let (world, server) = try FIDOServiceTests.world()
    server.rules.tokens = ["t1": "alice"]
    let session = try world.session()
    await expect(
      .invalidRequest,
      "could not register a FIDO key: the payload is for authentication, not for "
        + "registration"
    ) {
      _ = try await session.fido.register(
        try Self.payload("authentication"), asking: Person("271828").delegates)
    }
    #expect(server.requests.isEmpty)
    // A URL that names no operation: the response does.
    server.rules.answers["/redeem"] = .other(
      200, "application/fido+uaf", #"{"statusCode": 1200, "op": "Dereg", "uafRequest": "[1]"}"#)
    let payload = try OutOfBandPayload(
      Self.text("x").replacing("/token/redeem/x", with: "/redeem"))
    let error = await #expect(throws: SDKError.self) {
      _ = try await session.fido.register(payload, asking: Person("271828").delegates)
    }
    #expect(error?.code == .invalidRequest)
  }

  @Test("tell that a token is unknown, was used, or has expired")
  func spent() async throws {
    for (status, words) in [(1404, "(1404)"), (1408, "the token has expired (1408)")] {
      let (world, server) = try FIDOServiceTests.world()
      server.rules.answers["/token/redeem/registration"] = .other(
        200, "application/fido+uaf", #"{"statusCode": \#(status)}"#)
      let error = await #expect(throws: SDKError.self) {
        try await world.session().fido.register(
          try Self.payload("registration"), asking: Person("271828").delegates)
      }
      #expect(error?.code == .refused && error?.isRetryable == false)
      #expect(error?.message.hasSuffix(words) == true)
    }
  }

  @Test("decrypt a payload with the key of a dispatch target, and no other")
  func encrypted() async throws {
    let (world, server) = try await DispatchTargetServiceTests.loggedIn()
    let session = try world.session()
    _ = try await session.dispatchTargets.create(DispatchTargetSettings(name: "laptop"))
    let text = try #require(server.targets[0]["encryptionKey"]?.string)
    let own = try JWK(json: try JSON(parsing: text))
    let foreign = try #require(try DecryptionKey.generate(.ecdhES).publicKey)
    server.rules.tokens = ["t1": "alice"]
    for (key, isOwn) in [(foreign, false), (own, true)] {
      let data: JSON = [
        "token": "t1", "redeem_url": .string("\(FakeFIDOServer.origin)/token/redeem/registration"),
      ]
      let message = try JWE.encrypt(
        Array(data.serialized().utf8), to: key, .ecdhES, .a256GCM)
      let payload = try OutOfBandPayload(
        ([
          "nma_data": .string(message), "nma_data_content_type": "application/jose",
          "nma_data_version": "1",
        ] as JSON).serialized())
      if isOwn {
        _ = try await session.fido.register(payload, asking: Person("271828").delegates)
      } else {
        let error = await #expect(throws: SDKError.self) {
          try await session.fido.register(payload, asking: Person("271828").delegates)
        }
        #expect(error?.code == .untrusted)
      }
    }
  }

  @Test("whose payload is encrypted need a dispatch target")
  func withoutTarget() async throws {
    let (world, _) = try FIDOServiceTests.world()
    let payload = try OutOfBandPayload(
      #"{"version": "v1", "contentType": "application/jose", "data": "e30.a.b.c.d"}"#)
    let error = await #expect(throws: SDKError.self) {
      try await world.session().fido.register(payload, asking: Person("271828").delegates)
    }
    #expect(error?.code == .invalidRequest || error?.code == .untrusted)
  }
}

@Suite("The status of an out-of-band operation")
struct OperationStatusTests {
  @Test("is asked for until the operation has ended, every two seconds")
  func ends() async throws {
    let (world, server) = try FIDOServiceTests.world()
    server.rules.statuses = ["tokenCreated", "clientAuthenticating", "succeeded"]
    let status = try await world.session().fido.waitForEnd(of: "s1")
    #expect(status.progress == .succeeded && status.document["userId"] == "u1")
    #expect(server.paths == ["/status", "/status", "/status"])
    #expect(server.requests[0].body == #"{"sessionId":"s1"}"#)
    #expect(world.pauses == [2, 2])
  }

  @Test("ends with an error if the operation does not end, also if the clock stands")
  func never() async throws {
    let (world, server) = try FIDOServiceTests.world(["fido.userInteractionTimeout": 10])
    server.rules.statuses = ["tokenCreated"]
    let error = await #expect(throws: SDKError.self) {
      try await world.session().fido.waitForEnd(of: "s1")
    }
    #expect(error?.code == .network)
    #expect(error?.message.hasSuffix("it has not ended within 10 seconds") == true)
    #expect((5...6).contains(server.requests.count))
  }

  @Test("must be one that is known", arguments: [#"{"status": "x"}"#, "{}", "[]", "<html>"])
  func malformed(body: String) async throws {
    let (world, server) = try FIDOServiceTests.world()
    server.rules.answers["/status"] = .other(200, "application/json", body)
    let error = await #expect(throws: SDKError.self) {
      try await world.session().fido.status(of: "s1")
    }
    #expect(error?.code == .malformedResponse)
  }
}
