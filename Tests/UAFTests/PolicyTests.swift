import TestSupport

@testable import UAF

@Suite("A policy")
struct PolicyTests {
  private static let software = AuthenticatorDescription(
    aaid: .development, version: 3, encoding: .der, attestation: .basicFull, verifiesUser: true,
    hasHardwareKeys: false, keyIDs: ["AAAA"])

  /// What each member must be for the authenticator above, and what it must not be.
  private static let rows: [(String, matching: [JSON], others: [JSON])] = [
    ("aaid", [["FFFF#0001"], ["ffff#0001"], ["ABCD#0001", "FFFF#0001"]], [["ABCD#0001"], []]),
    ("vendorID", [["FFFF"], ["abcd", "ffff"]], [["ABCD"], []]),
    ("keyIDs", [["AAAA"], ["BBBB", "AAAA"]], [["BBBB"], ["aaaa"]]),
    ("userVerification", [4, 6, 1023], [2, 512, 1024, 1028]),
    ("keyProtection", [1, 3, 17], [2, 6, 0]), ("matcherProtection", [1, 7], [2, 4, 0]),
    ("attachmentHint", [1, 3], [2, 6, 0]), ("tcDisplay", [1, 3], [2, 0]),
    ("authenticationAlgorithms", [[2], [1, 2]], [[1], []]),
    ("assertionSchemes", [["UAFV1TLV"], ["X", "UAFV1TLV"]], [["X"], []]),
    ("attestationTypes", [[0x3E07], [0x3E08, 0x3E07]], [[0x3E08], []]),
    ("authenticatorVersion", [3, 1, 0], [4, 65535]),
  ]

  @Test("accepts an authenticator that has what each member asks for", arguments: rows)
  func members(name: String, matching: [JSON], others: [JSON]) throws {
    for (values, isAccepted) in [(matching, true), (others, false)] {
      for value in values {
        let criterion = Self.criterion([name: value])
        let policy = try Self.policy([[criterion]])
        #expect(policy.combinations(of: [Self.software]) == (isAccepted ? [[0]] : []), "\(value)")
        let refusing = try Self.policy([[Self.any]], disallowed: [criterion])
        #expect(refusing.combinations(of: [Self.software]) == (isAccepted ? [] : [[0]]), "\(value)")
      }
    }
  }

  /// USER_VERIFY_ALL makes a set one method: only the same set is it.
  @Test("accepts a combination of verifications only as a whole")
  func combinedVerifications() throws {
    #expect(try Self.verified(by: 0x406, wanting: 0x406))
    #expect(try !Self.verified(by: 0x406, wanting: 0x002))
    #expect(try !Self.verified(by: 0x002, wanting: 0x406))
    #expect(try Self.verified(by: 0x006, wanting: 0x012))
  }

  @Test("accepts any of its alternatives, in the order of the server's preference")
  func alternatives() throws {
    let raw = AuthenticatorDescription(
      aaid: .development, version: 3, encoding: .raw, attestation: .surrogate, verifiesUser: false,
      hasHardwareKeys: true)
    let policy = try Self.policy([
      [Self.criterion(["authenticationAlgorithms": [9]])],
      [Self.criterion(["authenticationAlgorithms": [1]])], [Self.any],
    ])
    #expect(policy.combinations(of: [Self.software, raw]) == [[1], [0]])
    #expect(policy.combinations(of: []) == [])
  }

  @Test("needs another authenticator for each criterion of an alternative")
  func several() throws {
    var second = Self.software
    second.keyIDs = ["BBBB"]
    let first = Self.criterion(["keyIDs": ["AAAA"]])
    // The first criterion must leave the first authenticator to the second one.
    let policy = try Self.policy([[Self.any, first]])
    #expect(policy.combinations(of: [Self.software, second]) == [[1, 0]])
    #expect(policy.combinations(of: [Self.software]) == [])
    #expect(try Self.policy([[first, first]]).combinations(of: [Self.software, second]) == [])
  }

