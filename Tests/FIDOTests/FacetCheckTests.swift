import CoreTestSupport
import UAF

@testable import FIDO
@testable import SDKCore

@Suite("The facets that an application trusts")
struct FacetCheckTests {
  private static let list = "\(FakeFIDOServer.origin)/facets"

  /// A world with a FIDO server.
  private static func world(_ settings: JSONObject = [:]) throws -> (World, FakeFIDOServer) {
    let world = try World(
      settings.merging(["fido.url": .string(FakeFIDOServer.origin)]) { left, _ in left })
    return (world, FakeFIDOServer(world.transport))
  }

  private static func check(_ world: World, appID: String) async throws {
    let session = try world.session()
    let check = FacetCheck(
      environment: session.environment, settings: try FIDOSettings(session.profile),
      cache: session.server.cache)
    let message = """
      [{"header": {"upv": {"major": 1, "minor": 1}, "op": "Reg", "appID": "\(appID)"}, \
      "challenge": "AAAAAAAAAAAAAAAAAAAAAA", "username": "alice", "policy": {"accepted": \
      [[{"aaid": ["F1D0#1001"]}]]}}]
      """
    try await check.requireTrust(of: try UAFRegistrationRequest(parsing: message).header)
  }

  @Test("are not needed if the application is the facet")
  func own() async throws {
    for appID in ["", FakeFIDOServer.origin] {
      let (world, server) = try Self.world()
      try await Self.check(world, appID: appID)
      #expect(server.requests.isEmpty)
    }
    let (world, server) = try Self.world(["fido.facetID": "ios:bundle-id:test.app"])
    try await Self.check(world, appID: "ios:bundle-id:test.app")
    #expect(server.requests.isEmpty)
  }

  @Test("are fetched once an hour, and again if the facet is not among those that were kept")
  func fetched() async throws {
    let (world, server) = try Self.world()
    try await Self.check(world, appID: Self.list)
    try await Self.check(world, appID: Self.list)
    #expect(server.paths == ["/facets"])
    #expect(server.requests[0].fields["Accept"] == "application/fido.trusted-apps+json")
    world.now = World.now + 3601
    try await Self.check(world, appID: Self.list)
    #expect(server.paths == ["/facets", "/facets"])
    try world.set("fido.facetID", to: "ios:bundle-id:test.app")
    server.rules.facets = ["ios:bundle-id:test.app"]
    try await Self.check(world, appID: Self.list)
    #expect(server.requests.count == 3)
    // A list that was kept by a clock that was ahead is not used longer for that.
    world.now = World.now
    try await Self.check(world, appID: Self.list)
    #expect(server.requests.count == 4)
  }

  @Test(
    "that do not have this client, or that cannot be trusted, end the operation",
    arguments: [
      ("the facet is not listed", "does not list the facet 'https://fido.test' (fido.facetID)"),
      ("another application", "is not that of fido.appID"),
      ("a redirect that is not meant", "is not authorized"),
      ("redirects without end", "has more than 5 redirects"),
      ("another status", "has the status 404"),
      ("no list", "is not of the media type"),
    ])
  func untrusted(what: String, cause: String) async throws {
    let (world, server) = try Self.world(
      what == "another application" ? ["fido.appID": "https://fido.test/other"] : [:])
    var redirect = FakeTransport.Response.redirect(302, to: "/facets")
    switch what {
    case "the facet is not listed": server.rules.facets = ["https://other.test"]
    case "a redirect that is not meant": server.rules.answers["/facets"] = redirect
    case "redirects without end":
      redirect.fields.append(HTTPField(known: "FIDO-AppID-Redirect-Authorized", "true"))
      server.rules.answers["/facets"] = redirect
    case "another status": server.rules.answers["/facets"] = .status(404)
    case "no list": server.rules.answers["/facets"] = .json("{}")
    default: break
    }
    let error = await expect(.untrusted) { try await Self.check(world, appID: Self.list) }
    #expect(error?.message.contains(cause) == true, "\(error?.message ?? "")")
  }

  @Test("are fetched over https only, and have at most 256 KiB")
  func refused() async throws {
    let (world, server) = try Self.world()
    await expect(.untrusted) { try await Self.check(world, appID: "http://fido.test/facets") }
    await expect(.untrusted) { try await Self.check(world, appID: "ios:bundle-id:other") }
    #expect(server.requests.isEmpty)
    server.rules.answers["/facets"] = .json(String(repeating: " ", count: (1 << 18) + 1))
    await expect(.malformedResponse) { try await Self.check(world, appID: Self.list) }
  }
}
