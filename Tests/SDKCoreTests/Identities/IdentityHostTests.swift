import Testing

@testable import SDKCore

@Suite("The hosts of an identity")
struct IdentityHostTests {
  @Test(
    "are a host, or all names below one; in one spelling",
    arguments: [
      ("API.example.com.", "api.example.com", "api.example.com"),
      ("*.Example.com", "*.example.com", "_wildcard.example.com"),
      ("127.0.0.1", "127.0.0.1", "127.0.0.1"), ("[::1]", "::1", "::1"),
      ("localhost", "localhost", "localhost"),
    ])
  func spelling(text: String, host: String, name: String) throws {
    let read = try IdentityHost(text)
    #expect(read.description == host)
    #expect(try IdentityName(for: read).description == name)
  }

  @Test(
    "are refused if one is not a host, or a pattern covers several owners",
    arguments: ["", "a b", "*", "*.com", "*.co.uk", "*.127.0.0.1", "a.*.example.com", "**.x.org"])
  func refused(text: String) throws {
    let error = try #require(throws: SDKError.self) { try IdentityHost(text) }
    #expect(error.code == .invalidRequest)
  }

  @Test(
    "match a host more or less exactly",
    arguments: [
      ("api.example.com", "api.example.com", Int.max), ("api.example.com", "example.com", nil),
      ("*.example.com", "api.example.com", 11), ("*.example.com", "a.b.example.com", 11),
      ("*.b.example.com", "a.b.example.com", 13), ("*.example.com", "example.com", nil),
      ("*.example.com", "badexample.com", nil),
    ] as [(String, String, Int?)])
  func specificity(pattern: String, host: String, value: Int?) throws {
    #expect(try IdentityHost(pattern).specificity(for: host) == value)
  }

  @Test(
    "have no name that is a path or an option",
    arguments: ["", ".", "..", "a/b", "-a", "a b", "ä", String(repeating: "a", count: 201)])
  func names(text: String) throws {
    let error = try #require(throws: SDKError.self) { try IdentityName(text) }
    #expect(error.code == .invalidRequest)
  }
}
