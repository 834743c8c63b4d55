import CoreTestSupport

@testable import SDKCore

@Suite("Redirects")
struct RedirectTests {
  private static let start = "https://api.test/v1/x"

  /// A status and a method, then the method and the body of the next hop.
  typealias Row = (status: Int, method: String, next: String, body: String)

  private static let rows: [Row] = [
    (301, "GET", "GET", ""), (301, "HEAD", "HEAD", ""), (301, "POST", "GET", ""),
    (301, "PUT", "PUT", "data"),
    (302, "GET", "GET", ""), (302, "HEAD", "HEAD", ""), (302, "POST", "GET", ""),
    (302, "PATCH", "PATCH", "data"),
    (303, "GET", "GET", ""), (303, "HEAD", "HEAD", ""), (303, "POST", "GET", ""),
    (303, "PUT", "GET", ""),
    (307, "GET", "GET", ""), (307, "HEAD", "HEAD", ""), (307, "POST", "POST", "data"),
    (308, "GET", "GET", ""), (308, "HEAD", "HEAD", ""), (308, "POST", "POST", "data"),
  ]

  /// The request-body-header names of the Fetch standard.
  private static let bodyFields = [
    "Content-Type", "Content-Encoding", "Content-Language", "Content-Location",
  ]

  @Test("keep or change method and body by their status", arguments: rows, [false, true])
  func methods(row: Row, isStreamed: Bool) async throws {
    let world = try await Self.world()
    world.transport.respond(Self.start, .redirect(row.status, to: "/next?a=b"))
    world.transport.respond("https://api.test/next?a=b", .status(200, "there"))
    let hasBody = !["GET", "HEAD"].contains(row.method)
    let body: HTTPBody =
      isStreamed
      ? .stream(FakeSource("data", isRepeatable: true), length: 4) : .bytes(Array("data".utf8))
    let request = ResourceRequest(
      row.method, "/x", headers: Self.bodyFields.map { ($0, "text/plain") } + [("X-Kept", "1")],
      body: hasBody ? body : nil)
    let response = try await UserClient(world.session()).send(request)
    #expect(response.status == 200)
    #expect(response.url.description == "https://api.test/next?a=b")
    #expect(String(decoding: response.body, as: UTF8.self) == "there")
    let sent = world.transport.sent
    #expect(sent.map(\.method) == [row.method, row.next])
    #expect(sent.map(\.body) == [hasBody ? "data" : "", row.body])
    let keepsType = row.next == row.method && row.status != 303 || row.method == "HEAD"
    for name in Self.bodyFields {
      #expect((sent.last?.fields[name] == "text/plain") == keepsType, "\(name)")
    }
    #expect(sent.last?.fields["X-Kept"] == "1")
    #expect(sent.map { $0.fields.values(of: "Authorization") } == [["Bearer a1"], ["Bearer a1"]])
  }

