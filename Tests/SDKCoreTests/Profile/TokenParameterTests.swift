import Testing

@testable import SDKCore

@Suite("Parameters and places of tokens")
struct TokenParameterTests {
  @Test(
    "are refused without a name, and without the file of a secret",
    arguments: ["=x", "=", "a=@", "scope=x", "a"])
  func refused(text: String) {
    #expect(TokenParameter(text) == nil)
  }

  @Test("have a value that may be empty, and may contain '='")
  func accepted() {
    #expect(TokenParameter("a=")?.value == "")
    #expect(TokenParameter("a=b=c")?.value == "b=c")
    #expect(TokenParameter("a=@/f")?.file == "/f")
  }

  @Test(
    "of a profile are at least one, with absolute paths", arguments: ["", "&", "a=@f", "a=@./f"])
  func list(text: String) {
    #expect([TokenParameter](encoded: text) == nil)
    #expect([TokenParameter](encoded: "b=1&a=@/f")?.secretNames == ["a"])
  }

  @Test(
    "have a place that names its kind and the member",
    arguments: ["", ":", "header", "header:", ":a", "body:a"])
  func place(text: String) {
    #expect(ReturnedTokenSource(text) == nil)
    #expect(ReturnedTokenSource("member:a:b") == .member("a:b"))
  }
}
