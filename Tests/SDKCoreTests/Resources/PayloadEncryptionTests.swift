import CoreTestSupport

@testable import SDKCore

@Suite("Payload encryption")
struct PayloadEncryptionTests {
  /// A gateway that decrypts requests and encrypts its answers, or does something else.
  final class Gateway: Transport {
    enum Reply: Sendable {
      case answer(status: Int, body: String, fields: [[String]] = [])
      case plain(Int)
      case tampered, replayed, foreign, withoutID, otherEncryption, unencryptedAsJOSE
    }

    let key: DecryptionKey
    private let reply = Mutex([Reply.answer(status: 200, body: "fine")])
    private let seen = Mutex<[(outer: HTTPRequest, inner: JSON)]>([])
    private let last = Mutex<[UInt8]?>(nil)

    init() throws { key = try .generate(.ecdhES) }

    var publicKey: String { key.publicKey.map { $0.json.serialized() } ?? "" }
    var requests: [(outer: HTTPRequest, inner: JSON)] { seen.withLock { $0 } }
    func reply(_ replies: Reply...) { reply.withLock { $0 = replies } }

    func send(
      _ request: HTTPRequest, receiving body: HTTPBodyReceiver
    ) async throws(TransportError) -> HTTPResponse {
      do {
        return try answer(request)
      } catch {
        throw TransportError(.connection, "the gateway failed: \(error)")
      }
    }

    private func answer(_ request: HTTPRequest) throws -> HTTPResponse {
      guard case .bytes(let bytes) = request.body else {
        throw TransportError(.connection, "no body")
      }
      let token = try JWE(compact: String(decoding: bytes, as: UTF8.self))
      let inner = try JSON(parsing: token.decrypt(with: key))
      seen.withLock { $0.append((request, inner)) }
      let reply = reply.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
      let peer = try JWK(json: try #require(token.header["epk"]))
      var status = 200
      var text = "fine"
      var fields: [[String]] = []
      if case .answer(let given, let body, let pairs) = reply {
        (status, text, fields) = (given, body, pairs)
      }
      var members: JSONObject = [
        "status": .int(Int64(status)), "body": .string(Base64URL.encode(Array(text.utf8))),
        "headers": .array(fields.map { .strings($0) }), "id": inner["id"] ?? .null,
      ]
      if case .withoutID = reply { members["id"] = "other" }
      let content = Array(JSON.object(members).serialized().utf8)
      let receiver: JWK
      if case .foreign = reply {
        receiver = try #require(try DecryptionKey.generate(.ecdhES).publicKey)
      } else {
        receiver = peer
      }
      let isOther = if case .otherEncryption = reply { true } else { false }
      var sealed = Array(
        try JWE.encrypt(content, to: receiver, .ecdhES, isOther ? .a128GCM : .a256GCM).utf8)
      switch reply {
      case .plain(let status): return HTTPResponse(status: status, url: request.url)
      case .tampered: sealed[sealed.count - 30] ^= 1
      case .replayed: sealed = last.withLock { $0 } ?? sealed
      case .unencryptedAsJOSE: sealed = content
      default: break
      }
      last.withLock { $0 = $0 ?? sealed }
      var response = HTTPResponse(
        status: 200, fields: [HTTPField(known: "Content-Type", "application/jose")], body: sealed,
        url: request.url)
      response.metrics.pins = .matched
      response.metrics.total = .seconds(2)
      return response
    }
  }

  private static func session(
    _ gateway: Gateway, _ settings: JSONObject = ["payloadEncryption": true]
  ) throws -> (World, ProfileSession) {
    let world = try World()
    for (key, value) in settings { try world.set(key, to: value) }
    try world.set("serverPublicKey", to: .string(gateway.publicKey))
    return (world, try world.session(transport: gateway))
  }

  private static func fetch(
    _ session: ProfileSession, _ request: ResourceRequest = ResourceRequest("GET", "/x?q=1"),
    as access: Access = .unauthenticated
  ) async throws -> HTTPResponse {
    try await session.resources.send(request, as: access, receiving: .collect(limit: 1 << 20))
  }

  /// A body of one byte, which is there when the test says so.
  final class LateBody: HTTPBodySource {
    private let pipe: WakePipe
    private let isRead = Atomic(false)
    let wasReadEarly = Atomic(false)
    let isAwaited = OneShot<Bool>()

    init() throws { pipe = try WakePipe() }

    func arrive() { pipe.signal() }

