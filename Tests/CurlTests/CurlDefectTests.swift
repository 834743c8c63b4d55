import Testing

@testable import Curl

@Suite("A defect of libcurl")
struct CurlDefectTests {
  @Test(
    "is avoided before the version that ended it",
    arguments: [
      (CurlDefect.takesALongLineForNoMemory, 0x08_05_00, 0x08_06_00),
      (.awaitsUnreadBody, 0x08_0A_01, 0x08_0B_00),
    ] as [(CurlDefect, UInt32, UInt32)])
  func versions(defect: CurlDefect, last: UInt32, first: UInt32) {
    #expect(defect.isPresent(in: last))
    #expect(!defect.isPresent(in: first))
  }
}
