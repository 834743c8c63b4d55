import CoreTestSupport
import JSON
import Testing

@testable import FIDO
@testable import SDKCore

@Suite("The settings of FIDO keys")
struct FIDOKeysTests {
  private static let table = SettingTable([.fido])

  static let rows: [(name: String, expected: String)] = [
    ("fido.url", "an https URL"),
    ("fido.registrationRequestPath", "a path that begins with /"),
    ("fido.registrationResponsePath", "a path that begins with /"),
    ("fido.authenticationRequestPath", "a path that begins with /"),
    ("fido.authenticationResponsePath", "a path that begins with /"),
    ("fido.deregistrationRequestPath", "a path that begins with /"),
    ("fido.requestForm", "uaf, username"),
    ("fido.user", "text"),
    ("fido.passcodeFile", "an absolute path"),
    ("fido.appID", "text"),
    ("fido.facetID", "text"),
    ("fido.aaid", "VVVV#MMMM, of hexadecimal digits"),
    ("fido.attestation", "full, surrogate"),
    ("fido.encoding", "der, raw"),
    ("fido.noVerification", "true or false"),
    ("fido.key", "text"),
    ("fido.passcodeMinimumLength", "a number from 1 to 100"),
    ("fido.passcodeMaximumLength", "a number from 1 to 100"),
    ("fido.passcodeSimilarDigits", "a number from 1 to 100"),
    ("fido.passcodeSequences", "true or false"),
    ("fido.passcodeBlocked", "words separated by spaces"),
    ("fido.passcodeAttempts", "a number from 1 to 100"),
    ("fido.authenticationMaxRetries", "a number from 0 to 100"),
    ("fido.authenticationRetryInterval", "whole seconds, at most a day"),
    ("fido.networkTimeout", "whole seconds, at most a day"),
    ("fido.userInteractionTimeout", "whole seconds, at most a day"),
    ("fido.provider", "cookies, jwt"),
    ("fido.jwt", "header:NAME, member:NAME or cookie:NAME"),
    ("fido.cookies", "words separated by spaces"),
    ("fido.dispatchTargetResourcePath", "a path that begins with /"),
  ]

  @Test("are declared, each with what it accepts", arguments: rows)
  func table(row: (name: String, expected: String)) throws {
    let key = try #require(Self.table.named(row.name))
    #expect(key.expected == row.expected)
  }

  @Test("are as many as the table above")
  func count() {
    #expect(Self.table.keys.count - SettingTable.core.keys.count == Self.rows.count)
  }

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
    let old = try Profile(
      name: try ProfileName("a"), members: ["issuer": "https://id.test"], settings: Self.table)
    var new = old
    try new.set("fido.\(key)", to: value)
    #expect(old.changes(to: new).map(\.effect) == [effect])
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
