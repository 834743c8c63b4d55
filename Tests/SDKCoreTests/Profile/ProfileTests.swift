import CoreTestSupport

@testable import SDKCore

@Suite("Profile")
struct ProfileTests {
  @Test(
    "reads a host with its port, and nothing behind it",
    arguments: [
      ("a.test", "a.test:443"), ("a.test:8443", "a.test:8443"), ("[::1]:1", "[::1]:1"),
      ("a.test/", nil),
      ("a.test/x", nil), ("a.test?x", nil), ("", nil),
    ] as [(String, String?)])
  func hostAndPort(text: String, read: String?) {
    #expect(PinEndpoint(allowedHost: text)?.description == read)
  }

  @Test("keeps the endpoints that are not unset, and the unknown members beside them")
  func nested() throws {
    var profile = try Profile(
      name: try ProfileName("p"),
      members: ["endpoints": ["token": "https://a.test", "par": 7], "other": [1]])
    try profile.set("endpoints.token", to: nil)
    #expect(profile.members == ["endpoints": ["par": 7], "other": [1]])
    try profile.set("endpoints.jwks", to: "https://a.test/k")
    #expect(profile.endpoints == ["par": 7, "jwks": "https://a.test/k"])
  }

  @Test(
    "refuses keys that do not exist, and names them",
    arguments: ["nope", "", "endpoints", "endpoints.nope", "issuer.x", "ISSUER", "version"])
  func unknownKey(key: String) async throws {
    var profile = try Profile(name: try ProfileName("p"))
    let error = await expect(
      .invalidConfiguration, "there is no setting '\(key)'"
    ) { try profile.set(key, to: "https://a.test") }
    #expect(error?.subject == key)
    #expect(profile.members.isEmpty)
  }

  @Test("refuses a setting of a document from elsewhere that no row declares")
  func unknownElsewhere() async throws {
    let name = try ProfileName("p")
    await expect(
      .invalidConfiguration, "there is no setting 'seal.nope'"
    ) {
      _ = try Profile(name: name, from: ["scope": "a", "seal": ["nope": 1]], settings: .core)
    }
    #expect(try Profile(name: name, from: ["scope": "a"], settings: .core).scope == "a")
  }

  @Test("keeps its value when the new one is refused")
  func refusedValue() async throws {
    var profile = try Profile(name: try ProfileName("p"), members: ["scope": "a"])
    await expect(
      .invalidConfiguration,
      "could not use the value of 'scope': expected words separated by spaces"
    ) { try profile.set("scope", to: 7) }
    #expect(profile.scope == "a")
  }

  @Test(
    "accepts http only for this machine, and only with insecureLoopback",
    arguments: [
      ("issuer", "http://127.0.0.1:80", true, true), ("issuer", "http://127.0.0.1", false, false),
      ("issuer", "http://localhost", true, true), ("issuer", "http://[::1]:9", true, true),
      ("issuer", "http://id.test", true, false),
      ("issuer", "http://127.0.0.1.evil.test", true, false),
      ("resourceURL", "http://127.9.9.9", true, true),
      ("resourceURL", "http://10.0.0.1", true, false),
      ("endpoints.token", "http://127.0.0.1/t", true, true),
      ("endpoints.token", "http://127.0.0.1/t", false, false),
      ("endpoints.token", "http://id.test/t", true, false),
    ])
  func http(key: String, url: String, isAllowed: Bool, isGood: Bool) async throws {
    var profile = try Profile(name: try ProfileName("p"))
    try profile.set("insecureLoopback", to: .bool(isAllowed))
    try profile.set(key, to: .string(url))
    if isGood {
      try profile.check()
    } else {
      let members = profile.members
      await expect(
        .invalidConfiguration,
        "could not use the value of '\(key)': http is for this machine only, and only with "
          + "insecureLoopback=true"
      ) { _ = try Profile(name: try ProfileName("p"), members: members) }
    }
  }

  @Test(
    "lets a token go to the resource server and the named hosts only",
    arguments: [
      ("https://api.test/anything", true), ("https://API.test", true),
      ("https://api.test:443/x", true), ("https://api.test:8443", false),
      ("https://other.test", true), ("https://other.test:9443", false),
      ("https://third.test:9443/x", true), ("https://third.test", false),
      ("https://sub.api.test", false), ("https://id.test", false),
      ("https://api.test.evil.test", false), ("http://api.test:443", false),
      ("http://other.test:443", false), ("https://api.test./", false),
    ])
  func allowedHosts(url: String, isAllowed: Bool) throws {
    let profile = try Profile(
      name: try ProfileName("p"),
      members: [
        "issuer": "https://id.test", "resourceURL": "https://api.test/v1",
        "allowedHosts": ["other.test", "third.test:9443"],
      ])
    #expect(profile.allowsCredential(to: try HTTPURL(url)) == isAllowed)
  }

  @Test("lets a token go to an http resource server, but not beside it")
  func insecureHost() throws {
    let profile = try Profile(
      name: try ProfileName("p"),
      members: [
        "resourceURL": "http://127.0.0.1:8080", "insecureLoopback": true,
        "allowedHosts": ["127.0.0.1:9090"],
      ])
    #expect(profile.allowsCredential(to: try HTTPURL("http://127.0.0.1:8080/x")))
    #expect(!profile.allowsCredential(to: try HTTPURL("http://127.0.0.1:9090/x")))
    #expect(profile.allowsCredential(to: try HTTPURL("https://127.0.0.1:9090/x")))
  }

  @Test("allows no host for a token if nothing is set")
  func nowhere() throws {
    let profile = try Profile(name: try ProfileName("p"))
    #expect(!profile.allowsCredential(to: try HTTPURL("https://api.test")))
  }

  @Test("name a setting by its key, also if its value is an object")
  func object() throws {
    let members: JSONObject = ["authorizationParameters": ["a": "1"], "scope": "x"]
    #expect(
      SettingTable.core.values(in: members).map(\.path) == ["authorizationParameters", "scope"])
  }
}
