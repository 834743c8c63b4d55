import CoreTestSupport

@testable import SDKCore

@Suite("The client's certificate")
struct CertificateBoundTests {
  @Test(
    "is shown with the tokens that are bound to it, and with no others",
    arguments: [
      ("own", true, true), ("own", false, true), ("other", true, false), ("none", true, false),
      ("opaque", true, true), ("opaque", false, false),
    ])
  func binding(kind: String, isRegistered: Bool, isShown: Bool) async throws {
    let world = try World.mutualTLS(bindsTokens: isRegistered)
    let registration = try await world.session().registration.register(.certificate())
    try await world.store(try Self.accessToken(kind, registration))
    world.transport.respond("https://api.test/v1/x", .status(200))
    _ = try await UserClient(world.session()).send(ResourceRequest("GET", "/x"))
    #expect((world.transport.sent.last?.certificate != nil) == isShown)
    world.transport.respond("https://api.test/v1/y", .status(200))
    _ = try await DeviceClient(world.session()).sendUnauthenticated(ResourceRequest("GET", "/y"))
    #expect(world.transport.sent.last?.certificate == nil)
  }

  @Test("is not sent, like the token, to another origin after a redirect")
  func redirect() async throws {
    let world = try World.mutualTLS(bindsTokens: true)
    _ = try await world.session().registration.register(.certificate())
    try await world.store("opaque")
    world.transport.respond("https://api.test/v1/x", .redirect(302, to: "/v1/y"))
    world.transport.respond("https://api.test/v1/y", .redirect(302, to: "https://else.test/z"))
    world.transport.respond("https://else.test/z", .redirect(302, to: "https://api.test/v1/w"))
    world.transport.respond("https://api.test/v1/w", .status(200))
    _ = try await UserClient(world.session()).send(ResourceRequest("GET", "/x"))
    #expect(
      world.transport.sent.suffix(4).map { $0.certificate != nil } == [true, true, false, false])
  }

  private static func accessToken(_ kind: String, _ registration: Registration) throws -> String {
    guard kind != "opaque" else { return "opaque" }
    let thumbprint = kind == "own" ? registration.certificate?.thumbprint : "other"
    let claims: JSON =
      kind == "none" ? [:] : ["cnf": ["x5t#S256": .string(try #require(thumbprint))]]
    return try SigningKey.generate(.es256).sign(
      header: [:], payload: Array(claims.serialized().utf8))
  }
}
