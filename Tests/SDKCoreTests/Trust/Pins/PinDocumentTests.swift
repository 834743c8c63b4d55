import CoreTestSupport

@testable import SDKCore

@Suite("Documents of pin sets")
struct PinDocumentTests {
  private static let pin = "sha256/q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s="

  private static func read(_ text: String) throws -> [PinSet] {
    try PinDocument.sets(in: try #require(try JSON(parsing: text).object))
  }

  @Test("hold policy, port, comment, origin, dates and proxies, and are written as they were read")
  func roundTrip() throws {
    let text = """
      {"hosts":{"*.a.test":{"comment":"ask ops","expires":"2030-01-01T00:00:00Z","keys":[{"pin":"\(Self.pin)",
      "role":"backup","comment":"in the safe","origin":"server a.test:443","added":"2026-01-01T00:00:00Z",
      "notAfter":"2027-01-01T00:00:00Z","keyType":"EC P-256","label":"CN=a","mine":1}],
      "policy":"report","other":[1]},
      "a.test:8443":{"keys":[{"pin":"\(Self.pin)","role":"leaf"}]}},
      "proxies":{"proxy.test:3128":{"keys":[{"pin":"\(Self.pin)","role":"leaf"}]}}}
      """
    let members = try #require(try JSON(parsing: text).object)
    let sets = try PinDocument.sets(in: members)
    let set = try #require(sets.first)
    #expect(sets.map(\.pattern.description) == ["*.a.test", "a.test:8443", "proxy.test:3128"])
    #expect(sets.map(\.pattern.isProxy) == [false, false, true])
    #expect(
      set.policy == .report && set.comment == "ask ops" && set.expires == Timestamp(1_893_456_000))
    let key = try #require(set.keys.first)
    #expect(key.comment == "in the safe" && key.label == "CN=a" && key.keyType == "EC P-256")
    #expect(key.origin == PinOrigin(.server, "a.test:443"))
    #expect(key.added == Timestamp(1_767_225_600) && key.notAfter == Timestamp(1_798_761_600))
    #expect(JSON.object(PinDocument.members(sets, over: members)) == .object(members))
  }

  @Test("take a member that is null for one that is missing")
  func nullMembers() throws {
    let sets = try Self.read(
      #"{"hosts":{"a.test":{"comment":null,"policy":null,"keys":[{"pin":"\#(Self.pin)","label":null}]}}}"#
    )
    #expect(sets.count == 1 && sets.first?.comment == nil && sets.first?.keys.first?.label == nil)
  }

  @Test("includeSubdomains beside a plain host means the host and all names below it")
  func includeSubdomains() throws {
    let text =
      #"{"hosts":{"a.test":{"includeSubdomains":true,"note":1,"keys":[{"pin":"\#(Self.pin)"}]}}}"#
    let members = try #require(try JSON(parsing: text).object)
    let sets = try PinDocument.sets(in: members)
    #expect(sets.map(\.pattern.description) == ["**.a.test"])
    let hosts = PinDocument.members(sets, over: members)["hosts"]
    #expect(hosts?.object?.keys == ["**.a.test"])
    #expect(hosts?["**.a.test"]?["note"] == 1)
    #expect(hosts?["**.a.test"]?["includeSubdomains"] == nil)
  }

  @Test(
    "are refused for a member that cannot be read, and for two sets of one pattern",
    arguments: [
      (#""policy":"maybe""#, "'hosts.a.test.policy' is not enforce or report"),
      (#""policy":1"#, "'hosts.a.test.policy' is a number"),
      (#""comment":[]"#, "'hosts.a.test.comment' is an array"),
      (#""includeSubdomains":"yes""#, "'hosts.a.test.includeSubdomains' is not true or false"),
      (#""expires":"never""#, "'hosts.a.test.expires' is not an ISO 8601 date"),
    ])
  func refused(member: String, cause: String) {
    let text = #"{"hosts":{"a.test":{\#(member),"keys":[{"pin":"\#(Self.pin)"}]}}}"#
    #expect(throws: PinDocument.ReadError(cause: cause)) { try Self.read(text) }
  }

  @Test(
    "are refused for a key with an unknown origin, a date that cannot be read, a public suffix",
    arguments: [
      (
        #"{"hosts":{"a.test":{"keys":[{"pin":"P","origin":"dream"}]}}}"#,
        "'hosts.a.test.keys[0].origin' does not begin with one of server, file, value, import, "
          + "update, backup"
      ),
      (
        #"{"hosts":{"a.test":{"keys":[{"pin":"P","notAfter":"x"}]}}}"#,
        "'hosts.a.test.keys[0].notAfter' is not an ISO 8601 date"
      ),
      (
        #"{"hosts":{"*.co.uk":{"keys":[{"pin":"P"}]}}}"#,
        "'hosts.*.co.uk' includes the subdomains of a public suffix"
      ),
      (
        #"{"hosts":{"**.a.test":{"keys":[{"pin":"P"}]},"a.test":{"includeSubdomains":true,"keys":[{"pin":"P"}]}}}"#,
        "'hosts.a.test' appears twice"
      ),
      (
        #"{"proxies":{"a.test:x":{"keys":[{"pin":"P"}]}}}"#, "'proxies.a.test:x' is not a host name"
      ),
      (
        #"{"hosts":{"a.test":{"keys":["#
          + Array(repeating: #"{"pin":"P"}"#, count: 1001).joined(separator: ",") + "]}}}",
        "'hosts.a.test.keys' has more than 1000 pins"
      ),
    ])
  func refusedKey(text: String, cause: String) {
    #expect(throws: PinDocument.ReadError(cause: cause)) {
      try Self.read(String(text.split(separator: "\"P\"").joined(separator: "\"\(Self.pin)\"")))
    }
  }

  @Test("has no member for proxies without proxies, and can be read again")
  func withoutProxies() throws {
    let hosts: JSONObject = ["hosts": ["a.test": ["keys": [["pin": .string("\(Self.pin)")]]]]]
    let sets = try PinDocument.sets(in: hosts)
    let members = PinDocument.members(sets)
    #expect(members["proxies"] == nil)
    #expect(try PinDocument.sets(in: members) == sets)
  }

  @Test("of proxies may be null, those of hosts may not")
  func null() throws {
    #expect(try PinDocument.sets(in: ["hosts": [:], "proxies": .null]).isEmpty)
    #expect(throws: PinDocument.ReadError.self) { try PinDocument.sets(in: ["hosts": .null]) }
    #expect(throws: PinDocument.ReadError.self) { try PinDocument.sets(in: ["proxies": 1]) }
  }
}
