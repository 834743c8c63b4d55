import JSON
import Testing

@testable import SDKCore

@Suite("The size of the pin history")
struct PinHistoryBoundTests {
  @Test("is bounded: the endpoints that were checked last stay")
  func bounded() {
    func keys(_ count: Int, _ last: String) -> JSON {
      .array(Array(repeating: ["last": .string(last)], count: count))
    }
    let half = PinHistoryFile.maximumCount / 2
    var endpoints: JSONObject = [
      "a:443": keys(half, "2026-01-02T00:00:00Z"), "b:443": keys(half, "2026-01-01T00:00:00Z"),
    ]
    #expect(PinHistoryFile.latest(endpoints) == endpoints)
    endpoints["c:443"] = keys(1, "2026-01-03T00:00:00Z")
    #expect(PinHistoryFile.latest(endpoints).map(\.key).sorted() == ["a:443", "c:443"])
  }
}
