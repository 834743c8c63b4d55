import TestSupport

@testable import JOSE

@Suite("What is found in a token")
struct TokenRulesTests {
  private static func codes(
    _ header: String, _ payload: String = "{}", signature: Int = 64
  ) -> [String] {
    let parts = [Array(header.utf8), Array(payload.utf8), [UInt8](repeating: 7, count: signature)]
    let token = parts.map { Base64URL.encode($0) }.joined(separator: ".")
    return TokenRules.findings(in: token).map(\.code)
  }

  @Test("is an RSA key of fewer than 2048 bits", arguments: ["RS256", "PS512"])
  func smallKey(algorithm: String) {
    let header = #"{"alg":"\#(algorithm)","typ":"JWT"}"#
    #expect(Self.codes(header, signature: 255).contains("key-small"))
    #expect(!Self.codes(header, signature: 256).contains("key-small"))
  }

  @Test("is a token in it that its header does not name")
  func nesting() throws {
    let inner = try Signer(.es256).sign(["typ": "JWT"], #"{"exp":1}"#)
    #expect(Self.codes(#"{"alg":"ES256","typ":"JWT"}"#, inner).contains("cty"))
    #expect(!Self.codes(#"{"alg":"ES256","typ":"JWT","cty":"jwt"}"#, inner).contains("cty"))
  }
}
