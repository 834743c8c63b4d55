import Arguments
import CoreTestSupport

@testable import Commands

@Suite("The end of pins")
struct PinExpiryTests {
  @Test(
    "is that of the day that is named, or the time that is named",
    arguments: [
      ("2027-01-31", "2027-02-01T00:00:00Z"), ("2024-02-29", "2024-03-01T00:00:00Z"),
      ("2027-12-31", "2028-01-01T00:00:00Z"),
      ("2027-01-31T00:00:00Z", "2027-01-31T00:00:00Z"),
      ("2027-01-31T12:00:00+01:00", "2027-01-31T11:00:00Z"),
    ])
  func end(text: String, first: String) throws {
    #expect(try PinAdd.end(text).description == first)
  }

  @Test("is not any other text", arguments: ["", "2027-02-30", "tomorrow", "2027-1-31"])
  func bad(text: String) {
    #expect(throws: ValueError.self) { try PinAdd.end(text) }
  }
}
