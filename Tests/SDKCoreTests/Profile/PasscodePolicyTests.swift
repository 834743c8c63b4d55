import CoreTestSupport

@testable import SDKCore

@Suite("The policy of a passcode")
struct PasscodePolicyTests {
  @Test("refuses what is easy to guess")
  func violations() {
    var policy = PasscodePolicy()
    policy.blockList = ["147258", "password"]
    policy.maximumLength = 12
    for (passcode, violation) in [
      ("271828", nil), ("12345", .tooShort(minimum: 6)), ("", .tooShort(minimum: 6)),
      ("1234567890123", .tooLong(maximum: 12)), ("123456", .sequence), ("987654", .sequence),
      ("789012", .sequence), ("210987", .sequence), ("123457", nil), ("135791", nil),
      ("111222", nil), ("111122", .similarDigits(maximum: 3)), ("147258", .blocked),
      ("password", .blocked), ("aaaaaaa", nil), ("päßwörd", nil), ("12\t3456", .notText),
      ("\u{7F}123456", .notText),
    ] as [(String, PasscodePolicy.Violation?)] {
      #expect(policy.violation(of: Array(passcode.utf8)) == violation, "\(passcode)")
    }
    #expect(policy.violation(of: [0xFF, 0xFE, 0x31, 0x32, 0x33, 0x34]) == .notText)
    policy.maximumSimilarDigits = nil
    // Equal digits are no sequence.
    #expect(policy.violation(of: Array("111111".utf8)) == nil)
    policy.allowsSequences = true
    #expect(policy.violation(of: Array("123456".utf8)) == nil)
    #expect(policy.violation(of: Array("111111".utf8)) == nil)
  }

  @Test("has a pause after each wrong passcode from the third on")
  func coolDown() {
    let policy = PasscodePolicy()
    #expect((0...5).map(policy.coolDown(after:)) == [0, 0, 0, 30, 60, 120])
    #expect(policy.coolDown(after: .max) == 3600)
  }

  private func violation(_ passcode: String) -> PasscodePolicy.Violation? {
    var policy = PasscodePolicy()
    (policy.minimumLength, policy.maximumLength, policy.maximumSimilarDigits) = (5, 8, 2)
    policy.blockList = ["90210"]
    return policy.violation(of: Array(passcode.utf8))
  }

  @Test(
    "refuses what the vendors' SDKs refuse",
    arguments: [
      ("1234", .tooShort(minimum: 5)), ("271828183", .tooLong(maximum: 8)), ("90210", .blocked),
      ("27272", .similarDigits(maximum: 2)), ("12345", .sequence), ("89012", .sequence),
      ("54321", .sequence), ("13579", .sequence), ("97531", .sequence), ("27\n18", .notText),
    ] as [(String, PasscodePolicy.Violation)])
  func refused(passcode: String, reason: PasscodePolicy.Violation) {
    #expect(violation(passcode) == reason)
  }

  @Test("takes the rest", arguments: ["27182", "15937", "12346", "abcde", "aaaaaaa", "äöüßé"])
  func taken(passcode: String) { #expect(violation(passcode) == nil) }

  @Test("has the vendors' numbers")
  func numbers() {
    #expect(
      ["90210", "12345", "27272", "1234"].map { violation($0)?.resource?.number }
        == [9011, 9012, 9013, 9014])
  }

  @Test("refuses the passcode of a file, which is not read again")
  func file() async throws {
    let folder = try TemporaryFolder()
    let passcode = FilePasscode(
      try folder.write("12345\n", to: "passcode"), namedBy: "file")
    let owner = PasscodeOwner.profile(try ProfileName("work"))
    func enrolment(_ violation: PasscodePolicy.Violation?) -> PasscodeEnrolment {
      PasscodeEnrolment(owner: owner, policy: PasscodePolicy(), violation: violation)
    }
    #expect(try await passcode.newPasscode(for: enrolment(nil)) == Array("12345".utf8))
    let path = folder.file("passcode")
    await expect(.invalidRequest, "the digits of the passcode count up or down (\(path))") {
      _ = try await passcode.newPasscode(for: enrolment(.sequence))
    }
  }
}
