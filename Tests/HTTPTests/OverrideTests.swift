import TestSupport

@Suite("Overrides of addresses and connections")
struct OverrideTests {
  @Test(
    "are read as curl spells them",
    arguments: [
      "a.test:443:127.0.0.1", "a.test:443:127.0.0.1,[::1]", "*:8443:10.0.0.1", "+a.test:443:::1",
      "a.test:443:[2001:db8::1]",
    ])
  func addresses(text: String) {
    #expect(AddressOverride(text)?.description == text)
  }

  @Test("have the A-labels of international names")
  func international() {
    #expect(
      AddressOverride("BÜCHER.test:443:127.0.0.1")?.description
        == "xn--bcher-kva.test:443:127.0.0.1")
    #expect(
      ConnectionOverride("bücher.test::straße.test:")?.description
        == "xn--bcher-kva.test::xn--strae-oqa.test:")
    #expect(AddressOverride("☃.test:443:127.0.0.1") == nil)
  }

  @Test("have host names in lower case")
  func lowerCase() {
    #expect(AddressOverride("A.Test:443:127.0.0.1")?.description == "a.test:443:127.0.0.1")
    #expect(ConnectionOverride("A.Test::B:")?.description == "a.test::b:")
    #expect(ConnectionOverride("[0:0:0:0:0:0:0:1]:1:b:2")?.description == "[::1]:1:b:2")
  }

  @Test(
    "of addresses are refused if a part is missing or is no address",
    arguments: [
      "", "a.test", "a.test:443", "a.test:443:", "a.test:443:b.test", "a.test:0:127.0.0.1",
      "a.test:65536:127.0.0.1", "a.test:+443:127.0.0.1", "a.test:443:127.0.0.1,", ":443:127.0.0.1",
      "a test:443:127.0.0.1", "-a.test:443", "a.test:443:127.0.0.1\r\n",
    ])
  func badAddresses(text: String) { #expect(AddressOverride(text) == nil) }

  @Test(
    "of connections are read as curl spells them",
    arguments: [
      "a.test:443:b.test:8443", "::b.test:", ":::8443", "a.test::[::1]:1", "[::1]:1:127.0.0.1:2",
      ":::",
    ])
  func connections(text: String) {
    #expect(ConnectionOverride(text)?.description == text)
  }

  @Test(
    "of connections are for the host and the port that they name",
    arguments: [
      ("a.test:443:b.test:8443", "b.test:8443"), ("a.test:444:b.test:8443", nil),
      ("b.test::c.test:", nil), (":443::8443", "a.test:8443"), ("A.test::[::1]:", "::1:443"),
    ] as [(String, String?)])
  func targets(text: String, expected: String?) throws {
    let target = try #require(ConnectionOverride(text)).target(of: "a.test", 443)
    #expect(target.map { "\($0.host):\($0.port)" } == expected)
  }

  @Test(
    "of connections are refused if a part is missing or no host",
    arguments: [
      "", "a.test", "a:1:b", "a:1:b:2:3", "a:x:b:2", "a:0:b:2", "a:1:b c:2", "[::1:1:b:2",
      "a:1:b:70000", "a:1:b:2\n",
    ])
  func badConnections(text: String) { #expect(ConnectionOverride(text) == nil) }
}
