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

  private func status(
    _ body: String, type: String = PayloadRequest.mediaType, method: HTTPMethod = .post
  ) async -> Int {
    let request = Request(
      method: method, target: "/resources/unauthenticated", authority: "localhost:9443",
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
      (["iat": .int(Self.now - 301)], 400), (["iat": .int(Int.min)], 400),
      (["host": "other.test"], 400),
      (["path": "/resources/devices"], 400), (["method": nil], 400),
      // What is refused for its fields counts as sent.
      (["headers": [["a"]], "id": "AAAAAAAAAAAAAAAAAAAAAA"], 400),
      (["headers": [["a b", "c"]], "id": "AQAAAAAAAAAAAAAAAAAAAA"], 400), ([:], 200), ([:], 400),
    ] as [([String: JSON?], Int)] {
      var content = good
      for (name, value) in changes { content[name] = value }
      let body = try PayloadMessage.seal(.object(content), to: peer)
      #expect(await self.status(body, method: .put) == 400)
      #expect(await self.status(body) == status, "\(changes)")
    }
  }

  @Test("that is sealed in another way than its header must say")
  func seals() throws {
    let recipient = PayloadKey()
    let peer = try #require(PayloadPeer(recipient.jwk))
    let rows: [(JSONObject, nonce: Int, tag: Int, isGood: Bool)] = [
      ([:], 12, 16, true), ([:], 16, 16, false), ([:], 12, 17, false),
      (["alg": "ECDH-ES+A256KW"], 12, 16, false), (["enc": "A128GCM"], 12, 16, false),
      (["zip": "DEF"], 12, 16, false), (["crit": ["exp"]], 12, 16, false),
    ]
    for row in rows {
      let own = AgreementKey(.p256)
      var header: JSONObject = ["alg": "ECDH-ES", "enc": "A256GCM", "epk": own.point.jwk]
      header.merge(row.0) { $1 }
      let protected = Base64URL.encode(JSON.object(header).serializedBytes())
      let nonce = Secret.randomBytes(row.nonce)
      let key = PayloadMessage.contentKey(try #require(own.shared(with: peer)))
      guard
        let sealed = try? AESGCM.seal(
          Array("{}".utf8), key: key, nonce: nonce, authenticating: Array(protected.utf8))
      else {
        // GnuTLS 3.8 takes no other nonce.
        #expect(!row.isGood)
        continue
      }
      let rest = [nonce, sealed.dropLast(row.tag), sealed.suffix(row.tag)].map {
        Base64URL.encode($0)
      }
      let text = ([protected, ""] + rest).joined(separator: ".")
      #expect(((try? PayloadMessage.open(text, with: recipient)) != nil) == row.isGood, "\(row)")
      #expect((try? PayloadMessage.open(text.replacing("..", with: ".A."), with: recipient)) == nil)
    }
  }

  @Test("whose key is not a point in its length")
  func points() {
    let point = AgreementKey(.p256).point.bytes
    for (curve, x, y) in [
      ("P-256", point[..<31], point[31...]), ("P-256", point[..<32], point[32...] + [0]),
      ("P-256", point[32...], point[..<32]), ("X25519", point[..<33], nil),
    ] as [(JSON, ArraySlice<UInt8>, ArraySlice<UInt8>?)] {
      let jwk: JSON = [
        "kty": y == nil ? "OKP" : "EC", "crv": curve, "x": .string(Base64URL.encode(x)),
        "y": .string(Base64URL.encode(y ?? [])),
      ]
      #expect(PayloadPeer(jwk) == nil)
    }
  }

  @Test("that is no encrypted message")
  func message() async {
    #expect(await status("x") == 400)
    #expect(await status("a.b.c.d.e") == 400)
    #expect(await status("x", type: "text/plain") == 400)
  }
}