    var awaitedDescriptor: Int32? {
      isAwaited.set(true)
      return isRead.load(ordering: .relaxed) ? nil : pipe.descriptor
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
      if isRead.load(ordering: .relaxed) { return 0 }
      var entries = [Poll.Entry(pipe.descriptor, .read)]
      guard (try? Poll.wait(&entries, timeout: .zero)) == 1 else {
        wasReadEarly.store(true, ordering: .relaxed)
        return nil
      }
      isRead.store(true, ordering: .relaxed)
      buffer[0] = UInt8(ascii: "a")
      return 1
    }

    func rewind() -> Bool { true }
  }

  @Test(
    "waits for a slow body without reading it, and no longer than the request",
    arguments: [false, true])
  func slowBody(isCancelled: Bool) async throws {
    let gateway = try Gateway()
    let (_, session) = try Self.session(gateway)
    let body = try LateBody()
    let task = Task {
      try await Self.fetch(
        session, ResourceRequest("PUT", "/x", body: .stream(body, length: nil)))
    }
    await body.isAwaited.wait()
    if isCancelled {
      task.cancel()
      await #expect { try await task.value } throws: { ($0 as? SDKError)?.code == .cancelled }
    } else {
      body.arrive()
      #expect(try await task.value.status == 200)
      #expect(gateway.requests.first?.inner["body"]?.string == "YQ")
    }
    let wasReadEarly = body.wasReadEarly.load(ordering: .relaxed)
    #expect(!wasReadEarly)
  }

  @Test("does not wait for a slow body beyond the time limit of the request")
  func lateBody() async throws {
    let gateway = try Gateway()
    let (_, session) = try Self.session(gateway)
    let request = ResourceRequest(
      "PUT", "/x", body: .stream(try LateBody(), length: nil), timeout: .milliseconds(10))
    await #expect {
      try await Self.fetch(session, request)
    } throws: { error in
      (error as? SDKError)?.code == .network
        && "\(error)".contains("did not come to its end within the time limit")
    }
    #expect(gateway.requests.isEmpty)
  }

