import CoreTestSupport
import UAF

@testable import FIDO
@testable import SDKCore

@Suite("Dispatch targets")
struct DispatchTargetServiceTests {
  /// A world whose user has logged in with a key.
  static func loggedIn() async throws -> (World, FakeFIDOServer) {
    let (world, server) = try await FIDOServiceTests.registered()
    _ = try await world.session().fido.logIn(asking: FIDOServiceTests.Person("271828").delegates)
    return (world, server)
  }

  private static func created() async throws -> (World, FakeFIDOServer, DispatchTarget) {
    let (world, server) = try await loggedIn()
    let target = try await world.session().dispatchTargets.add(
      DispatchTargetSettings(name: "laptop"))
    return (world, server, target)
  }

  @Test("are created with two public keys, and the session of the login")
  func create() async throws {
    let (world, server, target) = try await Self.created()
    #expect(target.id == "t1" && target.externalID == "e1" && target.hasKeys)
    let sent = try #require(server.targets.first)
    #expect(sent["name"] == "laptop" && sent["username"] == "alice")
    #expect(sent["dispatcher"] == "firebase-cloud-messaging")
    #expect(sent["target"] == sent["deviceId"] && sent["target"]?.string?.count == 32)
    for (name, use) in [("signatureKey", "ES256"), ("encryptionKey", "ECDH-ES")] {
      let key = try JSON(parsing: try #require(sent[name]?.string))
      #expect(key["alg"]?.string == use && key["kty"] == "EC" && key["d"] == nil)
    }
    #expect(server.requests.last?.fields["Cookie"] == "sid=s1")
    #expect(try world.session().dispatchTargets.stored() == [target])
    let file = "state/profiles/work/dispatch-targets.json"
    #expect(try world.folder.mode(of: file) == 0o600)
    #expect(try world.folder.text(of: file).contains("PRIVATE KEY"))
  }

  @Test("are listed, and it is known which have their keys here")
  func list() async throws {
    let (world, server, target) = try await Self.created()
    #expect(try await world.session().dispatchTargets.list() == [target])
    #expect(server.requests.last?.line.hasSuffix("/targets/?username=alice") == true)
    server.rules.answers["/token/dispatch/targets/?username=alice"] = .other(
      200, "application/json", #"{"dispatchTargets": [{"id": "t2", "name": "phone"}]}"#)
    let other = try await world.session().dispatchTargets.list()
    #expect(other.map(\.hasKeys) == [false] && other.map(\.name) == ["phone"])
    for body in ["[]", #"{"dispatchTargets": [{"id": ".."}]}"#] {
      server.rules.answers["/token/dispatch/targets/?username=alice"] = .other(
        200, "application/json", body)
      await expect(.malformedResponse) { try await world.session().dispatchTargets.list() }
    }
  }

  @Test("can be forgotten only if their keys are here")
  func foreign() async throws {
    let (world, server, target) = try await Self.created()
    let service = try world.session().dispatchTargets
    let before = server.requests.count
    for id in ["t2", "../x", ""] {
      await expect(.invalidRequest) { try await service.forget(id) }
    }
    #expect(server.requests.count == before)
    try await service.forget(target.id)
    #expect(try service.stored().isEmpty)
  }

  @Test("are deleted at the server, and then here")
  func delete() async throws {
    let (world, server, target) = try await Self.created()
    let service = try world.session().dispatchTargets
    let path = "/token/dispatch/targets/t1"
    server.rules.answers[path] = .status(403)
    await #expect(throws: SDKError.self) { try await service.remove(target.id) }
    #expect(try service.stored() == [target])
    let sent = server.requests.count
    for id in ["../x", "a/b", "", "."] {
      let error = await #expect(throws: SDKError.self) { try await service.remove(id) }
      #expect(error?.code == .invalidRequest, "\(id)")
    }
    #expect(server.requests.count == sent)
    server.rules.answers[path] = nil
    try await service.remove(target.id)
    #expect(server.requests.last?.line == "DELETE \(FakeFIDOServer.origin)\(path)")
    #expect(try service.stored().isEmpty)
  }

  @Test("need a session to be created, listed and deleted")
  func withoutSession() async throws {
    let (world, server) = try FIDOServiceTests.world()
    let service = try world.session().dispatchTargets
    await expect(.notAuthenticated) { try await service.list() }
    await expect(.notAuthenticated) { try await service.add(DispatchTargetSettings(name: "x")) }
    await expect(.notAuthenticated) { try await service.remove("x") }
    #expect(server.requests.isEmpty)
  }

  @Test("are not read from a damaged file", arguments: ["id", "signatureKey", "encryptionKey"])
  func damaged(member: String) async throws {
    let (world, _, _) = try await Self.created()
    let file = "state/profiles/work/dispatch-targets.json"
    var document = try JSON(parsing: world.folder.bytes(of: file))
    var target = try #require(document["targets"]?.array?.first)
    target[member] = "x/"
    document["targets"] = [target]
    try world.folder.write(document.serialized(), to: file, mode: 0o600)
    await expect(.invalidConfiguration) { try world.session().dispatchTargets.stored() }
  }
}
