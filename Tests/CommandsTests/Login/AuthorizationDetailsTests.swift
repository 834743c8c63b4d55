import Arguments
import CoreTestSupport

@testable import Commands

@Suite("--authorization-details")
struct AuthorizationDetailsTests {
  @Test(
    "take objects that have a type, as they are typed or in a file",
    arguments: [
      (#"[{"type":"t"}]"#, true), (#"[{"type":"t"},{"a":1,"type":"u"}]"#, true), ("[]", false),
      ("{}", false), (#"[{"type":"t"},{}]"#, false), (#"[{"type":""}]"#, false), ("[", false),
      ("", false),
    ])
  func content(text: String, isValid: Bool) throws {
    let typed = try? AuthorizationDetails.reading(text)
    #expect((typed != nil) == isValid)
    let folder = try TemporaryFolder()
    let file = try AuthorizationDetails.reading("@" + folder.write(text, to: "details"))
    #expect((try? file.text(Input(descriptor: 0))) == (isValid ? text : nil))
  }
}