  @Test("with an extension that must be known accepts nothing by it, and refuses what it refuses")
  func extensions() throws {
    let required: JSON = [["id": "x", "data": "", "fail_if_unknown": true]]
    let criterion = Self.any.with(["exts"], required)
    #expect(try Self.policy([[criterion]]).combinations(of: [Self.software]) == [])
    let refusing = try Self.policy([[Self.any]], disallowed: [criterion])
    #expect(refusing.combinations(of: [Self.software]) == [])
    let optional = Self.any.with(["exts"], [["id": "x", "data": "", "fail_if_unknown": false]])
    #expect(try Self.policy([[optional]]).combinations(of: [Self.software]) == [[0]])
  }

  @Test(
    "is refused if a criterion is malformed",
    arguments: [
      ["aaid": "FFFF#0001"], ["aaid": [1]], ["vendorID": "FFFF"], ["keyIDs": [:]],
      ["keyIDs": ["a+b="]], ["userVerification": "4"], ["userVerification": -1],
      ["keyProtection": 65536], ["attachmentHint": true],
      ["tcDisplay": []], ["authenticationAlgorithms": [1, "2"]], ["assertionSchemes": [1]],
      ["attestationTypes": [65536]], ["authenticatorVersion": "3"], ["exts": [[]]],
    ] as [JSON])
  func malformed(members: JSON) {
    let criterion = Self.any.with([members.object?.keys.first ?? ""], members.object?.values.first)
    for (accepted, disallowed) in [([[criterion]], []), ([[Self.any]], [criterion])] {
      let error = #expect(throws: UAFError.self) {
        _ = try Self.policy(accepted, disallowed: disallowed)
      }
      #expect(error?.code == .protocolError)
    }
  }

  @Test("is refused if an array has more than 1,000 criteria")
  func count() throws {
    let many = Array(repeating: Self.any, count: 1001)
    #expect(try Self.policy([Array(many.dropLast())]).accepted.count == 1)
    #expect(throws: UAFError.self) { _ = try Self.policy([many]) }
    #expect(throws: UAFError.self) { _ = try Self.policy([[Self.any]], disallowed: many) }
  }

  @Test("is refused if a criterion has both a model and its properties, or nothing")
  func combination() {
    for criterion in [
      ["aaid": ["FFFF#0001"], "assertionSchemes": ["UAFV1TLV"]],
      ["aaid": ["FFFF#0001"], "userVerification": 4], [:], ["exts": []],
    ] as [JSON] {
      #expect(throws: UAFError.self, "\(criterion)") { _ = try Self.policy([[criterion]]) }
    }
  }

  @Test("without algorithm or scheme accepts any, as in the examples of FIDO UAF Protocol 1.1")
  func anyAlgorithm() throws {
    let other: JSON = ["userVerification": 256, "keyProtection": 16]
    for criterion in [
      ["assertionSchemes": ["UAFV1TLV"]], ["authenticationAlgorithms": [2]],
      ["userVerification": 4, "keyProtection": 1],
    ] as [JSON] {
      let policy = try Self.policy([[criterion]], disallowed: [other])
      #expect(policy.combinations(of: [Self.software]) == [[0]], "\(criterion)")
      let refusing = try Self.policy([[Self.any]], disallowed: [other, criterion])
      #expect(refusing.combinations(of: [Self.software]) == [], "\(criterion)")
    }
  }

  /// Any authenticator of the scheme with one of the two algorithms.
  private static let any: JSON = [
    "authenticationAlgorithms": [1, 2], "assertionSchemes": ["UAFV1TLV"],
  ]

  /// A criterion with a member, and what it needs beside it.
  private static func criterion(_ members: [String: JSON]) -> JSON {
    var criterion: JSON = members["aaid"] == nil ? any : [:]
    for (name, value) in members { criterion[name] = value }
    return criterion
  }

  private static func verified(by methods: UInt32, wanting wanted: UInt32) throws -> Bool {
    let criterion = criterion(["userVerification": .int(Int64(wanted))])
    let criteria = try policy([[criterion]]).accepted[0][0]
    var authenticator = Self.software
    authenticator.userVerification = methods
    return criteria.matches(authenticator)
  }

  private static func policy(
    _ accepted: [[JSON]], disallowed: [JSON] = []
  ) throws(UAFError) -> UAFPolicy {
    let element = RequestTests.registration.with(
      ["policy"],
      ["accepted": .array(accepted.map { .array($0) }), "disallowed": .array(disallowed)])
    return try UAFRegistrationRequest(parsing: JSON.array([element]).serialized()).policy
  }
}
