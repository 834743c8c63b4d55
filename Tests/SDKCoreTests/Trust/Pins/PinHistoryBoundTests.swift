import CoreTestSupport

@testable import SDKCore

@Suite("The size of the pin history")
struct PinHistoryBoundTests {
  @Test("is bounded: the endpoints that were checked last stay")
  func bounded() {
    func keys(_ count: Int, _ last: String) -> JSON {
      .array(Array(repeating: ["last": .string(last)], count: count))
    }
    let half = 5000
    var endpoints: JSONObject = [
      "a:443": keys(half, "2026-01-02T00:00:00Z"), "b:443": keys(half, "2026-01-01T00:00:00Z"),
    ]
    #expect(PinHistoryFile.latest(endpoints) == endpoints)
    endpoints["c:443"] = keys(1, "2026-01-03T00:00:00Z")
    #expect(PinHistoryFile.latest(endpoints).map(\.key).sorted() == ["a:443", "c:443"])
  }

  @Test("that is larger than other documents may be is read, and bounded when it is next written")
  func large() throws {
    let world = try World()
    let entry = """
      {"certificateExpires":"2030-01-01T00:00:00Z","first":"2026-01-01T00:00:00Z",\
      "last":"2026-01-01T00:00:00Z","pin":"sha256/\(String(repeating: "A", count: 43))=",\
      "role":"leaf","subject":"\(String(repeating: "x", count: 1000))"}
      """
    let list = Array(repeating: entry, count: 8000).joined(separator: ",")
    try world.folder.write(
      #"{"version":2,"endpoints":{"a.test:443":[\#(list)],"b.test:443":[\#(list)]}}"#,
      to: "state/profiles/work/pin-history.json")
    let file = PinHistoryFile(world.location, world.name)
    #expect(try file.load().count == 16_000)
    try file.record([], at: World.now)
    #expect(try file.load().count <= 10_000)
    let tooLarge = [UInt8](repeating: 0, count: 64 << 20 + 1)
    try world.folder.write(tooLarge, to: "state/profiles/work/pin-history.json")
    let error = #expect(throws: SDKError.self) { try file.load() }
    #expect(error?.message.hasSuffix("larger than 67108864 bytes") == true)
  }
}
