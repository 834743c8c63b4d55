import CoreTestSupport

@testable import SDKCore

@Suite("Before a resource request is sent")
struct PipelineOrderTests {
  /// What is wrong with a request; each row has all that are later in the order too.
  enum Fault: Int, CaseIterable, Sendable {
    case slot, method, reserved, header, url, host, token
  }

  /// A request without a token needs no slot, and may go to any host.
  static let faults = Fault.allCases.flatMap { fault in
    let isOfToken = [.slot, .host, .token].contains(fault)
    return (isOfToken ? [Access.user, .anonymous] : [.user, .anonymous, .unauthenticated])
      .map { (fault, $0) }
  }

  @Test("the first of several faults decides, and nothing is sent", arguments: faults)
  func order(first: Fault, access: Access) async throws {
    let world = try World()
    try await Self.fill(world, access, from: first)
    let request = Self.request(from: first)
    let expected = Self.expected(first, access)
    let error = await expect(expected.code) {
      try await world.session().resources.send(
        request, as: access, receiving: .collect(limit: 1))
    }
    #expect(error?.message.contains(expected.words) == true, "\(error?.message ?? "")")
    #expect(error?.resource == expected.resource)
    #expect(world.transport.sent.isEmpty)
  }

  @Test("a request without a token may go to any host")
  func elsewhere() async throws {
    let world = try World()
    world.transport.respond("https://elsewhere.test/", .status(200, "open"))
    let response = try await DeviceClient(world.session())
      .sendUnauthenticated(ResourceRequest("GET", "https://elsewhere.test"))
    #expect(String(decoding: response.body, as: UTF8.self) == "open")
    #expect(world.transport.sent.first?.fields["Authorization"] == nil)
  }

  @Test(
    "a method is refused when it is no token or opens a tunnel",
    arguments: ["", "GE T", "GET\r\n", "CONNECT", "TRACE", "ü", String(repeating: "X", count: 33)])
  func methods(method: String) async throws {
    let world = try World()
    let error = await expect(
      .invalidRequest,
      "could not send the request: the method is not GET, POST, PUT, PATCH, HEAD or DELETE"
    ) {
      _ = try await DeviceClient(world.session()).sendUnauthenticated(ResourceRequest(method, "/"))
    }
    #expect(error?.resource == .invalidMethod(.unauthenticated))
    #expect(error?.resource.number == 10010)
    #expect(error?.resource.domain == .unauthenticated)
    #expect(world.transport.sent.isEmpty)
  }

