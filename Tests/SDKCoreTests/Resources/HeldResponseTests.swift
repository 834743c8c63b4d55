import CoreTestSupport

@testable import SDKCore

@Suite("A response that is held back")
struct HeldResponseTests {
  private static let limit = 64 << 10

  private static func response(_ status: Int) throws -> HTTPResponse {
    HTTPResponse(status: status, url: try HTTPURL("https://api.test/"))
  }

  private static func write(_ count: Int, to held: HeldResponse) -> Bool {
    [UInt8](repeating: 65, count: count).withUnsafeBytes { held.write($0) }
  }

  @Test("is read to its end if another request follows, but not beyond 64 KiB")
  func dropped() throws {
    let sink = FakeSink()
    let held = HeldResponse(sink, arrived: { _ in }, judge: { _, _ in .later })
    #expect(held.begin(try Self.response(503)))
    #expect(Self.write(Self.limit - 1, to: held) && Self.write(1, to: held))
    #expect(!Self.write(1, to: held))
    #expect(sink.statuses.isEmpty && sink.body.isEmpty && !held.hasBegun)
    guard case .later = held.decided?.meaning else { return #expect(Bool(false)) }
  }

  @Test(
    "whose body decides is judged after 64 KiB at the latest, and then delivered or ended",
    arguments: [false, true])
  func waiting(isDelivered: Bool) throws {
    let sink = FakeSink()
    var asked: [Int] = []
    let held = HeldResponse(
      sink, arrived: { _ in },
      judge: { response, isEnough in
        asked.append(response.body.count)
        return isEnough ? (isDelivered ? .deliver : .refused(byLoginPage: true)) : nil
      })
    #expect(held.begin(try Self.response(200)))
    #expect(Self.write(Self.limit, to: held))
    #expect(asked == [0] && sink.statuses.isEmpty)
    #expect(Self.write(1, to: held) == isDelivered)
    #expect(asked == [0, Self.limit + 1])
    #expect(sink.body.utf8.count == (isDelivered ? Self.limit + 1 : 0))
    #expect(held.hasBegun == isDelivered)
  }
}
