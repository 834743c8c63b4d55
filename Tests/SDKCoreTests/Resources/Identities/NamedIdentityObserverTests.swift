import CoreTestSupport

@testable import SDKCore

@Suite("An identity that the caller chose")
struct NamedIdentityObserverTests {
  private static func request(_ url: String, isAtOrigin: Bool = true) throws -> ObservedRequest {
    ObservedRequest(
      id: .unique(), HTTPRequest(.get, try HTTPURL(url)), isAtOrigin: isAtOrigin)
  }

  @Test(
    "is opened for the server that the request is for, by TLS, and for no other",
    arguments: [
      ("https://api.test/x", true, true), ("http://api.test/x", true, false),
      ("https://b.test/x", false, false),
    ])
  func place(url: String, isAtOrigin: Bool, isOpened: Bool) async throws {
    let world = try World()
    // There is none of the name, which is noticed when it is opened.
    let observer = NamedIdentityObserver(try IdentityName("absent"), in: world.identities())
    var code: SDKError.Code?
    do throws(SDKError) {
      var request = try attempt { try Self.request(url, isAtOrigin: isAtOrigin) }
      try await observer.willSend(&request)
    } catch {
      code = error.code
    }
    #expect(code == (isOpened ? .identity : nil))
  }

  @Test("is opened once")
  func once() async throws {
    let world = try World()
    var identity = try TestIdentity.make("mine", hosts: [])
    identity.key = try await identity.key.sealed(with: Array("secret".utf8))
    let asked = Questions()
    let store = IdentityStore(
      world.store, world.name, unlock: { _ in asked.answer() }, now: { World.now })
    try await store.save(identity)
    let observer = NamedIdentityObserver(identity.name, in: store)
    for _ in 0..<2 {
      var request = try Self.request("https://api.test/x")
      try await observer.willSend(&request)
      #expect(request.identity != nil)
    }
    #expect(asked.count == 1)
  }

  /// Gives a passphrase, and counts.
  private final class Questions: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func answer() -> [UInt8] {
      number.withLock { $0 += 1 }
      return Array("secret".utf8)
    }
  }
}