  @Test(
    "a header field is refused when it is reserved or would break the message apart",
    arguments: [
      ("Authorization", "Bearer x", "the header field 'Authorization' is reserved"),
      ("aUTHORIZATION", "", "the header field 'aUTHORIZATION' is reserved"),
      ("User-Agent", "x", "the header field 'User-Agent' is reserved"),
      ("X", "a\r\nY: b", "the value of 'X' holds a line break or another control character"),
      ("X", "a\u{0}", "the value of 'X' holds a line break or another control character"),
      ("X Y", "a", "'X Y' is not a header field name"), ("", "a", "'' is not a header field name"),
      ("X\n", "a", #"'X\n' is not a header field name"#),
    ])
  func headers(name: String, value: String, cause: String) async throws {
    let world = try World()
    let request = ResourceRequest("GET", "/", headers: [("Accept", "*/*"), (name, value)])
    let error = await expect(.invalidRequest, "could not send the request: \(cause)") {
      _ = try await DeviceClient(world.session()).sendUnauthenticated(request)
    }
    #expect(error?.resource == .invalidHeaders(.unauthenticated))
    #expect(error?.resource.number == 10019)
    #expect(world.transport.sent.isEmpty)
  }

  @Test(
    "a path is appended to the resource URL, and an absolute URL goes where it says",
    arguments: [
      ("/me", "https://api.test/v1/me"), ("me", "https://api.test/v1/me"),
      ("", "https://api.test/v1/"), ("/a?b=c#d", "https://api.test/v1/a?b=c"),
      ("/a:b", "https://api.test/v1/a:b"), ("/100%", "https://api.test/v1/100%25"),
      ("https://API.test/x", "https://api.test/x"),
    ])
  func urls(path: String, url: String) async throws {
    let world = try World()
    world.transport.respond(url, .status(200))
    _ = try await DeviceClient(world.session()).sendUnauthenticated(ResourceRequest("GET", path))
    #expect(world.transport.lines == ["GET \(url)"])
  }

  @Test(
    "a URL is refused before anything is sent",
    arguments: [
      ("ftp://api.test", "its scheme is not https"),
      ("https://me:pw@api.test", "it holds user information before '@'"),
      ("//evil.test/", "a path starts with one slash"),
      ("/a\nb", "it holds a line break or another control character"),
      ("javascript:alert(1)", "its scheme is not https"),
    ])
  func badURLs(path: String, cause: String) async throws {
    let world = try World()
    let error = await expect(.invalidRequest, "could not use the URL: \(cause)") {
      _ = try await DeviceClient(world.session()).sendUnauthenticated(ResourceRequest("GET", path))
    }
    #expect(error?.resource == .requestInvalid)
    #expect(world.transport.sent.isEmpty)
  }

  @Test("a path cannot be resolved without a resource URL")
  func noBase() async throws {
    let world = try World(["resourceURL": .null])
    let error = await expect(
      .invalidConfiguration, "could not resolve '/me': the profile has no resourceURL"
    ) {
      _ = try await DeviceClient(world.session()).sendUnauthenticated(ResourceRequest("GET", "/me"))
    }
    #expect(error?.subject == "resourceURL")
  }

  @Test(
    "names the command that allows a host, beside those that are allowed",
    arguments: [
      (nil, "https://elsewhere.test/x", "elsewhere.test"),
      (
        ["a.test", "b.test:81"], "https://elsewhere.test:8443",
        "a.test,b.test:81,elsewhere.test:8443"
      ),
      (["a.test"], "https://[::1]/", "a.test,[::1]"), (["a.test"], "http://elsewhere.test", nil),
    ] as [([String]?, String, String?)])
  func remedy(allowed: [String]?, url: String, value: String?) async throws {
    let world = try World(["allowedHosts": allowed.map { .strings($0) } ?? .null])
    try await world.store("a1")
    let origin = try HTTPURL(url).origin
    let cause = value == nil ? "its scheme is not https" : "the profile does not allow that host"
    let error = await expect(
      .policy,
      "could not send the token to \(origin): \(cause)"
    ) { _ = try await UserClient(world.session()).send(ResourceRequest("GET", url)) }
    #expect(error?.subject == origin)
    #expect(error?.remedy == value.map { .setProfile(key: "allowedHosts", value: $0) })
  }

  // MARK: The worlds of the rows

  /// The slot is usable unless that is the first fault; the token can never be had.
  private static func fill(_ world: World, _ access: Access, from first: Fault) async throws {
    guard first != .slot else { return }
    if access == .user { try await world.store("a1", lifetime: 0, refreshToken: nil) }
    // An expired token without a registration that could renew it.
    if access == .anonymous { try await world.store("d1", lifetime: 0, in: .anonymous) }
  }

  private static func request(from first: Fault) -> ResourceRequest {
    var request = ResourceRequest("BAD METHOD", "ftp://api.test")
    request.headers = [("authorization", "x"), ("X", "a\nb")]
    if first.rawValue > Fault.method.rawValue { request.method = "GET" }
    if first.rawValue > Fault.reserved.rawValue { request.headers.removeFirst() }
    if first.rawValue > Fault.header.rawValue { request.headers = [] }
    if first.rawValue > Fault.url.rawValue { request.path = "https://elsewhere.test/x" }
    if first.rawValue > Fault.host.rawValue { request.path = "/x" }
    return request
  }

  private static func expected(
    _ fault: Fault, _ access: Access
  ) -> (code: SDKError.Code, words: String, resource: ResourceError) {
    let isUser = access == .user
    let noToken: ResourceError = isUser ? .userNotAuthenticated : .deviceNotAuthenticated
    switch fault {
    case .slot: return (isUser ? .notAuthenticated : .notRegistered, "could not fetch", noToken)
    case .method: return (.invalidRequest, "the method is not", .invalidMethod(access.domain))
    case .reserved: return (.invalidRequest, "is reserved", .invalidHeaders(access.domain))
    case .header: return (.invalidRequest, "the value of 'X'", .invalidHeaders(access.domain))
    case .url: return (.invalidRequest, "could not use the URL", .requestInvalid)
    case .host: return (.policy, "does not allow that host", .requestInvalid)
    case .token:
      return isUser
        ? (.sessionExpired, "could not use the login", noToken)
        : (.notRegistered, "could not get a token", noToken)
    }
  }
}
