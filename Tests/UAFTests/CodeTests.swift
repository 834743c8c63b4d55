import Testing
import UAF

@Suite("Codes of the protocol")
struct CodeTests {
  @Test("of the server have meanings")
  func statuses() {
    #expect(UAFStatus.unknownKeyID.meaning == "the server does not know this key")
    #expect(UAFStatus.unknownKeyID.deletesKey && !UAFStatus.ok.deletesKey)
    #expect(UAFStatus(rawValue: 1999).meaning == "the server returned the unknown status 1999")
  }

  @Test("of the client have the numbers and names of the specification")
  func clientErrors() {
    #expect(
      ClientErrorCode.allCases.map(\.rawValue)
        == [0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 13, 14, 15, 16, 17, 255])
    #expect(Set(ClientErrorCode.allCases.map(\.name)).count == ClientErrorCode.allCases.count)
  }
}
