import CoreTestSupport

@testable import BulkRequests
@testable import SDKCore

@Suite("Pages of a list")
struct ResourcePagesTests {
  private static let start = "https://api.test/v1/x"

  private static func page(_ body: String, link: String? = nil) -> FakeTransport.Response {
    var response = FakeTransport.Response.json(body)
    if let link { response.fields.append(HTTPField(known: "Link", "<\(link)>; rel=next")) }
    return response
  }

  private static func world(
    _ pages: [(url: String, response: FakeTransport.Response)], _ settings: JSONObject = [:]
  ) async throws -> World {
    let world = try World(settings)
    try await world.store("a1")
    for (url, response) in pages { world.transport.respond(url, response) }
    return world
  }

  @Test(
    "a usual member leads on, if it holds a path or a URL of the same origin",
    arguments: [
      (#"{"next":"https://api.test/2"}"#, true), (#"{"@odata.nextLink":"/2"}"#, true),
      (#"{"_links":{"next":{"href":"/2"}}}"#, true), (#"{"paging":{"next":"/2"}}"#, true),
      (#"{"next":"https://other.test/2"}"#, false), (#"{"next":"c1"}"#, false),
      (#"{"next":null}"#, false),
      (#"{"data":{"next":"/2"}}"#, false), ("{", false), (#"["/2"]"#, false),
    ])
  func usual(body: String, isFollowed: Bool) async throws {
    let world = try await Self.world([
      (Self.start, Self.page(body)), ("https://api.test/2", Self.page("[]")),
    ])
    let run = try await Self.run(world)
    #expect(run.bodies == (isFollowed ? [body, "[]"] : [body]))
    #expect(run.error == nil)
  }

  /// The bodies of all pages, what comes next, and the error that ended them.
  private static func run(
    _ world: World, _ request: ResourceRequest = ResourceRequest("/x"), as access: Access = .user,
    _ options: ResourcePages.Options = .init()
  ) async throws -> (bodies: [String], upcoming: String?, error: SDKError?) {
    var pages = try world.session().resources.pages(of: request, as: access, options)
    var bodies: [String] = []
    do throws(SDKError) {
      while let page = try await pages.next() {
        bodies.append(String(decoding: page.body, as: UTF8.self))
      }
    } catch {
      return (bodies, pages.upcoming?.description, error)
    }
    return (bodies, pages.upcoming?.description, nil)
  }

  private static func options(_ source: NextPageSource) -> ResourcePages.Options {
    var options = ResourcePages.Options()
    options.source = source
    return options
  }

  @Test("follow Link with the request's fields and token at their origin")
  func links() async throws {
    let world = try await Self.world([
      (Self.start + "?n=2", Self.page("1", link: "/v1/x?p=2")),
      ("https://api.test/v1/x?p=2", Self.page("2", link: "?p=3")),
      ("https://api.test/v1/x?p=3", Self.page("3")),
    ])
    let request = ResourceRequest("/x", headers: [("X-A", "b")], parameters: [("n", "2")])
    let result = try await Self.run(world, request)
    #expect(result.bodies == ["1", "2", "3"])
    #expect(result.upcoming == nil && result.error == nil)
    let sent = world.transport.sent
    #expect(sent.map { $0.fields["Authorization"] } == ["Bearer a1", "Bearer a1", "Bearer a1"])
    #expect(sent.map { $0.fields["X-A"] } == ["b", "b", "b"])
  }

  @Test("take nothing private to another origin, and not back either")
  func origins() async throws {
    let world = try await Self.world(
      [
        (Self.start, Self.page("1", link: "https://other.test/2")),
        ("https://other.test/2", Self.page("2", link: "https://api.test/admin")),
        ("https://api.test/admin", Self.page("3", link: "/v1/x?p=4")),
        ("https://api.test/v1/x?p=4", Self.page("4")),
      ], ["allowedHosts": ["other.test"]])
    let request = ResourceRequest("/x", headers: [("X-Api-Key", "k"), ("Accept", "a/b")])
    let result = try await Self.run(world, request)
    #expect(result.bodies == ["1", "2", "3", "4"])
    let sent = world.transport.sent
    #expect(sent.map { $0.fields["Authorization"] } == ["Bearer a1", nil, nil, nil])
    #expect(sent.map { $0.fields["X-Api-Key"] } == ["k", nil, nil, nil])
    #expect(sent.map { $0.fields["Accept"] } == ["a/b", "a/b", "a/b", "a/b"])
  }

  @Test("that a redirect took to another origin lead on without the token")
  func redirected() async throws {
    let world = try await Self.world([
      (Self.start, .redirect(302, to: "https://other.test/1")),
      ("https://other.test/1", Self.page("1", link: "https://api.test/admin")),
      ("https://api.test/admin", Self.page("2")),
    ])
    #expect(try await Self.run(world).bodies == ["1", "2"])
    #expect(
      world.transport.sent.map { $0.fields["Authorization"] } == ["Bearer a1", nil, nil])
  }

  @Test("of a cursor begin at the first URL each time")
  func cursors() async throws {
    let world = try await Self.world([
      (Self.start + "?a=b%20c&cursor=", .redirect(302, to: "https://other.test/1")),
      ("https://other.test/1", Self.page(#"{"meta":{"next":"c/2"}}"#)),
      (Self.start + "?a=b%20c&cursor=c%2F2", Self.page(#"{"meta":{"next":3}}"#)),
      (Self.start + "?a=b%20c&cursor=3", Self.page(#"{"meta":{"next":""}}"#)),
    ])
    let result = try await Self.run(
      world, ResourceRequest("/x?a=b%20c&cursor="), as: .user,
      Self.options(.cursor(field: "meta.next", parameter: "cursor")))
    #expect(result.bodies.count == 3)
    #expect(result.error == nil)
    #expect(
      world.transport.sent.map { $0.fields["Authorization"] }
        == ["Bearer a1", nil, "Bearer a1", "Bearer a1"])
  }

  @Test(
    "of a field end with one that is missing, null, false or empty",
    arguments: [#"{}"#, #"{"n":null}"#, #"{"n":false}"#, #"{"n":""}"#, #"[]"#, #"7"#, ""])
  func ends(last: String) async throws {
    let world = try await Self.world([
      (Self.start, Self.page(#"{"n":"/2"}"#)), ("https://api.test/2", Self.page(last)),
    ])
    let result = try await Self.run(
      world, ResourceRequest("/x"), as: .user, Self.options(.url(field: "n")))
    #expect(result.bodies.count == 2)
    #expect(result.error == nil && result.upcoming == nil)
  }

  @Test(
    "end with an error if what names the next one cannot be followed",
    arguments: [
      (
        "{", NextPageSource.url(field: "n"),
        "the body is not JSON: expected a member name at line 1, column 2"
      ),
      (#"{"n":7}"#, .url(field: "n"), "'n' is a number, not a URL"),
      (#"{"n":true}"#, .url(field: "n"), "'n' is a boolean, not a URL"),
      (#"{"n":["a"]}"#, .cursor(field: "n", parameter: "c"), "'n' is an array, not a cursor"),
      (#"{"n":"ftp://a/"}"#, .url(field: "n"), "the link to it is not a usable URL"),
      (#"{"n":"https://u@a.test/"}"#, .url(field: "n"), "the link to it is not a usable URL"),
    ])
  func unusable(body: String, source: NextPageSource, cause: String) async throws {
    let world = try await Self.world([(Self.start, Self.page(body))])
    let result = try await Self.run(world, ResourceRequest("/x"), as: .user, Self.options(source))
    #expect(result.bodies == [body])
    #expect(result.error?.code == .malformedResponse)
    let message = result.error?.message ?? ""
    #expect(message.hasPrefix("could not find the next page: \(cause)"), "\(message)")
    #expect(world.transport.sent.count == 1)
  }

  @Test(
    "end with an error after a Link field that is malformed or ambiguous",
    arguments: [
      (["nonsense"], "the field 'Link' is malformed"),
      (["</2>; rel=next, </3>; rel=next"], "it has several links to it"),
      (["</2>; rel=next", "</2>; rel=next"], nil), (["</2>; rel=next", "nonsense"], nil),
      (["</2>; rel=next; anchor=\"/o\""], nil),
    ] as [([String], String?)])
  func badLinks(fields: [String], cause: String?) async throws {
    var first = FakeTransport.Response.json("1")
    for field in fields { first.fields.append(HTTPField(known: "Link", field)) }
    let world = try await Self.world([
      (Self.start, first), ("https://api.test/2", Self.page("2")),
    ])
    let result = try await Self.run(world)
    #expect(result.error?.message == cause.map { "could not find the next page: \($0)" })
    let hasAnchor = fields[0].hasSuffix("\"")
    #expect(result.bodies == (cause == nil && !hasAnchor ? ["1", "2"] : ["1"]))
  }

  @Test(
    "that lead back end the list",
    arguments: ["", "/v1/x", "/b", "https://api.test:443/v1/x#f"])
  func loops(link: String) async throws {
    let world = try await Self.world([
      (Self.start, Self.page("1", link: "/b")), ("https://api.test/b", Self.page("2", link: link)),
    ])
    let result = try await Self.run(world)
    #expect(result.bodies == ["1", "2"])
    #expect(result.upcoming == nil)
    #expect(
      result.error?.message
        == "could not find the next page: page 2 leads back to an earlier one")
    #expect(world.transport.sent.count == 2)
  }

  @Test("with a cursor that is repeated end")
  func repeatedCursor() async throws {
    let body = #"{"c":"same"}"#
    let world = try await Self.world([
      (Self.start, Self.page(body)), (Self.start + "?c=same", Self.page(body)),
    ])
    let result = try await Self.run(
      world, ResourceRequest("/x"), as: .user, Self.options(.cursor(field: "c", parameter: "c")))
    #expect(result.bodies == [body, body])
    #expect(result.error?.code == .malformedResponse)
    #expect(world.transport.sent.count == 2)
  }

  @Test("never lead from https to http", arguments: ["http://api.test/2", "http://127.0.0.1/2"])
  func downgrade(link: String) async throws {
    let world = try await Self.world(
      [(Self.start, Self.page("1", link: link)), (link, Self.page("2"))],
      ["insecureLoopback": true])
    let result = try await Self.run(world)
    #expect(result.bodies == ["1"])
    #expect(result.error?.code == .policy)
    #expect(
      result.error?.message
        == "could not fetch \(Self.start): the link to the next page leads from https to http")
    #expect(world.transport.sent.count == 1)
  }

  @Test("that began with http do not come back from https to it")
  func downgradeLater() async throws {
    let world = try await Self.world(
      [
        ("http://127.0.0.1/x", Self.page("1", link: "https://127.0.0.1:80/2")),
        ("https://127.0.0.1:80/2", Self.page("2", link: "http://127.0.0.1/3")),
      ], ["insecureLoopback": true, "resourceURL": "http://127.0.0.1:80"])
    let result = try await Self.run(world)
    #expect(result.bodies == ["1", "2"])
    #expect(result.error?.code == .policy)
  }

  @Test("are at most as many as allowed, and say where to go on")
  func bounded() async throws {
    let world = try await Self.world([
      (Self.start, Self.page("1", link: "?p=2")),
      (Self.start + "?p=2", Self.page("2", link: "?p=3")),
    ])
    var options = ResourcePages.Options()
    options.maximumCount = 2
    let result = try await Self.run(world, ResourceRequest("/x"), as: .user, options)
    #expect(result.bodies == ["1", "2"])
    #expect(result.upcoming == Self.start + "?p=3")
    #expect(result.error == nil)
  }

  @Test("that are too large are refused")
  func huge() async throws {
    let world = try await Self.world([
      (Self.start, Self.page("1", link: "?p=2")), (Self.start + "?p=2", Self.page("[1234567]")),
    ])
    var options = ResourcePages.Options()
    options.maximumSize = 8
    let result = try await Self.run(world, ResourceRequest("/x"), as: .user, options)
    #expect(result.bodies == ["1"])
    #expect(result.upcoming == Self.start + "?p=2")
    #expect(result.error?.message.hasSuffix("the body is larger than 8 bytes") == true)
  }

  @Test("that fail can be requested again; an HTTP error is returned and is the last one")
  func failures() async throws {
    let world = try await Self.world([(Self.start, Self.page("1", link: "?p=2"))])
    world.transport.respond(
      Self.start + "?p=2", .failure(.connection, "broken"), .status(500, "no"))
    var pages = try world.session().resources.pages(of: ResourceRequest("/x"), as: .user)
    #expect(try await pages.next()?.status == 200)
    await expect(.network, "could not fetch \(Self.start): broken") { _ = try await pages.next() }
    #expect(pages.upcoming?.description == Self.start + "?p=2")
    #expect(try await pages.next()?.status == 500)
    #expect(try await pages.next() == nil)
    #expect(pages.count == 1)
    #expect(pages.upcoming?.description == Self.start + "?p=2")
  }

  @Test("are those of a GET", arguments: ["POST", "HEAD", "DELETE"])
  func methods(method: String) async throws {
    let world = try await Self.world([])
    #expect(throws: SDKError.self) {
      try world.session().resources.pages(of: ResourceRequest(method, "/x"), as: .user)
    }
  }
}