  @Test("hides method, query, header fields, token and body, and shows only the path")
  func hides() async throws {
    let gateway = try Gateway()
    let (world, session) = try Self.session(gateway)
    try await world.store("u1")
    gateway.reply(.answer(status: 201, body: "made", fields: [["X-Made", "yes"]]))
    let response = try await Self.fetch(
      session,
      ResourceRequest(
        "PUT", "/x?q=1", headers: [("X-A", "b")], body: .bytes(Array("content".utf8))), as: .user)
    #expect(response.status == 201)
    #expect(response.fields["X-Made"] == "yes")
    #expect(String(decoding: response.body, as: UTF8.self) == "made")
    #expect((response.metrics.pins, response.metrics.total) == (.matched, .seconds(2)))
    let (outer, inner) = try #require(gateway.requests.first)
    #expect(outer.method == .post)
    #expect(outer.url.description == "https://api.test/v1/x")
    #expect(
      outer.fields.map(\.description) == [
        "Content-Type: application/jose", "Accept: application/jose",
      ])
    #expect(inner["method"] == "PUT")
    #expect(inner["path"] == "/v1/x?q=1")
    #expect(inner["host"] == "api.test")
    #expect(inner["iat"] == .int(World.now.seconds))
    #expect(inner["body"]?.string.flatMap { try? Base64URL.decode($0) } == Array("content".utf8))
    let fields = inner["headers"]?.array?.compactMap(\.strings) ?? []
    #expect(fields.contains(["X-A", "b"]))
    #expect(fields.contains(["Authorization", "Bearer u1"]))
  }

  @Test("has another ID and another ephemeral key in each request")
  func ids() async throws {
    let gateway = try Gateway()
    let (_, session) = try Self.session(gateway)
    for _ in 0..<3 { _ = try await Self.fetch(session) }
    let ids = gateway.requests.compactMap { $0.inner["id"]?.string }
    #expect(Set(ids).count == 3)
    #expect(ids.allSatisfy { (try? Base64URL.decode($0))?.count == 16 })
  }

  @Test(
    "refuses an answer that is not encrypted, changed, old, for another key or without the ID",
    arguments: [
      (Gateway.Reply.plain(200), "is not encrypted"), (.plain(502), "(502) is not encrypted"),
      (.unencryptedAsJOSE, "was refused"), (.tampered, "was refused"), (.foreign, "was refused"),
      (.otherEncryption, "was refused"), (.withoutID, "does not belong to this request"),
    ])
  func refuses(reply: Gateway.Reply, message: String) async throws {
    let gateway = try Gateway()
    let (_, session) = try Self.session(gateway)
    gateway.reply(reply)
    let error = await expect(.untrusted) { try await Self.fetch(session) }
    #expect(error?.message.contains(message) == true)
  }

  @Test("refuses the answer to an earlier request")
  func replayed() async throws {
    let gateway = try Gateway()
    let (_, session) = try Self.session(gateway)
    _ = try await Self.fetch(session)
    gateway.reply(.replayed)
    await expect(.untrusted) { try await Self.fetch(session) }
  }

  @Test("a 401 inside renews the token, and the request is sent again")
  func renews() async throws {
    let gateway = try Gateway()
    let (world, session) = try Self.session(gateway)
    try await world.store("u1", lifetime: 3600, refreshToken: nil)
    gateway.reply(.answer(status: 401, body: ""))
    await expect(.sessionExpired) { try await Self.fetch(session, as: .user) }
  }

  @Test("is on if the registration or a token response says so, whatever the profile says")
  func serverDecides() async throws {
    for isRegistration in [true, false] {
      let gateway = try Gateway()
      let (world, session) = try Self.session(gateway, ["payloadEncryption": false])
      if isRegistration {
        try await world.register(["payload_encryption": true])
      } else {
        var tokens = try await world.store("u1")
        tokens.encryptsPayload = true
        try await world.credentials(.user).save(tokens)
      }
      #expect(try await Self.fetch(session).status == 200)
      #expect(gateway.requests.count == 1)
    }
  }

  @Test("without a key nothing is sent")
  func withoutKey() async throws {
    let gateway = try Gateway()
    let (world, _) = try Self.session(gateway)
    try world.set("serverPublicKey", to: .null)
    let session = try world.session(transport: gateway)
    let error = await expect(.invalidConfiguration) { try await Self.fetch(session) }
    #expect(error?.subject == "serverPublicKey")
    #expect(gateway.requests.isEmpty)
  }

  @Test(
    "that the server demands is remembered for requests that read no secret",
    arguments: [true, false])
  func remembered(isRegistration: Bool) async throws {
    let world = try World()
    world.transport.respond("https://api.test/v1/x?q=1", .status(200))
    try await world.register(["payload_encryption": .bool(isRegistration)])
    if !isRegistration {
      var tokens = try await world.store("u1")
      #expect(try await Self.fetch(world.session()).status == 200)
      world.transport.forget()
      tokens.encryptsPayload = true
      try await world.credentials(.user).save(tokens)
    }
    try world.folder.setMode(0o644, of: "state/profiles/work/registration.json")
    let error = await #expect(throws: SDKError.self) { try await Self.fetch(world.session()) }
    #expect(error?.code == .invalidConfiguration && error?.subject == "serverPublicKey")
    #expect(world.transport.sent.isEmpty)
    // Without a registration nothing is demanded.
    try world.folder.setMode(0o600, of: "state/profiles/work/registration.json")
    try await world.registrations.remove()
    #expect(try await Self.fetch(world.session()).status == 200)
  }

  @Test("that the server demands is remembered by who imports the registration or the tokens")
  func imported() async throws {
    for (isRegistration, secrets) in [(true, .credentials), (false, .all)]
      as [(Bool, ProfileExport.Secrets)]
    {
      let world = try World()
      try await world.register(["payload_encryption": .bool(isRegistration)])
      var tokens = try await world.store("u1")
      tokens.encryptsPayload = !isRegistration
      try await world.credentials(.user).save(tokens)
      for (name, secrets, isNoted) in [("a", secrets, true), ("b", .none, false)] {
        let copy = try ProfileName(name)
        try await world.store.add(try await world.store.export(world.name, secrets), as: copy)
        #expect(try PayloadDemand(world.location, copy).isNoted() == isNoted)
      }
    }
  }

  @Test(
    "the key is one of P-256 or X25519",
    arguments: [
      (String(repeating: "0a", count: 32), true), (String(repeating: "0a", count: 31), false),
      (#"{"kty":"OKP","crv":"X25519","x":"hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo"}"#, true),
      (#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#, false),
      (#"{"kty":"oct","k":"AAAA"}"#, false), ("x", false), ("", false),
    ])
  func keys(text: String, isGood: Bool) throws {
    var profile = try Profile(name: ProfileName("work"))
    if isGood {
      try profile.set("serverPublicKey", to: .string(text))
    } else {
      #expect(throws: SDKError.self) { try profile.set("serverPublicKey", to: .string(text)) }
    }
  }
}
