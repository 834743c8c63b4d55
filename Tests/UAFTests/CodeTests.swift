import Testing
import UAF

@Suite("Codes of the protocol")
struct CodeTests {
  @Test("of the server have names and meanings")
  func statuses() {
    #expect(UAFStatus.all.count == 19)
    #expect(UAFStatus.all.allSatisfy { $0.name != nil && !$0.meaning.isEmpty })
    #expect(UAFStatus.unknownKeyID.name == "Unknown KeyID")
    #expect(UAFStatus.all.filter(\.deletesKey) == [.unknownKeyID])
    #expect(UAFStatus.all.filter(\.isSuccess) == [.ok])
    #expect(UAFStatus.all.filter(\.isPending) == [.accepted])
    #expect(UAFStatus(rawValue: 1999).name == nil)
    #expect(UAFStatus(rawValue: 1999).meaning == "the server returned the unknown status 1999")
  }

  @Test("of the client have the numbers and names of the specification")
  func clientErrors() {
    #expect(
      ClientErrorCode.allCases.map(\.rawValue)
        == [0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 13, 14, 15, 16, 17, 255])
    #expect(Set(ClientErrorCode.allCases.map(\.name)).count == ClientErrorCode.allCases.count)
    #expect(ASMStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 9, 11, 14, 15, 16, 17])
    #expect(ASMStatus(.userLockout).name == "UAF_ASM_STATUS_USER_LOCKOUT")
  }
}
