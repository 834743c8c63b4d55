import TestSupport

/// A number keeps its spelling; as an integer it is exact, or there is none.
@Suite("A number")
struct JSONNumberTests {
  @Test(
    "is an integer if it is whole and fits in 64 bits, however it is written",
    arguments: [
      ("0", 0), ("-0", 0), ("0.0", 0), ("-0.000", 0), ("0e400", 0), ("0E-400", 0), ("-0.0e9", 0),
      ("1.0", 1), ("-1.000", -1), ("10e-1", 1), ("1500e-2", 15), ("1.50e2", 150), ("1.5E+1", 15),
      ("12.34e2", 1234), ("12.340e2", 1234), ("1e0", 1), ("1e+00002", 100), ("100e-2", 1),
      ("1e18", 1_000_000_000_000_000_000), ("-1e18", -1_000_000_000_000_000_000),
      ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("9223372036854775807.0", .max), ("922337203685477580.7e1", .max),
      ("9007199254740993.0", 9_007_199_254_740_993), ("5000000000000001e0", 5_000_000_000_000_001),
      // Too large.
      ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1e19", nil), ("1e400", nil),
      ("92233720368547758070e-1", .max), ("9223372036854775808.0", nil), ("-1e19", nil),
      ("1e99999999999999999999", nil), ("100000000000000000000", nil),
      // Not whole, also if the nearest `Double` is.
      ("0.5", nil), ("1.5", nil), ("15e-1", nil), ("1e-1", nil), ("-0.1", nil), ("1e-400", nil),
      ("1.00000000000000000001", nil), ("5000000000000000.5", nil), ("1.001e2", nil),
      ("1e-99999999999999999999", nil), ("0.99999999999999999999", nil), ("1e-2147483648", nil),
    ] as [(String, Int64?)])
  func integers(text: String, value: Int64?) throws {
    let number = try JSON(parsing: text)
    #expect(number.int == value)
    #expect(number.time?.seconds == value)
    #expect(number.serialized() == text)
  }

  @Test(
    "is a Double if it is in range",
    arguments: [
      ("0", 0), ("-0", -0.0), ("0.1", 0.1), ("1e308", 1e308), ("-1e-7", -1e-7),
      ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0),
      ("123456789012345678901234567890", 1.2345678901234568e29),
      ("1E2", 100), ("0.30000000000000004", 0.1 + 0.2), ("9007199254740993", 9_007_199_254_740_992),
      ("1e309", nil), ("-1e309", nil), ("1e400", nil), ("9e99999999999", nil),
    ] as [(String, Double?)])
  func doubles(text: String, value: Double?) throws {
    #expect(try JSON(parsing: text).double == value)
  }

  @Test("that is too large in one form is not another number")
  func spelling() throws {
    let large = try JSON(parsing: "123456789012345678901234567890")
    #expect(large == (try JSON(parsing: "123456789012345678901234567890")))
    #expect(large != (try JSON(parsing: "123456789012345678901234567891")))
    #expect(try JSON(parsing: "1.0") != JSON(parsing: "1"))
  }

  @Test(
    "made of a Double is read as the same Double",
    arguments: [
      0, -0.0, 0.1, 1, -1.5, 1e16, 1e-7, 1e300, .leastNonzeroMagnitude, .pi, 1.7976931348623157e308,
      Double(Int64.max), 123_456_789.123,
    ])
  func ofDouble(value: Double) throws {
    let number = try #require(JSONNumber(value))
    let read = try JSON(parsing: JSON.number(number).serialized())
    #expect(read.double?.bitPattern == value.bitPattern)
  }

  @Test("is not made of a Double that is not finite")
  func notFinite() {
    for value in [Double.nan, .infinity, -.infinity, .signalingNaN] {
      #expect(JSONNumber(value) == nil)
    }
  }

  @Test("made of an integer is that integer", arguments: [0, 1, -1, Int64.max, .min])
  func ofInteger(value: Int64) throws {
    #expect(JSON.int(value).int == value)
    #expect(try JSON(parsing: JSON.int(value).serialized()) == .int(value))
  }
}
