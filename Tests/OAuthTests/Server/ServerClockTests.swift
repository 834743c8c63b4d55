import TestSupport

@testable import OAuth

@Suite("Server clock")
struct ServerClockTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  private static let moment: Timestamp = 784_111_777
  private let news = Noted<Int64>()

  private func clock(behind: Int64) -> ServerClock {
    ServerClock(now: { Self.moment - behind }, tell: { [news] in news.add($0) })
  }

  @Test(
    "reports more than a minute if the server refuses a request, and nothing else by itself",
    arguments: [
      (61, 400, 61), (-61, 401, -61), (60, 400, nil), (-60, 400, nil), (86400, 200, nil),
      (86400, 503, nil),
      (86400, 404, nil), (90, 403, 90),
    ] as [(Int64, Int, Int64?)])
  func tells(behind: Int64, status: Int, told: Int64?) throws {
    let clock = clock(behind: behind)
    clock.see(try Self.response(status))
    #expect(news.all == [told].compactMap { $0 })
    #expect(clock.behind == (behind.magnitude > 60 ? behind : nil))
  }

  @Test("reports once, and on request")
  func once() throws {
    let clock = clock(behind: 100)
    clock.tellOnce()
    #expect(news.all == [])
    clock.see(try Self.response(200))
    #expect(news.all == [])
    clock.tellOnce()
    clock.tellOnce()
    clock.see(try Self.response(400))
    #expect(news.all == [100])
  }

  @Test("keeps the difference until a later Date has none")
  func latest() throws {
    let clock = clock(behind: 100)
    clock.see(try Self.response(200))
    clock.see(try Self.response(200, date: nil))
    clock.see(try Self.response(200, date: "yesterday"))
    #expect(clock.behind == 100)
    clock.see(try Self.response(200, date: "Sun, 06 Nov 1994 08:48:00 GMT"))
    #expect(clock.behind == nil)
  }

  @Test("reads the Date of every response")
  func exchange() async throws {
    let clock = clock(behind: 100)
    var answer = FakeTransport.Response.json(#"{"error":"invalid_client"}"#, status: 401)
    answer.fields.append(HTTPField(known: "Date", "Sun, 06 Nov 1994 08:49:37 GMT"))
    let transport = FakeTransport(["https://id.test/token": [answer]])
    let serverClient = ServerClient(transport: transport, clock: clock)
    _ = try? await serverClient.object(HTTPRequest(.post, try HTTPURL("https://id.test/token")))
    #expect(news.all == [100])
  }

  private static func response(
    _ status: Int, date: String? = "Sun, 06 Nov 1994 08:49:37 GMT"
  ) throws -> HTTPResponse {
    let fields = date.map { [HTTPField(known: "Date", $0)] } ?? []
    return HTTPResponse(
      status: status, fields: HTTPFields(fields), url: try HTTPURL("https://id.test"))
  }
}