  @Test(
    "take token and typed fields to their own origin only",
    arguments: [
      ("https://api.test/y", true), ("https://api.test:443/y", true), ("y", true),
      ("https://api.test:8443/y", false), ("https://sub.api.test/y", false),
      ("//other.test/y", false),
    ])
  func origins(location: String, isSame: Bool) async throws {
    let world = try await Self.world()
    let url = try HTTPURL(Self.start).resolving(location)
    world.transport.respond(Self.start, .redirect(302, to: location))
    world.transport.respond(url.description, .status(200))
    let names = ["Cookie", "Proxy-Authorization", "X-Api-Key", "Origin"]
    let headers = names.map { ($0, "x") } + [("Accept", "text/plain")]
    _ = try await UserClient(world.session())
      .send(ResourceRequest("GET", "/x", headers: headers))
    let sent = try #require(world.transport.sent.last)
    #expect(world.transport.sent.count == 2)
    #expect(sent.url == url.description)
    #expect(sent.fields["Authorization"] == (isSame ? "Bearer a1" : nil))
    for name in names { #expect(sent.fields[name] == (isSame ? "x" : nil), "\(name)") }
    #expect(sent.fields["Accept"] == "text/plain")
  }

  @Test(
    "to the login page of a provider are a refusal of the token, outside of the profile's hosts",
    arguments: [
      ("https://id.test/authorize?response_type=code&client_id=web&state=s", true),
      ("https://id.test/authorize?client_id=web&request_uri=urn:x", true),
      ("https://id.test/authorize?response_type=code", false),
      ("https://files.test/x?client_id=web&signature=s", false),
      ("https://own.test/authorize?response_type=code&client_id=web", false),
    ])
  func loginPage(location: String, isRefusal: Bool) async throws {
    let world = try await Self.world(["allowedHosts": ["own.test"]])
    try await world.register()
    world.transport.respond(Self.start, .redirect(302, to: location))
    world.grant("a2")
    world.transport.respond(location, .status(200, "<html>"))
    let client = UserClient(try world.session())
    guard isRefusal else {
      #expect(try await client.send(ResourceRequest("GET", "/x")).status == 200)
      return
    }
    let error = await expect(
      .sessionExpired,
      "could not use the login of 'work': api.test redirects to the login page of id.test"
    ) { _ = try await client.send(ResourceRequest("GET", "/x")) }
    #expect(error?.remedy == .login)
    // A new token is tried once, as after a 401.
    let sent = world.transport.sent.filter { $0.url == Self.start }
    #expect(sent.map { $0.fields["Authorization"] } == ["Bearer a1", "Bearer a2"])
    #expect(!world.transport.sent.contains { $0.url == location })
  }

  @Test("to a login page are followed without a token, and delivered if no redirect is followed")
  func loginPageWithoutToken() async throws {
    let world = try await Self.world()
    let page = "https://id.test/authorize?response_type=code&client_id=web"
    world.transport.respond(Self.start, .redirect(302, to: page), .redirect(302, to: page))
    world.transport.respond(page, .status(200, "<html>"))
    let session = try world.session()
    let response = try await session.resources.send(
      ResourceRequest("GET", "/x"), as: .unauthenticated, receiving: .collect(limit: 100))
    #expect(response.status == 200)
    var request = ResourceRequest("GET", "/x")
    request.followsRedirects = false
    #expect(try await UserClient(session).send(request).status == 302)
  }

  @Test("take no token to an origin beside the first one, though the profile allows it")
  func allowedHost() async throws {
    let world = try await Self.world(["allowedHosts": ["other.test"]])
    world.transport.respond(Self.start, .redirect(302, to: "https://other.test/"))
    world.transport.respond("https://other.test/", .status(200))
    _ = try await UserClient(world.session()).send(ResourceRequest("GET", "/x"))
    #expect(world.transport.sent.last?.fields["Authorization"] == nil)
    _ = try await UserClient(world.session()).send(ResourceRequest("GET", "https://other.test/"))
    #expect(world.transport.sent.last?.fields["Authorization"] == "Bearer a1")
  }

  @Test(
    "end if Location is not a URL or leads to plain http",
    arguments: [
      ("http://api.test/y", "the redirect leads from https to http"),
      ("http://127.0.0.1/y", "the redirect leads from https to http"),
      ("ftp://api.test/", "the redirect leads to no usable URL: its scheme is not https"),
      (
        "https://me@api.test/",
        "the redirect leads to no usable URL: it holds user information before '@'"
      ),
      (
        "https://a b/",
        "the redirect leads to no usable URL: its host is not a DNS name or an IP address"
      ),
    ])
  func refused(location: String, cause: String) async throws {
    let world = try await Self.world(["insecureLoopback": true])
    world.transport.respond(Self.start, .redirect(302, to: location))
    let error = await expect(.policy, "could not fetch \(Self.start): \(cause)") {
      _ = try await UserClient(world.session()).send(ResourceRequest("GET", "/x"))
    }
    #expect(error?.subject == "api.test")
    #expect(world.transport.sent.count == 1)
  }

  @Test(
    "take no body to another origin that the profile does not name",
    arguments: [
      (307, "PUT", "https://other.test/y", false), (308, "POST", "https://other.test/y", false),
      (302, "PATCH", "https://other.test/y", false), (307, "POST", "https://named.test/y", true),
      (307, "POST", "https://api.test:443/y", true), (303, "POST", "https://other.test/y", true),
      (307, "DELETE", "https://other.test/y", true),
    ])
  func bodies(status: Int, method: String, location: String, isFollowed: Bool) async throws {
    let world = try await Self.world(["allowedHosts": ["named.test"]])
    world.transport.respond(Self.start, .redirect(status, to: location))
    let next = try HTTPURL(location).description
    world.transport.respond(next, .status(200))
    let body: HTTPBody? = method == "DELETE" ? nil : .bytes(Array("data".utf8))
    let request = ResourceRequest(method, "/x", body: body)
    if isFollowed {
      _ = try await UserClient(world.session()).send(request)
      #expect(world.transport.sent.map(\.url) == [Self.start, next])
    } else {
      await expect(
        .policy,
        "could not fetch \(Self.start): the redirect would take the body to https://other.test, "
          + "which is not in allowedHosts"
      ) { _ = try await UserClient(world.session()).send(request) }
      #expect(world.transport.sent.count == 1)
    }
  }

  @Test("may lead from http to http and to https")
  func insecure() async throws {
    let world = try await Self.world([
      "insecureLoopback": true, "resourceURL": "http://127.0.0.1:80",
    ])
    world.transport.respond("http://127.0.0.1/x", .redirect(302, to: "/y"))
    world.transport.respond("http://127.0.0.1/y", .redirect(302, to: "https://127.0.0.1:80/z"))
    world.transport.respond("https://127.0.0.1:80/z", .status(200))
    _ = try await UserClient(world.session()).send(ResourceRequest("GET", "/x"))
    let tokens = world.transport.sent.map { $0.fields["Authorization"] != nil }
    #expect(tokens == [true, true, false])
  }

  @Test("are ten at the most", arguments: [(10, true), (11, false)])
  func bounded(hops: Int, arrives: Bool) async throws {
    let world = try await Self.world()
    for hop in 0..<hops {
      let url = hop == 0 ? Self.start : "https://api.test/\(hop)"
      world.transport.respond(url, .redirect(307, to: "/\(hop + 1)"))
    }
    world.transport.respond("https://api.test/\(hops)", .status(200))
    if arrives {
      let response = try await UserClient(world.session()).send(ResourceRequest("GET", "/x"))
      #expect(response.status == 200)
    } else {
      await expect(
        .malformedResponse, "could not fetch \(Self.start): more than 10 redirects"
      ) { _ = try await UserClient(world.session()).send(ResourceRequest("GET", "/x")) }
    }
    #expect(world.transport.sent.count == 11)
  }

  @Test(
    "are responses with a redirect status and a Location only",
    arguments: [
      FakeTransport.Response.status(302, "moved"), .redirect(300, to: "/y"),
      .redirect(304, to: "/y"),
      .redirect(200, to: "/y"), .redirect(305, to: "/y"), .redirect(302, to: ""),
    ])
  func noRedirect(answer: FakeTransport.Response) async throws {
    let world = try await Self.world()
    world.transport.respond(Self.start, answer)
    let response = try await UserClient(world.session()).send(ResourceRequest("GET", "/x"))
    #expect(response.status == answer.status)
    #expect(String(decoding: response.body, as: UTF8.self) == "moved")
    #expect(world.transport.sent.count == 1)
  }

  @Test("cannot repeat a body that is read only once, and need not where it is dropped")
  func onlyOnce() async throws {
    for (status, isGood) in [(307, false), (303, true)] {
      let world = try await Self.world()
      world.transport.respond(Self.start, .redirect(status, to: "/y"))
      world.transport.respond("https://api.test/y", .status(200))
      let request = ResourceRequest(
        "POST", "/x", body: .stream(FakeSource("data", isRepeatable: false), length: nil))
      let send = { try await UserClient(world.session()).send(request) }
      if isGood {
        #expect(try await send().status == 200)
      } else {
        await expect(
          .localData,
          "could not fetch \(Self.start): "
            + "the redirect asks for the body again, but it cannot be read twice"
        ) { _ = try await send() }
      }
      #expect(world.transport.sent.count == (isGood ? 2 : 1))
    }
  }

  private static func world(_ settings: JSONObject = [:]) async throws -> World {
    let world = try World(settings)
    try await world.store("a1")
    return world
  }
}

@Suite("Redirects back to the first origin")
struct RedirectBackTests {
  @Test("do not send the token again, and a 401 from there renews nothing")
  func wayBack() async throws {
    let world = try World()
    try await world.store("a1")
    world.transport.respond("https://api.test/v1/x", .redirect(302, to: "https://other.test/y"))
    world.transport.respond("https://other.test/y", .redirect(302, to: "https://api.test/admin"))
    world.transport.respond("https://api.test/admin", .status(401))
    let response = try await UserClient(world.session()).send(ResourceRequest("GET", "/x"))
    #expect(response.status == 401)
    let sent = world.transport.sent
    #expect(
      sent.map(\.url) == [
        "https://api.test/v1/x", "https://other.test/y", "https://api.test/admin",
      ])
    #expect(sent.map { $0.fields["Authorization"] } == ["Bearer a1", nil, nil])
  }
}
