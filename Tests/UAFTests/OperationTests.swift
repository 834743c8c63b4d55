import OpenSSL
import TestSupport
import UAF

@Suite("Authentication and deregistration requests")
struct OperationTests {
  @Test("have a transaction in several forms, of which a text is shown first")
  func transactions() throws {
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]
    let both = try Self.authentication([("image/png", png), ("text/plain", Array("Pay".utf8))])
    #expect(both.transactions.map(\.content) == [.png(png), .text("Pay")])
    #expect(both.transaction?.content == .text("Pay"))
    #expect(try both.transactions[0].hash == Digest.sha256(png))
    #expect(try Self.authentication([("image/png", png)]).transaction?.content == .png(png))
    #expect(try Self.authentication([]).transaction == nil)
    let one = try Self.authentication([("video/mp4", [1]), ("text/plain", [0x61])])
    #expect(one.transactions.map(\.content) == [.text("a")])
    let long = String(repeating: "ä", count: 200)
    let text = try Self.authentication([("text/plain", Array(long.utf8))])
    #expect(text.transaction?.content == .text(long))
  }

  @Test("are refused if no form of the transaction can be shown")
  func unshowable() {
    for (type, bytes) in [
      ("text/html", [0x61]), ("text/plain", [0xFF]), ("image/png", [1, 2, 3]),
      ("text/plain", [UInt8](repeating: 0x0A, count: 201)),
    ] as [(String, [UInt8])] {
      let error = #expect(throws: UAFError.self) { try Self.authentication([(type, bytes)]) }
      #expect(error?.code == .invalidTransactionContent, "\(type)")
    }
    let text: (String, [UInt8]) = ("text/plain", [0x61])
    let empty = #expect(throws: UAFError.self) {
      try Self.authentication([text, ("text/plain", [])])
    }
    #expect(empty?.code == .protocolError)
    let many = #expect(throws: UAFError.self) {
      try Self.authentication(Array(repeating: text, count: 1001))
    }
    #expect(many?.code == .protocolError)
  }

  @Test("name one key, the keys of a model, or all")
  func targets() throws {
    let id = Base64.encode([UInt8](repeating: 1, count: 32), alphabet: .url)
    let aaid = try #require(AAID("ABCD#0001"))
    for (value, target) in [
      (["aaid": "abcd#0001", "keyID": .string(id)], .key(aaid: aaid, keyID: id)),
      (["aaid": "ABCD#0001", "keyID": ""], .authenticator(aaid: aaid)),
      (["aaid": "", "keyID": ""], .all),
    ] as [(JSON, UAFDeregistrationRequest.Target)] {
      #expect(try Self.deregistration([value]).targets == [target])
    }
    let request = try Self.deregistration([["aaid": "ABCD#0001", "keyID": .string(id)]])
    #expect(request.targets[0].names(aaid: .development, keyID: id) == false)
    #expect(request.targets[0].names(aaid: aaid, keyID: id))
    #expect(!request.targets[0].names(aaid: aaid, keyID: "AA"))
  }

  @Test(
    "are refused if they name a key in another form",
    arguments: [
      [], [1], [[:]], [["aaid": "ABCD#0001"]], [["keyID": ""]], [["aaid": "ABCD", "keyID": ""]],
      [["aaid": "ABCD#000G", "keyID": ""]], [["aaid": "", "keyID": "AAAA"]],
      [["aaid": "ABCD#0001", "keyID": "AAAA"]], [["aaid": "ABCD#0001", "keyID": "a+/="]],
    ] as [JSON])
  func malformedTargets(value: JSON) {
    let error = #expect(throws: UAFError.self) { try Self.deregistration(value) }
    #expect(error?.code == .protocolError)
  }

  @Test("name all keys in version 1.1 only")
  func versionOfAll() {
    let all: JSON = [["aaid": "", "keyID": ""]]
    #expect(throws: UAFError.self) { try Self.deregistration(all, minor: 0) }
  }

  private static func authentication(
    _ transactions: [(String, [UInt8])]
  ) throws(UAFError) -> UAFAuthenticationRequest {
    let element = RequestTests.registration.with(["header", "op"], "Auth").with(
      ["transaction"],
      .array(
        transactions.map { type, bytes in
          ["contentType": .string(type), "content": .string(Base64.encode(bytes, alphabet: .url))]
        }))
    return try UAFAuthenticationRequest(parsing: JSON.array([element]).serialized())
  }

  private static func deregistration(
    _ authenticators: JSON, minor: Int64 = 1
  ) throws(UAFError) -> UAFDeregistrationRequest {
    let element: JSON = [
      "header": ["upv": ["major": 1, "minor": .int(minor)], "op": "Dereg"],
      "authenticators": authenticators,
    ]
    return try UAFDeregistrationRequest(parsing: JSON.array([element]).serialized())
  }
}

@Suite("The final challenge")
struct FinalChallengeTests {
  @Test("is base64url of JSON, and its hash that of the text")
  func encoded() throws {
    let vector = try #require(Vectors.uaf["finalChallenge"])
    let digest = try #require(vector["serverEndPoint"]?.string.flatMap { Hex.decode($0.utf8) })
    let challenge = FinalChallenge(
      appID: try #require(vector["appID"]?.string),
      challenge: try #require(vector["challenge"]?.string),
      facetID: try #require(vector["facetID"]?.string),
      channelBinding: ChannelBinding(serverEndPoint: digest))
    let decoded = try #require(Base64.decode(challenge.encoded.utf8, alphabet: .url))
    #expect(
      try JSON(parsing: decoded) == [
        "appID": "https://fido.test/facets", "facetID": "ios:bundle-id:ch.test",
        "challenge": "AAECAwQFBgcICQoLDA0ODw",
        "channelBinding": ["serverEndPoint": .string(Base64.encode(digest, alphabet: .url))],
      ])
    #expect(try FinalChallenge.hash(challenge.encoded) == Digest.sha256(challenge.encoded))
    #expect(try FinalChallenge.hash(challenge.encoded) != Digest.sha256(decoded))
  }

  @Test("has the facet in place of an empty application, and no channel binding that is not known")
  func emptyApplication() throws {
    let challenge = FinalChallenge(appID: "", challenge: "AA", facetID: "facet")
    let decoded = try #require(Base64.decode(challenge.encoded.utf8, alphabet: .url))
    #expect(
      try JSON(parsing: decoded) == [
        "appID": "facet", "challenge": "AA", "facetID": "facet", "channelBinding": [:],
      ])
  }
}
