import CoreTestSupport

@testable import SDKCore

@Suite("The clock of this machine")
struct ClockTests {
  /// The world begins at Fri, 15 Jan 2027 08:00:00 GMT.
  @Test(
    "is compared with that of the authorization server, and changes nothing",
    arguments: [
      ("Fri, 15 Jan 2027 08:01:30 GMT", 90), ("Fri, 15 Jan 2027 07:00:00 GMT", -3600),
      ("Fri, 15 Jan 2027 08:01:00 GMT", nil), ("soon", nil), (nil, nil),
    ] as [(String?, Int64?)])
  func compared(date: String?, behind: Int64?) async throws {
    let world = try await World.registered()
    try await world.store("a1", lifetime: 0)
    var answer = FakeTransport.Response.token("a2", lifetime: 600)
    if let date { answer.fields.append(HTTPField(known: "Date", date)) }
    world.transport.respond("https://id.test/token", answer)
    let session = try world.session()
    #expect(session.clockDelay == nil)
    let tokens = try await session.tokens.valid(for: .user)
    #expect(session.clockDelay == behind)
    #expect(tokens.expires == World.now + 600)
  }
}
