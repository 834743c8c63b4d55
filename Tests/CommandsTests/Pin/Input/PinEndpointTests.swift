import CoreTestSupport

@testable import Commands

@Suite("Places to pin")
struct PinEndpointTests {
  @Test(
    "are a host, a host with a port or a URL",
    arguments: [
      ("api.test", "api.test", 443, "api.test"),
      ("API.test:8443", "api.test", 8443, "api.test:8443"),
      ("https://api.test/path?q", "api.test", 443, "api.test"),
      ("https://api.test:8443", "api.test", 8443, "api.test:8443"),
      ("127.0.0.1:1", "127.0.0.1", 1, "127.0.0.1:1"), ("[::1]:8443", "::1", 8443, "[::1]:8443"),
      ("[::1]", "::1", 443, "[::1]"), ("localhost", "localhost", 443, "localhost"),
    ] as [(String, String, UInt16, String)])
  func good(text: String, host: String, port: UInt16, description: String) throws {
    let place = try #require(PinEndpoint(text))
    #expect(place.host == host)
    #expect(place.port == port)
    #expect(place.name == description)
    #expect(PinEndpoint(place.name) == place)
  }

  @Test(
    "are a URL of a server that is not of the web, with the port of its scheme",
    arguments: [
      ("SMTPS://mail.test", 465, "mail.test:465"),
      ("imaps://mail.test", 993, "mail.test:993"),
      ("pop3s://mail.test", 995, "mail.test:995"), ("ldaps://d.test", 636, "d.test:636"),
      ("xmpps://im.test:5270", 5270, "im.test:5270"),
    ] as [(String, UInt16, String)])
  func otherSchemes(text: String, port: UInt16, name: String) throws {
    let place = try #require(PinEndpoint(text))
    #expect(place.port == port)
    #expect(place.name == name)
    #expect(PinEndpoint(name) == place)
  }

  @Test(
    "are not any other text",
    arguments: [
      "", "api.test/", "api.test/x", "api.test?x", "a b", "api.test:0", "api.test:x", "::1",
      "me@api.test", "ftp://api.test", "smtp://mail.test", "smtps://", "smtps://a'b", "://a", "-",
      "sha256/AAAA",
      "./server.pem",
    ])
  func bad(text: String) {
    #expect(PinEndpoint(text) == nil)
  }

  @Test("of a profile are its issuer and its resource server, each once")
  func profile() throws {
    let cases: [(JSONObject, [String])] = [
      ([:], []), (["issuer": "https://id.test/t"], ["id.test"]),
      (
        ["issuer": "https://id.test", "resourceURL": "https://api.test:8443/v1"],
        ["id.test", "api.test:8443"]
      ),
      (["issuer": "https://id.test/t", "resourceURL": "https://id.test/v1"], ["id.test"]),
      (
        [
          "issuer": "http://127.0.0.1", "insecureLoopback": true,
          "resourceURL": "https://api.test",
        ], ["api.test"]
      ),
    ]
    for (members, places) in cases {
      let profile = try Profile(name: try ProfileName("p"), members: members)
      #expect(profile.pinEndpoints.map(\.name) == places)
    }
  }
}
