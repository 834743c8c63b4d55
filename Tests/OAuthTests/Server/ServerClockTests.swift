import TestSupport

@testable import OAuth

@Suite("Server clock")
struct ServerClockTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  private static let moment: Timestamp = 784_111_777

  @Test(
    "reports more than a minute if the server refuses a request, and nothing else by itself",
    arguments: [
      (61, 400, 61), (-61, 401, -61), (60, 400, nil), (-60, 400, nil), (86400, 200, nil),
      (86400, 503, nil),
      (86400, 404, nil), (90, 403, 90),
    ] as [(Int64, Int, Int64?)])
  func tells(behind: Int64, status: Int, told: Int64?) throws {
    let told = Told(now: Self.moment - behind, expected: told)
    told.clock.see(try Self.response(status))
    #expect(told.news == [told.expected].compactMap { $0 })
    #expect(told.clock.behind == (behind.magnitude > 60 ? behind : nil))
  }

  @Test("reports once, and on request")
  func once() throws {
    let told = Told(now: Self.moment - 100, expected: nil)
    told.clock.tellOnce()
    #expect(told.news == [])
    told.clock.see(try Self.response(200))
    #expect(told.news == [])
    told.clock.tellOnce()
    told.clock.tellOnce()
    told.clock.see(try Self.response(400))
    #expect(told.news == [100])
  }

  @Test("keeps the difference until a later Date has none")
  func latest() throws {
    let told = Told(now: Self.moment - 100, expected: nil)
    told.clock.see(try Self.response(200))
    told.clock.see(try Self.response(200, date: nil))
    told.clock.see(try Self.response(200, date: "yesterday"))
    #expect(told.clock.behind == 100)
    told.clock.see(try Self.response(200, date: "Sun, 06 Nov 1994 08:48:00 GMT"))
    #expect(told.clock.behind == nil)
  }

  @Test("reads the Date of every response")
  func exchange() async throws {
    let told = Told(now: Self.moment - 100, expected: nil)
    var answer = FakeTransport.Response.json(#"{"error":"invalid_client"}"#, status: 401)
    answer.fields.append(HTTPField(known: "Date", "Sun, 06 Nov 1994 08:49:37 GMT"))
    let transport = FakeTransport(["https://id.test/token": [answer]])
    let serverClient = ServerClient(transport: transport, clock: told.clock)
    _ = try? await serverClient.object(HTTPRequest(.post, try HTTPURL("https://id.test/token")))
    #expect(told.news == [100])
  }

  private static func response(
    _ status: Int, date: String? = "Sun, 06 Nov 1994 08:49:37 GMT"
  ) throws -> HTTPResponse {
    let fields = date.map { [HTTPField(known: "Date", $0)] } ?? []
    return HTTPResponse(
      status: status, fields: HTTPFields(fields), url: try HTTPURL("https://id.test"))
  }
}

/// What a clock told.
private final class Told: Sendable {
  let expected: Int64?
  let clock: ServerClock
  private let told: Box

  init(now: Timestamp, expected: Int64?) {
    self.expected = expected
    let box = Box()
    told = box
    clock = ServerClock(now: { now }, tell: { news in box.value.withLock { $0.append(news) } })
  }

  var news: [Int64] { told.value.withLock { $0 } }

  private final class Box: Sendable {
    let value = Mutex<[Int64]>([])
  }
}
