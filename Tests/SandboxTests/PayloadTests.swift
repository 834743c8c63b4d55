import POSIX
import TestSupport

@testable import Sandbox

@Suite("The sandbox refuses an encrypted request")
struct PayloadTests {
  private static let now = 1_800_000_000
  private let sandbox: Sandbox
  private let responder: PayloadResponder

  init() throws {
    var settings = Settings()
    settings.payloadEncryption = true
    sandbox = try Sandbox(settings: settings, clock: { Self.now })
    sandbox.listen(on: 9443)
    let log = AccessLog(file: try LogFile("/dev/null"))
    responder = PayloadResponder(
      base: Routes.all(of: sandbox, log: log, isMutual: false), sandbox: sandbox)
  }

  private func status(_ body: String, type: String = PayloadRequest.mediaType) async -> Int {
    let request = Request(
      method: .post, target: "/resources/unauthenticated", authority: "localhost:9443",
      headers: [.contentType: type], body: Array(body.utf8))
    return await responder.respond(to: request, nil).status.code
  }

  @Test("that is old, was sent before, or is for another place")
  func content() async throws {
    let peer = try #require(PayloadPeer(sandbox.payloadKey.jwk))
    let good: JSONObject = [
      "id": .string(Base64URL.encode(Array(repeating: 1, count: 16))), "iat": .int(Self.now + 300),
      "host": "localhost:9443", "path": "/resources/unauthenticated?a=b", "method": "GET",
    ]
    for (changes, status) in [
      (["id": "AAAA"], 400), (["iat": .int(Self.now + 301)], 400),
      (["iat": .int(Self.now - 301)], 400), (["host": "other.test"], 400),
      (["path": "/resources/devices"], 400), (["method": nil], 400),
      // What is refused for its fields counts as sent.
      (["headers": [["a"]], "id": "AAAAAAAAAAAAAAAAAAAAAA"], 400), ([:], 200), ([:], 400),
    ] as [([String: JSON?], Int)] {
      var content = good
      for (name, value) in changes { content[name] = value }
      let body = try PayloadMessage.seal(.object(content), to: peer)
      #expect(await self.status(body) == status, "\(changes)")
    }
  }

  @Test("that is no encrypted message")
  func message() async {
    #expect(await status("x") == 400)
    #expect(await status("a.b.c.d.e") == 400)
    #expect(await status("x", type: "text/plain") == 400)
  }
}
