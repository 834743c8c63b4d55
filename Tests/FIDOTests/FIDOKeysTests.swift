import CoreTestSupport

@testable import FIDO
@testable import SDKCore

@Suite("The settings of FIDO keys")
struct FIDOKeysTests {
  private static let table = SettingTable([.fido])

  @Test(
    "read what is typed, or say what was expected",
    arguments: [
      ("aaid", "F1D0#1001", "F1D0#1001"), ("aaid", "F1D0-1001", nil), ("aaid", "F1D0#100G", nil),
      ("authenticationMaxRetries", "0", 0), ("authenticationMaxRetries", "101", nil),
      ("authenticationRequestPath", "/auth/fidouaf", "/auth/fidouaf"),
      ("authenticationRequestPath", "auth", nil),
    ] as [(String, String, JSON?)])
  func values(name: String, text: String, value: JSON?) throws {
    let key = try #require(Self.table.named("fido.\(name)"))
    #expect((try? key.value(from: text)) == value)
  }

  @Test(
    "tell what protects less, what leads elsewhere and what names something of this machine",
    arguments: [
      ("noVerification", true, .weaker), ("passcodeMinimumLength", 4, .weaker),
      ("passcodeMinimumLength", 8, nil), ("passcodeAttempts", 100, .weaker),
      ("passcodeBlocked", "271828", nil), ("url", "https://b.test", .elsewhere),
      ("url", "https://id.test/f", nil), ("appID", "https://b.test", .elsewhere),
      ("facetID", "https://b.test", .elsewhere), ("passcodeFile", "/b", .local),
      ("key", "pkcs11:", .local), ("user", "alice", nil),
    ] as [(String, JSON, SettingChange.Effect?)])
  func effects(key: String, value: JSON, effect: SettingChange.Effect?) throws {
    #expect(try Self.table.effects(ofSetting: "fido.\(key)", to: value) == [effect])
  }

  @Test("say which passcodes may be chosen")
  func passcodes() throws {
    let profile = try Profile(
      name: try ProfileName("a"),
      members: ["fido": ["passcodeMinimumLength": 7, "passcodeBlocked": "a b"]],
      settings: Self.table)
    var policy = PasscodePolicy()
    (policy.minimumLength, policy.blockList) = (7, ["a", "b"])
    #expect(FIDOKeys.passcode.policy(of: profile) == policy)
  }
}
