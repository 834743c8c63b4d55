import BulkRequests
import CoreTestSupport

@testable import SDKCore

@Suite("Each of many requests of one user")
struct BulkOwnerTests {
  private static let url = "https://api.test/v1/x"

  private static func world() async throws -> World {
    let world = try await World.registered()
    try await world.credentials(.user).save(try .of("alice"))
    return world
  }

  /// The access tokens that the resource server saw.
  private static func seen(_ world: World) -> [String] {
    world.transport.sent.filter { $0.url.hasPrefix("https://api.test/") }
      .map { String(($0.fields["Authorization"] ?? "").dropFirst("Bearer ".count)) }
  }

  private static let refusal =
    "could not send the request: another user has logged in since it was made"

  @Test("is a page of a list, and is not sent as another one")
  func pages() async throws {
    let world = try await Self.world()
    var first = FakeTransport.Response.json("1")
    first.fields.append(HTTPField(known: "Link", "<?p=2>; rel=next"))
    world.transport.respond(Self.url, first)
    world.transport.respond(Self.url + "?p=2", .status(200, "yes"))
    var pages = try world.session().resources.pages(of: ResourceRequest("/x"), as: .user)
    _ = try await pages.next()
    try await world.credentials(.user).save(try .of("bob"))
    await expect(.untrusted, Self.refusal) { _ = try await pages.next() }
    #expect(Self.seen(world) == ["of-alice"])
  }

  @Test("in a batch is not sent as another one either", arguments: [nil, RetryPolicy(count: 1)])
  func batch(retries: RetryPolicy?) async throws {
    let world = try await Self.world()
    let bob = try TokenSet.of("bob")
    var response = FakeTransport.Response.status(200)
    response.effect = { try? await world.credentials(.user).save(bob) }
    world.transport.respond(Self.url, response)
    let next = Mutex(0)
    let ended = (0..<3).map { _ in OneShot<SDKError.Code?>() }
    await BatchRun(try world.session(), BatchOptions(parallel: 1), retrying: retries).run(
      {
        let number = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard number < ended.count else { return nil }
        // Each begins when the one before has ended.
        if number > 0 { await ended[number - 1].wait() }
        return BatchItem(number, ResourceRequest("GET", "/x"), as: .user)
      },
      { outcome in
        if case .failure(let error) = outcome.result {
          ended[outcome.number].set(error.code)
        } else {
          ended[outcome.number].set(nil)
        }
        return true
      })
    #expect(ended.map(\.value) == [.some(nil), .untrusted, .untrusted])
    #expect(Self.seen(world) == ["of-alice"])
  }
}
